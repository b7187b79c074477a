import Vocabulary
import Wire

extension CameraState {
    /// The state as an event on the wire, with what a person should do about it.
    var event: StateEvent {
        StateEvent(part: "camera", state: name, reason: reason, detail: detail)
    }

    private var reason: String? {
        switch self {
        case .systemPressure(let pressure): pressure.rawValue
        case .unavailable(let reason): reason.name
        default: nil
        }
    }

    /// What happened and what to do; `nil` if nothing is wrong.
    package var detail: String? {
        switch self {
        case .notLoaded, .available, .running, .suspended: nil
        case .permissionDenied:
            "this user may not open the camera's device nodes: sudo usermod -aG video USER, then log in again"
        case .inUse: "another process has the camera: stop it (fuser -v /dev/media*); the station takes over by itself"
        case .systemPressure(.heat): "the processor is too hot: frame rate and torch are reduced; give it air"
        case .systemPressure(.underVoltage):
            "the supply voltage is too low: use the supply made for this Pi, a short cable"
        case .systemPressure(.memory): "memory is nearly used up: capture is reduced; use a lower capture.preset"
        case .unavailable(let reason): reason.detail
        }
    }
}

extension CameraUnavailableReason {
    /// What happened and what to do.
    package var detail: String {
        switch self {
        case .notFound(let wanted?, let found):
            "no camera has the id \"\(wanted)\"; found: \(found.isEmpty ? "none" : found.joined(separator: ", ")). "
                + "Set capture.camera to one of `scanstation cameras`"
        case .notFound(nil, _):
            "no camera was found: check its cable and `scanstation doctor`, or run with --simulate"
        case .cannotBeAcquired(let detail): "the camera can't be acquired: \(detail)"
        case .configurationRejected(let detail): "the camera rejected the configuration: \(detail)"
        case .noLumaFormat(let offered):
            "the camera offers no format with a luma plane and no MJPEG, only \(offered.joined(separator: ", "))"
        case .stoppedDelivering(let lastFrameAgo):
            "no frame for \(Int(lastFrameAgo.milliseconds)) ms: check the cable; the camera is being restarted"
        case .streamFailed(let detail): "the camera failed while it was running: \(detail); it is being restarted"
        case .disconnected: "the camera was unplugged; it is used again as soon as it is back"
        case .noPlugin(let version?, let detail): "no camera plugin fits the installed libcamera \(version): \(detail)"
        case .noPlugin(nil, let detail): "libcamera can't be used: \(detail)"
        case .scene(let detail): "the replayed scene can't be shown: \(detail)"
        case .memoryBudget(let needed, let budget, let detail):
            "needs \(needed >> 20) MiB, but \(budget >> 20) MiB are allowed: \(detail)"
        }
    }
}
