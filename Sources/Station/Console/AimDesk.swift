import Capture
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// For the person who turns the camera: `LookLease` decides how long frames are read for that, `AimMachine` when the buzzer that follows
/// the sharpness ticks.
///
/// Belongs to the station's actor.
final class AimDesk {
    /// Sharpness is measured on the whole frame; the picture itself isn't needed.
    private static let width = 32

    private var machine = AimMachine()
    private var timer = WakeTimer()
    private var lease = LookLease()
    private var leaseTimer = WakeTimer()
    /// Looks at sharpness while the buzzer follows it.
    private var watch: Task<Void, Never>?
    private let reader: Reader
    private let feedback: FeedbackPlayer

    init(_ parts: StationParts) { (reader, feedback) = (parts.reader, parts.feedback) }

    func tell(_ event: AimMachine.Event, in station: isolated Station) {
        for action in machine.handle(event, at: station.clock.now) {
            switch action {
            case .look(let isOn): look(isOn, in: station)
            case .beep: feedback.play(.aim)
            case .wakeAt(let moment): timer.set(at: moment, in: station) { $0.desk.aim.tell(.tick, in: $0) }
            }
        }
    }

    private func tell(lease event: LookLease.Event, in station: isolated Station) {
        for action in lease.handle(event, at: station.clock.now) {
            switch action {
            case .look(let isOn): station.feed(.look(for: .aim, isOn))
            case .wakeAt(let moment):
                leaseTimer.set(at: moment, in: station) { $0.desk.aim.tell(lease: .tick, in: $0) }
            }
        }
    }

    /// Asks for pictures as a console does, one at a time, only while the buzzer follows them.
    private func look(_ isOn: Bool, in station: isolated Station) {
        tell(lease: .buzzer(isOn), in: station)
        watch?.cancel()
        watch = nil
        guard isOn else { return }
        watch = Self.watch(reader, for: station)
    }

    private static func watch(_ reader: Reader, for station: Station) -> Task<Void, Never> {
        Task { [weak station] in
            var last: UInt64?
            while !Task.isCancelled {
                // Turned away, because eight others wait: their turn comes first.
                let preview = try? await reader.preview(after: last, maxWidth: width)
                if preview == nil { try? await Task.sleep(for: .milliseconds(100)) }
                guard let station, !Task.isCancelled else { return }
                guard let preview else { continue }
                last = preview.info.sequence
                await station.run { $0.desk.aim.take(preview, in: $0) }
            }
        }
    }

    private func take(_ preview: Preview, in station: isolated Station) {
        let showsCode = !preview.symbols.isEmpty || station.unreadCodes.contains { $0.kind != .picture }
        let view = AimMachine.View(frame: preview.frame, viewport: preview.viewport)
        tell(
            .figure(
                sharpness: preview.sharpness, showsCode: showsCode, exposedAt: preview.info.exposedAt, view),
            in: station)
    }

    /// The command `aim`.
    func set(
        _ request: AimRequest, while camera: CameraState, in station: isolated Station
    ) throws -> [String: JSONValue] {
        if request == .buzzer, station.settings.buzzer == nil {
            throw CommandRefusal("no buzzer is configured: set buzzer.line, or look at the console's page Aim")
        }
        if request != .off, !camera.promisesPicture(isOnPause: station.isOnPause) {
            throw CommandRefusal("the camera is \(camera.name): there is no picture to aim with")
        }
        switch request {
        case .buzzer: tell(.on, in: station)
        case .look: tell(lease: .asked, in: station)
        // Somebody who aims by the page goes on.
        case .off: tell(.off, in: station)
        }
        let left = machine.endsAt.map { max(station.clock.now.duration(to: $0), .zero) }
        return [
            "aim": .object([
                "on": .bool(machine.isOn), "leftMs": left.map { .integer(Int64($0.milliseconds)) } ?? .null,
                "share": machine.share.map { .number(($0 * 1000).rounded() / 1000) } ?? .null,
            ])
        ]
    }

    func stop() {
        timer.cancel()
        leaseTimer.cancel()
        watch?.cancel()
        watch = nil
    }
}
