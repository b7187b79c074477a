import ScanCore
import Vocabulary
import Wire

/// The buzzer that follows the sharpness: `AimMachine` decides when it ticks.
extension Station {
    /// Sharpness is measured on the whole frame; the picture itself isn't needed.
    static let aimWidth = 32

    func tell(aim event: AimMachine.Event) {
        for action in aim.handle(event, at: clock.now) {
            switch action {
            case .look(let isOn): watchForAim(isOn)
            case .beep: parts.feedback.play(.aim)
            case .wakeAt(let moment): wakeAim(at: moment)
            }
        }
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
        let left = aim.endsAt.map { max(clock.now.duration(to: $0), .zero) }
        return [
            "aim": .object([
                "on": .bool(aim.isOn), "leftMs": left.map { .integer(Int64($0.milliseconds)) } ?? .null,
                "share": aim.share.map { .number(($0 * 1000).rounded() / 1000) } ?? .null,
            ])
        ]
    }
}
