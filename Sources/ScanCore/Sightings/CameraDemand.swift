import Settings

/// What the scan machine wants from the camera.
package enum CameraDemand: String, Hashable, Sendable {
    /// Full frame rate.
    case run
    /// `capture.idleFrameRate`.
    case slow
    /// No frames are needed; the camera may be released.
    case stop
}

extension CameraDemand {
    /// What `capture.idle` asks for between sessions.
    init(idle: CaptureSettings.Idle) {
        switch idle {
        case .run: self = .run
        case .slow: self = .slow
        case .stop: self = .stop
        }
    }
}
