import Settings
import Vocabulary

/// An LED on a line: it shows what it was last told, even after its line was away for a while. Its owner, an actor, isolates it.
struct Indicator: Sendable {
    private var line: HeldLine<any OutputLine>
    private var isWanted = false

    init(
        _ settings: LineSettings, role: LineRole, lines: any LineProvider, clock: any PeripheralClock,
        notices: PeripheralNotices
    ) {
        line = HeldLine(settings, role: role, lines: lines, clock: clock, notices: notices)
    }

    var wakeAt: Instant? { line.wakeAt }

    mutating func start() { apply(line.start()) }

    mutating func show(_ isOn: Bool) {
        isWanted = isOn
        // `line` records a failure and tries again.
        try? line.use { (held) throws(LineError) in try held.set(isOn) }
    }

    mutating func tick() { apply(line.tick(check: { (held) throws(LineError) in _ = try held.read() })) }

    mutating func stop() {
        isWanted = false
        line.stop()
    }

    mutating func status() -> LineStatus {
        let isActive = try? line.use { (held) throws(LineError) in try held.read() }
        return line.status(isActive: isActive)
    }

    private mutating func apply(_ change: HeldLine<any OutputLine>.Change) {
        if change == .held, isWanted { show(true) }
    }
}
