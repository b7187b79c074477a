import Delivery
import TestSupport
import Testing
import Vocabulary

@Suite("Typing machine")
struct TypingMachineTests {
    private static let release = TypingMachine.Action.write(KeyStroke.release)
    private static let a = KeyStroke(0x04)
    private static let b = KeyStroke(0x05, .shift)
    private static let capsOn: UInt8 = 0x02

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    /// Takes every report at once; the outcome and the reports.
    private func run(
        _ machine: inout TypingMachine, _ event: TypingMachine.Event, at now: Instant
    ) -> (reports: [[UInt8]], outcome: TypingMachine.Outcome?, wake: Instant?) {
        var reports: [[UInt8]] = []
        var outcome: TypingMachine.Outcome?
        var wake: Instant?
        var queue = machine.handle(event, at: now)[...]
        while let action = queue.popFirst() {
            switch action {
            case .write(let report):
                reports.append(report)
                queue += machine.handle(.written, at: now)
            case .finished(let end): outcome = end
            case .wakeAt(let instant): wake = instant
            case .awaitWritable: break
            }
        }
        return (reports, outcome, wake)
    }

    @Test("Each key is pressed and released, between two reports that prove that the computer is there")
    func order() {
        var machine = TypingMachine(interval: .zero)
        let (reports, outcome, _) = run(&machine, .type([[Self.a], [Self.b]]), at: .zero)
        let up = KeyStroke.release
        #expect(reports == [up, Self.a.report, up, Self.b.report, up, up])
        #expect(Self.b.report == [0x02, 0, 0x05, 0, 0, 0, 0, 0])
        #expect(outcome == .typed)
        #expect(machine.isIdle)
    }

    @Test("Reports keep their distance, and a timer that fires early changes nothing")
    func pace() {
        var machine = TypingMachine(interval: .milliseconds(4))
        #expect(machine.handle(.type([[Self.a]]), at: at(0)) == [Self.release])
        #expect(machine.handle(.written, at: at(1)) == [.wakeAt(at(5))])
        #expect(machine.handle(.timer, at: at(3)) == [.wakeAt(at(5))])
        #expect(machine.handle(.timer, at: at(5)) == [.write(Self.a.report)])
    }

    @Test("A computer that fetches nothing gets no key, and the text may be offered again")
    func asleep() {
        var machine = TypingMachine(interval: .zero)
        #expect(machine.handle(.type([[Self.a]]), at: at(0)) == [Self.release])
        // The kernel takes one report; the first key doesn't fit any more.
        #expect(machine.handle(.written, at: at(0)) == [.write(Self.a.report)])
        #expect(machine.handle(.blocked, at: at(0)) == [.awaitWritable, .wakeAt(at(500))])
        #expect(machine.handle(.timer, at: at(500)) == [.finished(.notTaken)])
        #expect(machine.isIdle)
    }

    @Test("A report that waits goes out as soon as it is fetched")
    func slow() {
        var machine = TypingMachine(interval: .zero)
        _ = machine.handle(.type([[Self.a]]), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.blocked, at: at(0))
        #expect(machine.handle(.writable, at: at(100)) == [.wakeAt(nil), .write(Self.a.report)])
    }

    @Test("What stops in the middle says how much may have arrived")
    func broken() {
        for (event, why) in [
            (TypingMachine.Event.lost("unplugged"), "unplugged"), (.timer, "the computer takes no more keys"),
            (.lights(Self.capsOn), "Caps Lock was switched on meanwhile"),
        ] {
            var machine = TypingMachine(interval: .zero)
            _ = machine.handle(.type([[Self.a], [Self.b]]), at: at(0))
            _ = machine.handle(.written, at: at(0))
            _ = machine.handle(.written, at: at(0))
            _ = machine.handle(.blocked, at: at(0))
            let actions = machine.handle(event, at: at(500))
            #expect(actions.last == .finished(.broken(typed: 1, of: 2, why: why)))
            #expect(machine.isIdle)
        }
    }

