import Capture
import Peripherals
import Settings
import Vocabulary
import Wire

/// Commands that touch a device: they wait for it without holding up the scan loop, and say what it didn't do.
///
/// `nonisolated(nonsending)`: they go on in the scan loop, where they came from, so that what they tell has its place among other events.
struct DeviceCommands: Sendable {
    let parts: StationParts
    let workers: PartWorkers
    let voice: StationVoice

    /// In its turn among the torch's jobs: a capture run that starts turns the torch off, so a command that was sent because the camera
    /// runs must not overtake that.
    nonisolated(nonsending) func setTorch(_ mode: TorchMode) async throws {
        let done: Void? = try await workers.torch.result { try await $0.setMode(mode) }
        if done == nil {
            throw CommandRefusal("the torch doesn't answer: too many commands wait for it; see its state in status")
        }
    }

    nonisolated(nonsending) func pulseRelay(
        _ duration: Duration?, if isWanted: @Sendable () -> Bool = { true }
    ) async throws {
        guard let relay = parts.relay else {
            throw CommandRefusal("no relay is configured: set relay.line")
        }
        let length = try await relay.pulse(duration, if: isWanted)
        voice.publish(state: "pulsed", of: "relay", fields: ["durationMs": .number(length.milliseconds)])
    }

    nonisolated(nonsending) func focus(at point: Point?, while camera: CameraState) async throws {
        guard camera == .running else {
            throw CommandRefusal("the camera is \(camera.name): there is nothing to focus")
        }
        let report = await workers.camera.result { camera in
            await camera.focus(at: point)
            return await camera.report()
        }
        if let skipped = report?.skipped.first(where: { $0.setting.hasPrefix("capture.focus") }) {
            throw CommandRefusal("the camera can't be focused: \(skipped.reason)")
        }
    }

    /// The whole id of the camera whose id begins like this.
    nonisolated(nonsending) func camera(_ id: String) async throws -> String {
        let inventory = await parts.capture.inventory()
        guard let camera = inventory.cameras.first(where: { $0.id.hasPrefix(id) }) else {
            let known = inventory.cameras.map(\.id).joined(separator: ", ")
            throw CommandRefusal("no camera has the id \"\(id)\"; the cameras are: \(known.isEmpty ? "none" : known)")
        }
        return camera.id
    }

    /// What cameras there are, from the process that holds them.
    nonisolated(nonsending) func cameraList() async -> [String: JSONValue] {
        await parts.capture.inventory().jsonFields
    }

    /// GPIO lines of the machine or of the panel, with their holders.
    func lineList() -> [String: JSONValue] { LineInventory.list(parts.lines).jsonFields }
}
