import Vocabulary

/// Types one text at a time into a USB gadget keyboard: report by report, at a set pace, and never leaves a key down.
///
/// ```
///            type                 taken, interval over      last one taken
///   idle ──────────▶ writing ────────────────────▶ writing ──────────────▶ idle: typed
///                     │  ▲ └ not taken: blocked ── too long ─────────────▶ idle: notTaken, or broken
///                     │  └───────────── writable ──┘
///                     └ Caps Lock key typed: awaiting its light ─ too long ▶ idle: capsLockStays
/// ```
/// The kernel keeps one report until the computer fetches it, and takes the next one only then. So every text begins with a report that
/// presses nothing: if that isn't fetched, the computer sleeps or isn't there, and nothing was typed. Each key press is followed by a
/// release, and the last release is written twice: when the second is taken, the computer has the first.
///
/// **Caps Lock** would change the case of letters. The computer reports its state in output reports (the lights). If it is on, the machine
/// types the Caps Lock key, waits for the light to go off, types the text, and types Caps Lock again, to leave it as it was. If the light
/// doesn't go off (the key does something else there), the result is `capsLockStays` with nothing typed; if it goes on in the middle of a
/// text, that is `broken`. A computer that never reported its lights counts as having them off.
package struct TypingMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        /// How long a report may wait to be fetched. A computer that is awake asks every few milliseconds.
        package var fetch: Duration = .milliseconds(500)
        /// How long the Caps Lock light may take.
        package var light: Duration = .milliseconds(500)

        package init() {}
    }

    package enum Outcome: Hashable, Sendable {
        case typed
        /// The computer fetches no reports; nothing was typed.
        case notTaken
        /// Caps Lock is on and doesn't go off; nothing was typed.
        case capsLockStays
        /// It ended in the middle: at most `typed` of `of` characters have arrived.
        case broken(typed: Int, of: Int, why: String)
    }

    package enum Event: Hashable, Sendable {
        /// The keys of each character.
        case type([[KeyStroke]])
        /// The report was taken.
        case written
        /// The one before hasn't been fetched yet.
        case blocked
        case writable
        /// The time asked for by `wakeAt` has come.
        case timer
        /// An output report: bit 1 is Caps Lock.
        case lights(UInt8)
        /// The device is gone, or the station stops.
        case lost(String)
    }

    package enum Action: Hashable, Sendable {
        case write([UInt8])
        /// Feed `writable` as soon as a report would be taken.
        case awaitWritable
        case wakeAt(Instant?)
        case finished(Outcome)
    }

    private static let capsLockLight: UInt8 = 0x02

    private struct Step: Hashable, Sendable {
        var report: [UInt8]
        /// Characters that may have arrived once it is taken.
        var typed: Int
        /// Go on only when the Caps Lock light is off.
        var awaitsLight = false
        /// The text is out: the light may go on again.
        var isAfterText = false
    }

    private enum Phase: Hashable, Sendable {
        case idle
        case writing
        case blocked(until: Instant)
        case pausing(until: Instant)
        case awaitingLight(until: Instant)
    }

    package let interval: Duration
    package let limits: Limits
    package private(set) var isCapsLockOn = false
    private var phase: Phase = .idle
    private var steps: [Step] = []
    private var next = 0
    private var count = 0

    /// `interval`: between two reports.
    package init(interval: Duration, limits: Limits = Limits()) {
        self.interval = interval
        self.limits = limits
    }

    package var isIdle: Bool { phase == .idle }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (event, phase) {
        case (.type(let keys), .idle):
            begin(keys)
            return write()
        case (.written, .writing): return written(at: now)
        case (.blocked, .writing):
            let until = now.advanced(by: limits.fetch)
            phase = .blocked(until: until)
            return [.awaitWritable, .wakeAt(until)]
        case (.writable, .blocked): return [.wakeAt(nil)] + write()
        case (.timer, .blocked(let until)), (.timer, .pausing(let until)), (.timer, .awaitingLight(let until)):
            guard now >= until else { return [.wakeAt(until)] }
            return timeOver()
        case (.lights(let lights), _): return light(lights & Self.capsLockLight != 0)
        case (.lost(let why), .blocked), (.lost(let why), .pausing), (.lost(let why), .awaitingLight),
            (.lost(let why), .writing):
            return [.wakeAt(nil)] + end(why)
        default: return []
        }
    }

    private mutating func begin(_ keys: [[KeyStroke]]) {
        count = keys.count
        next = 0
        steps = [Step(report: KeyStroke.release, typed: 0)]
        let tap = [KeyStroke.capsLock.report, KeyStroke.release, KeyStroke.release]
        if isCapsLockOn {
            steps += tap.map { Step(report: $0, typed: 0) }
            steps[steps.count - 1].awaitsLight = true
        }
        for (index, strokes) in keys.enumerated() {
            for stroke in strokes {
                steps.append(Step(report: stroke.report, typed: index + 1))
                steps.append(Step(report: KeyStroke.release, typed: index + 1))
            }
        }
        steps.append(Step(report: KeyStroke.release, typed: count))
        if isCapsLockOn { steps += tap.map { Step(report: $0, typed: count, isAfterText: true) } }
    }

    private mutating func write() -> [Action] {
        phase = .writing
        return [.write(steps[next].report)]
    }

    private mutating func written(at now: Instant) -> [Action] {
        let step = steps[next]
        next += 1
        guard next < steps.count else {
            phase = .idle
            return [.finished(.typed)]
        }
        if step.awaitsLight, isCapsLockOn {
            let until = now.advanced(by: limits.light)
            phase = .awaitingLight(until: until)
            return [.wakeAt(until)]
        }
        guard interval > .zero else { return write() }
        let until = now.advanced(by: interval)
        phase = .pausing(until: until)
        return [.wakeAt(until)]
    }

    private mutating func timeOver() -> [Action] {
        switch phase {
        case .pausing: return write()
        case .blocked:
            guard typed > 0 else {
                phase = .idle
                return [.finished(.notTaken)]
            }
            return end("the computer takes no more keys")
        case .awaitingLight:
            phase = .idle
            return [.finished(.capsLockStays)]
        case .idle, .writing: return []
        }
    }

    private mutating func light(_ isOn: Bool) -> [Action] {
        let wasOn = isCapsLockOn
        isCapsLockOn = isOn
        if case .awaitingLight = phase, !isOn { return [.wakeAt(nil)] + write() }
        guard isOn, !wasOn, phase != .idle, !steps[min(next, steps.count - 1)].isAfterText else { return [] }
        guard typed > 0 else {
            phase = .idle
            return [.wakeAt(nil), .finished(.capsLockStays)]
        }
        return [.wakeAt(nil)] + end("Caps Lock was switched on meanwhile")
    }

    /// Characters that may have arrived.
    private var typed: Int { next > 0 && next <= steps.count ? steps[next - 1].typed : 0 }

    private mutating func end(_ why: String) -> [Action] {
        phase = .idle
        return [.finished(.broken(typed: typed, of: count, why: why))]
    }
}
