import ScanCore
import Vocabulary
import Wire

/// The buzzer that follows the sharpness: `AimMachine` decides when it ticks.
extension Station {
    /// Sharpness is measured on the whole frame; the picture itself isn't needed.
    static let aimWidth = 32

    func tell(aim event: AimMachine.Event) {
        for action in desk.aim.handle(event, at: clock.now) {
            switch action {
            case .look(let isOn): watchForAim(isOn)
            case .beep: parts.feedback.play(.aim)
            case .wakeAt(let moment):
                desk.wakeAim(at: moment, now: clock.now) { [weak self] in await self?.tell(aim: .tick) }
            }
        }
    }

    /// Asks for pictures as a console does, one at a time, only while the buzzer follows them.
    private func watchForAim(_ isOn: Bool) {
        guard isOn else { return desk.watchForAim(nil) }
        let reader = parts.reader
        desk.watchForAim(
            Task { [weak self] in
                var last: UInt64?
                while !Task.isCancelled {
                    // Turned away, because eight others wait: their turn comes first.
                    let preview = try? await reader.preview(after: last, maxWidth: Self.aimWidth)
                    if preview == nil { try? await Task.sleep(for: .milliseconds(100)) }
                    guard let self, !Task.isCancelled else { return }
                    last = preview?.info.sequence ?? last
                    await self.tell(aim: .figure(sharpness: preview?.sharpness, peak: preview?.sharpnessPeak))
                }
            })
    }

    func setAim(_ isOn: Bool) throws -> [String: JSONValue] {
        if isOn {
            guard settings.buzzer != nil else {
                throw CommandRefusal("no buzzer is configured: set buzzer.line, or look at the console's page Aim")
            }
            guard readiness.camera == .running else {
                throw CommandRefusal("the camera is \(readiness.camera.name): there is nothing to aim by")
            }
        }
        tell(aim: isOn ? .on : .off)
        let left = desk.aim.endsAt.map { max(clock.now.duration(to: $0), .zero) }
        return [
            "aim": .object([
                "on": .bool(desk.aim.isOn), "leftMs": left.map { .integer(Int64($0.milliseconds)) } ?? .null,
                "share": desk.aim.share.map { .number(($0 * 1000).rounded() / 1000) } ?? .null,
            ])
        ]
    }
}
