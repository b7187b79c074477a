/// What the camera is doing, as observers, `ctl status` and the wire show it.
package enum CameraState: Hashable, Sendable {
    /// Not opened yet, or closed for good.
    case notLoaded
    /// Opened and configured; not capturing.
    case available
    /// A capture run is under way.
    case running
    /// The camera's device nodes exist, but this user may not open them.
    case permissionDenied
    /// Another process has the camera.
    case inUse
    /// Released on purpose (pause, idle: stop).
    case suspended
    /// Heat, under-voltage or lack of memory: capture was reduced or stopped.
    case systemPressure(SystemPressure)
    case unavailable(CameraUnavailableReason)

    /// The state's name on the wire.
    package var name: String {
        switch self {
        case .notLoaded: "notLoaded"
        case .available: "available"
        case .running: "running"
        case .permissionDenied: "permissionDenied"
        case .inUse: "inUse"
        case .suspended: "suspended"
        case .systemPressure: "systemPressure"
        case .unavailable: "unavailable"
        }
    }
}

/// The machine's trouble, which makes camera and torch do less.
package enum SystemPressure: String, Hashable, Sendable {
    case heat
    case underVoltage
    case memory
}

/// Why a camera can't be used. The text says what to do.
package enum CameraUnavailableReason: Hashable, Sendable {
    /// No camera, or none with the configured id; the ids that were found.
    case notFound(wanted: String?, found: [String])
    case cannotBeAcquired(detail: String)
    case configurationRejected(detail: String)
    /// No stream format with a luma plane; the formats that were offered.
    case noLumaFormat(offered: [String])
    case stoppedDelivering(lastFrameAgo: Duration)
    /// The camera reported an error while it was capturing.
    case streamFailed(detail: String)
    case disconnected
    /// No plugin fits the installed libcamera; its version if one was found.
    case noPlugin(libcameraVersion: String?, detail: String)
    /// The replayed pictures can't be read.
    case scene(detail: String)
    /// The configuration needs more memory than the budget: both in bytes.
    case memoryBudget(needed: Int, budget: Int, detail: String)

    /// The reason's name on the wire.
    package var name: String {
        switch self {
        case .notFound: "notFound"
        case .cannotBeAcquired: "cannotBeAcquired"
        case .configurationRejected: "configurationRejected"
        case .noLumaFormat: "noLumaFormat"
        case .stoppedDelivering: "stoppedDelivering"
        case .streamFailed: "streamFailed"
        case .disconnected: "disconnected"
        case .noPlugin: "noPlugin"
        case .scene: "scene"
        case .memoryBudget: "memoryBudget"
        }
    }
}