    @Test("Caps Lock is switched off for the text and on again after it")
    func capsLock() {
        var machine = TypingMachine(interval: .zero)
        _ = machine.handle(.lights(Self.capsOn), at: at(0))
        let tap = [KeyStroke.capsLock.report, KeyStroke.release, KeyStroke.release]
        let before = run(&machine, .type([[Self.a]]), at: at(0))
        #expect(before.reports == [KeyStroke.release] + tap)
        #expect(before.wake == at(500))
        let text = run(&machine, .lights(0), at: at(5))
        #expect(text.reports == [Self.a.report, KeyStroke.release, KeyStroke.release] + tap)
        #expect(text.outcome == .typed)
    }

    @Test("The light that comes back after the text does no harm")
    func capsLockRestored() {
        var machine = TypingMachine(interval: .milliseconds(1))
        _ = machine.handle(.lights(Self.capsOn), at: at(0))
        var now: Int64 = 0
        var outcome: TypingMachine.Outcome?
        var queue = machine.handle(.type([[Self.a]]), at: at(0))[...]
        while let action = queue.popFirst() {
            switch action {
            case .write(KeyStroke.capsLock.report):
                queue += machine.handle(.written, at: at(now))
                queue += machine.handle(.lights(machine.isCapsLockOn ? 0 : Self.capsOn), at: at(now))
            case .write: queue += machine.handle(.written, at: at(now))
            case .wakeAt(let instant?):
                now = max(now, instant.nanoseconds / 1_000_000)
                queue += machine.handle(.timer, at: instant)
            case .finished(let end): outcome = end
            case .wakeAt(nil), .awaitWritable: break
            }
        }
        #expect(outcome == .typed)
        #expect(machine.isCapsLockOn)
    }

    @Test("A Caps Lock that doesn't go off, or goes on before the first key, ends it with nothing typed")
    func capsLockStays() {
        var machine = TypingMachine(interval: .zero)
        _ = machine.handle(.lights(Self.capsOn), at: at(0))
        _ = run(&machine, .type([[Self.a]]), at: at(0))
        #expect(machine.handle(.timer, at: at(500)) == [.finished(.capsLockStays)])

        machine = TypingMachine(interval: .milliseconds(4))
        _ = machine.handle(.type([[Self.a]]), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.lights(Self.capsOn), at: at(1)) == [.wakeAt(nil), .finished(.capsLockStays)])
    }

    @Test(
        "In any order of events no key goes down on another, and a text ends at most once",
        arguments: 0..<50 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = TypingMachine(interval: .milliseconds(4))
        var now: Int64 = 0
        var isDown = false
        var underWay = 0
        var pending: [UInt8]?
        for _ in 0..<400 {
            now += Int64.random(in: 0...300, using: &random)
            let event: TypingMachine.Event =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: .type([[Self.a], [Self.b, Self.a], [Self.b]])
                case 1, 2: .written
                case 3: .blocked
                case 4: .writable
                case 5, 6: .timer
                default: Bool.random(using: &random) ? .lights(UInt8.random(in: 0...3, using: &random)) : .lost("gone")
                }
            // The shell answers each report with one of the two, and only then.
            if pending != nil, event != .written, event != .blocked { continue }
            if pending == nil, event == .written || event == .blocked { continue }
            if case .type = event, machine.isIdle {
                underWay += 1
                // The shell releases all keys before it types again.
                isDown = false
            }
            if event == .written, let report = pending {
                let presses = report != KeyStroke.release
                #expect(!(presses && isDown))
                isDown = presses
            }
            pending = nil
            for action in machine.handle(event, at: at(now)) {
                if case .write(let report) = action { pending = report }
                if case .finished(let outcome) = action {
                    underWay -= 1
                    if outcome == .typed { #expect(!isDown) }
                }
            }
            #expect(underWay == (machine.isIdle ? 0 : 1))
        }
    }
}
