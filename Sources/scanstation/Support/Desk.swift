import Capture
import Peripherals
import Settings

/// What is replayed and simulated, and why.
struct Desk: Equatable {
    var hasReplayedCamera = false
    var hasPanel = false
    /// For people who wonder why; `nil` when nothing is simulated or it was asked for.
    var reason: String?

    /// Whether a terminal shows the panel. A real station whose configuration names standard output prints lines there instead.
    func showsPanel(_ settings: StationSettings) -> Bool {
        if hasReplayedCamera || settings.outputs == StationSettings().outputs { return true }
        return !settings.outputs.contains { if case .standardOutput = $0.kind { true } else { false } }
    }

    static func choose(
        simulate: Bool, simulateMissing: Bool, settings: StationSettings,
        hasCamera: (CaptureSettings.Source) -> Bool = { !CameraInventory.list(source: $0).cameras.isEmpty },
        hasLines: () -> Bool = { !LineInventory.list().chips.isEmpty }
    ) -> Desk {
        if simulate { return Desk(hasReplayedCamera: true, hasPanel: true) }
        guard simulateMissing else { return Desk() }
        var missing: [String] = []
        var desk = Desk()
        if case .replay = settings.capture.source {
        } else if !hasCamera(settings.capture.source) {
            desk.hasReplayedCamera = true
            missing.append("no camera was found: replaying the scene")
        }
        if !hasLines() {
            desk.hasPanel = true
            missing.append("no GPIO chip was found: simulating the panel")
        }
        desk.reason = missing.isEmpty ? nil : missing.joined(separator: "; ")
        return desk
    }
}
