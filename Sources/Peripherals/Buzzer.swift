import Settings
import Vocabulary

/// The beeper, on a line (active) or a PWM channel (passive). Its owner, an actor, isolates it.
struct Buzzer: Sendable {
    private var tone: HeldLine<any ToneOutput>
    private var wantedHertz = 0

    init(
        _ settings: BuzzerSettings, lines: any LineProvider, clock: any PeripheralClock, notices: PeripheralNotices
    ) {
        tone = HeldLine(
            role: .buzzer, name: settings.lineName, clock: clock, notices: notices,
            open: { () throws(LineError) in try lines.openTone(settings) }, close: { $0.close() })
    }

    var wakeAt: Instant? { tone.wakeAt }

    mutating func start() { apply(tone.start()) }

    /// - Parameter hertz: 0 silences, 1 is the buzzer's own pitch.
    mutating func sound(hertz: Int) {
        wantedHertz = hertz
        // `tone` records a failure and tries again.
        try? tone.use { (held) throws(LineError) in try held.sound(hertz: hertz) }
    }

    mutating func tick() { apply(tone.tick(check: { (held) throws(LineError) in _ = try held.read() })) }

    mutating func stop() {
        wantedHertz = 0
        tone.stop()
    }

    mutating func status() -> LineStatus {
        let isActive = try? tone.use { (held) throws(LineError) in try held.read() }
        return tone.status(isActive: isActive)
    }

    private mutating func apply(_ change: HeldLine<any ToneOutput>.Change) {
        if change == .held, wantedHertz != 0 { sound(hertz: wantedHertz) }
    }
}
