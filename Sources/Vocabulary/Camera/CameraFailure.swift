/// Why an attempt to use the camera failed; becomes the camera state until the next success.
package enum CameraFailure: Error, Hashable, Sendable {
    /// The nodes that exist but may not be opened, and the remedy.
    case permissionDenied(detail: String)
    /// Another process has the camera.
    case inUse(detail: String)
    case unavailable(CameraUnavailableReason)

    package var state: CameraState {
        switch self {
        case .permissionDenied: .permissionDenied
        case .inUse: .inUse
        case .unavailable(let reason): .unavailable(reason)
        }
    }

    /// Whether trying again with the same settings can succeed: not when the settings ask for more memory than there is.
    package var isWorthRetrying: Bool {
        if case .unavailable(.memoryBudget) = self { return false }
        return true
    }
}

extension CameraFailure: CustomStringConvertible {
    /// What was tried, what happened, what to do.
    package var description: String {
        switch self {
        case .permissionDenied(let detail): "the camera may not be opened: \(detail)"
        case .inUse(let detail): "the camera is in use by another process: \(detail)"
        case .unavailable(let reason): reason.description
        }
    }
}

extension CameraUnavailableReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(nil, let found) where found.isEmpty:
            "no camera was found: check the cable and that the kernel lists it (`scanstation doctor`)"
        case .notFound(let wanted, let found):
            "no camera \"\(wanted ?? "")\" was found; found: \(found.isEmpty ? "none" : found.joined(separator: ", "))"
                + ": check the cable or set capture.camera to one that `scanstation cameras` lists"
        case .cannotBeAcquired(let detail): "the camera cannot be acquired: \(detail)"
        case .configurationRejected(let detail): "the camera rejected the configuration: \(detail)"
        case .noLumaFormat(let offered):
            "the camera offers no format with a luma plane (YUV420, NV12, YUYV, grey), nor MJPEG; it offers: "
                + (offered.isEmpty ? "nothing" : offered.joined(separator: ", "))
        case .stoppedDelivering(let ago):
            "the camera stopped delivering: no frame for \(Int(ago.milliseconds)) ms; check the cable and the power supply"
        case .streamFailed(let detail): "the camera failed while capturing: \(detail)"
        case .disconnected: "the camera was disconnected: plug it in again"
        case .noPlugin(let version, let detail):
            (version.map { "no plugin for the installed libcamera \($0): " } ?? "libcamera is not usable: ") + detail
        case .scene(let detail): "the scene can't be replayed: \(detail)"
        case .memoryBudget(_, _, let detail): detail
        }
    }
}
