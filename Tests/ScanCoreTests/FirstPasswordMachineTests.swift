import Settings
import Testing
import Vocabulary

@testable import ScanCore

@Suite("The first password by button and code")
struct FirstPasswordMachineTests {
    typealias Machine = FirstPasswordMachine

    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private let mine = FirstPasswordMachineTests.code(1)
    private let theirs = FirstPasswordMachineTests.code(2)
    private var machine = Machine()

    /// Made once: the search asks for them millions of times.
    private static let codes: [FirstPasswordCode] = (0...100).map { number in
        let digits = String(number, radix: 16)
        return FirstPasswordCode(digits: String(repeating: "0", count: 32 - digits.count) + digits)!
    }

    static func code(_ number: Int) -> FirstPasswordCode { codes[number] }

    private func at(_ seconds: Double) -> Instant { Self.start.advanced(by: .milliseconds(Int64(seconds * 1000))) }

    @discardableResult
    private mutating func send(_ event: Machine.Event, _ seconds: Double) -> [Machine.Action] {
        machine.handle(event, at: at(seconds))
    }

    /// A frame that was exposed at that moment and is told at once.
    @discardableResult
    private mutating func see(_ codes: FirstPasswordCode..., others: Bool = false, at seconds: Double) -> [Machine
        .Action]
    {
        machine.handle(.read(codes, others: others, exposedAt: at(seconds)), at: at(seconds))
    }

    /// As far as the second press.
    private mutating func untilRead() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 10)
        send(.tick, 15)
        send(.released, 16)
        see(mine, at: 17)
    }

    // MARK: As it is meant

    @Test("Held, shown, pressed again: that browser may, once; each stage has its own signal")
    mutating func way() {
        #expect(send(.asked(mine, replacing: nil), 0) == [.told(.asked), .wakeAt(at(60))])
        #expect(send(.pressed, 10) == [.look(true), .wakeAt(at(15))])
        #expect(send(.tick, 15) == [.cue(.showCode), .told(.held), .wakeAt(at(60))])
        #expect(send(.released, 16) == [])
        #expect(see(mine, at: 17) == [.cue(.pressAgain), .told(.read), .look(false), .wakeAt(at(47))])
        #expect(machine.stage(of: mine) == .read(until: at(47)))
        #expect(send(.pressed, 20) == [.edgeIsTaken, .cue(.passwordOpen), .told(.opened), .wakeAt(at(320))])
        #expect(send(.released, 20.2) == [.edgeIsTaken], "the press that it belongs to was no trigger either")
        #expect(machine.stage(of: mine) == .open(until: at(320)))
        #expect(send(.used(mine), 60) == [.told(.ended(.used)), .wakeAt(nil)])
        #expect(machine.stage(of: mine) == .over(.used))
    }

    @Test("A phone that is shown while the button is still held counts from the fifth second on")
    mutating func stillHeld() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 10)
        #expect(see(mine, at: 15.1).contains(.told(.read)))
        #expect(send(.released, 18) == [], "this press was the trigger's, so its release is")
        #expect(send(.pressed, 19).contains(.told(.opened)))
    }

    @Test("While nobody asks, the button is the trigger's alone, however long it is held")
    mutating func nobodyAsks() {
        for (event, seconds) in [(Machine.Event.pressed, 0.0), (.tick, 5), (.released, 9), (.pressed, 10), (.tick, 20)]
        {
            #expect(send(event, seconds) == [])
        }
        #expect(see(mine, at: 21) == [])
        #expect(send(.released, 22) == [])
    }

    @Test("A browser that asks again has its new code only, and the button has to be held again")
    mutating func again() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 1)
        #expect(send(.asked(theirs, replacing: mine), 3).contains(.told(.asked)))
        #expect(machine.stage(of: mine) == .over(.replaced))
        send(.tick, 9)
        #expect(see(theirs, at: 10) == [])
        #expect(machine.stage(of: theirs) == .waiting(until: at(63)))
    }

    // MARK: Attacks (docs/threat-model.md)

    @Test("Two that ask at once void both, in every stage, even when the password could be set already")
    mutating func twoAsk() {
        let stages: [(Double, Machine.Event)] = [
            (10, .pressed), (15, .tick), (16, .released), (17, .read([mine], others: false, exposedAt: at(17))),
            (20, .pressed),
        ]
        for count in 0...stages.count {
            machine = Machine()
            send(.asked(mine, replacing: nil), 0)
            for (seconds, event) in stages.prefix(count) { send(event, seconds) }
            #expect(send(.asked(theirs, replacing: nil), 21).contains(.told(.ended(.twoAsked))))
            #expect(machine.stage(of: mine) == .over(.twoAsked) && machine.stage(of: theirs) == .over(.twoAsked))
            #expect(send(.pressed, 22) == [] || count == stages.count)
        }
    }

    @Test("A stranger can't pass for the same browser without its code")
    mutating func foreignReplacement() {
        send(.asked(mine, replacing: nil), 0)
        send(.asked(theirs, replacing: Self.code(3)), 1)
        #expect(machine.stage(of: mine) == .over(.twoAsked))
        #expect(machine.stage(of: theirs) == .over(.twoAsked))
    }

    @Test(
        "A code that nobody asked for here (another phone, a poster, yesterday's) voids the asking")
    mutating func otherCode() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 1)
        send(.tick, 6)
        #expect(see(mine, theirs, at: 7).contains(.told(.ended(.otherCode))))
        untilEnd(.otherCode)
    }

    @Test("It does so between reading and the second press, too")
    mutating func otherCodeLater() {
        untilRead()
        #expect(see(theirs, at: 18) == [.cue(.refused), .told(.ended(.otherCode)), .wakeAt(nil)])
        untilEnd(.otherCode)
    }

    private mutating func untilEnd(_ end: Machine.End) {
        #expect(machine.stage(of: mine) == .over(end))
        send(.pressed, 30)
        #expect(machine.stage(of: mine) == .over(end))
    }

    @Test(
        "A picture on a monitor is in view while the button is held, so the hold doesn't count"
    )
    mutating func monitor() {
        send(.asked(theirs, replacing: nil), 0)
        send(.pressed, 10)
        see(theirs, at: 12)
        #expect(send(.tick, 15) == [.cue(.refused), .told(.heldInVain), .look(false), .wakeAt(at(60))])
        #expect(see(theirs, at: 16) == [])
        send(.pressed, 17)
        #expect(machine.stage(of: theirs) == .waiting(until: at(60)))
    }

    @Test("A worker who holds the trigger and scans meanwhile opens nothing")
    mutating func worker() {
        send(.asked(theirs, replacing: nil), 0)
        send(.pressed, 10)
        see(others: true, at: 11)
        #expect(send(.tick, 15).contains(.told(.heldInVain)))
        send(.released, 16)
        send(.pressed, 17)
        #expect(see(theirs, at: 18) == [])
    }

    @Test("A frame from before the fifth second that is told later takes the hold back")
    mutating func lateFrame() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 10)
        send(.tick, 15)
        #expect(
            machine.handle(.read([mine], others: false, exposedAt: at(14.9)), at: at(15.1)).contains(.told(.heldInVain))
        )
        #expect(see(mine, at: 16) == [])
    }

    @Test("A frame from before the press says nothing")
    mutating func earlierFrame() {
        send(.asked(mine, replacing: nil), 0)
        send(.pressed, 10)
        send(.read([], others: true, exposedAt: at(9.9)), 10.1)
        #expect(send(.tick, 15).contains(.told(.held)))
    }

    @Test("Without the second press nothing opens, and it has its time")
    mutating func noSecondPress() {
        untilRead()
        #expect(send(.tick, 47) == [.cue(.refused), .told(.ended(.expired)), .wakeAt(nil)])
        #expect(send(.pressed, 48) == [])
        #expect(machine.stage(of: mine) == .over(.expired))
    }

    @Test("A press that was before the code was read isn't the second one, whenever it is told")
    mutating func earlyPress() {
        untilRead()
        #expect(machine.handle(.pressed, at: at(16.9)) == [.edgeIsTaken])
        #expect(machine.stage(of: mine) == .read(until: at(47)))
    }

    @Test("A press from before the asking is no hold")
    mutating func heldBefore() {
        send(.pressed, 0)
        send(.asked(mine, replacing: nil), 1)
        send(.tick, 10)
        #expect(see(mine, at: 11) == [])
        // And an edge that comes late, either.
        #expect(machine.handle(.pressed, at: at(0.5)) == [])
        #expect(send(.tick, 20) == [])
    }

    @Test("An old code is worth nothing: after a minute, after its use, and when somebody asks with it once more")
    mutating func replay() {
        send(.asked(mine, replacing: nil), 0)
        #expect(send(.tick, 60) == [.told(.ended(.expired)), .wakeAt(nil)])
        #expect(send(.asked(mine, replacing: nil), 61) == [])
        #expect(machine.stage(of: mine) == .over(.expired))
        machine = Machine()
        untilRead()
        send(.pressed, 20)
        send(.used(mine), 21)
        #expect(send(.used(mine), 22) == [])
        #expect(machine.stage(of: mine) == .over(.used))
    }

    @Test("The plug is pulled: after a start nobody has asked, and a button that is held down opens nothing")
    mutating func plug() {
        untilRead()
        machine = Machine()
        #expect(machine.stage(of: mine) == .over(.unknown))
        #expect(send(.pressed, 20) == [])
        #expect(send(.used(mine), 21) == [])
        #expect(see(mine, at: 22) == [])
    }

    @Test("Settings that bar it void what is under way, and nobody can ask then")
    mutating func barred() {
        untilRead()
        #expect(send(.barred(true), 18).contains(.told(.ended(.barred))))
        #expect(send(.pressed, 19) == [])
        #expect(send(.asked(theirs, replacing: nil), 20) == [])
        #expect(machine.stage(of: theirs) == .over(.barred))
        send(.barred(false), 21)
        #expect(send(.asked(Self.code(3), replacing: nil), 22).contains(.told(.asked)))
    }

    @Test("What is remembered of codes that are over is bounded")
    mutating func bounded() {
        for number in 1...100 {
            send(.asked(Self.code(number), replacing: number == 1 ? nil : Self.code(number - 1)), Double(number) / 10)
        }
        #expect(machine.stage(of: Self.code(99)) == .over(.replaced))
        #expect(machine.stage(of: Self.code(80)) == .over(.unknown))
    }

    // MARK: Every course of events

    /// What happens, as a judge notes it who knows the rule and not the machine.
    private struct Judge {
        var asks: [(code: FirstPasswordCode, at: Instant)] = []
        var presses: [Instant] = []
        var releases: [Instant] = []
        var sights: [(codes: [FirstPasswordCode], others: Bool, at: Instant)] = []
        var bars: [Instant] = []

        /// Whether `code` may open by a press at `end`.
        func allows(_ code: FirstPasswordCode, at end: Instant) -> Bool {
            guard let ask = asks.last, ask.code == code, bars.allSatisfy({ $0 < ask.at }) else { return false }
            // Nobody else asked while this one was asking.
            return presses.contains { press in
                let held = press.advanced(by: .seconds(5))
                guard press >= ask.at, !releases.contains(where: { $0 >= press && $0 < held }) else { return false }
                guard !presses.contains(where: { $0 > press && $0 < held }) else { return false }
                guard !sights.contains(where: { $0.at >= press && $0.at < held }) else { return false }
                return sights.contains { sight in
                    sight.codes == [code] && sight.at >= held && sight.at < ask.at.advanced(by: .seconds(60))
                        && end > sight.at && end <= sight.at.advanced(by: .seconds(30))
                        && !sights.contains { $0.at >= held && $0.at < end && $0.codes.contains { $0 != code } }
                        // A press before it was read begins another hold.
                        && !presses.contains { $0 >= held && $0 < sight.at }
                }
            }
        }
    }

    private enum Move: CaseIterable {
        case askA, askB, press, release, seeA, seeB, seeOther, bar, waitABit, waitTheHold, waitLong
    }

    @Test("In every course of six events, what opens is what the rule allows")
    func everyCourse() {
        var opened = 0
        var courses = 0
        func walk(_ machine: Machine, _ judge: Judge, _ now: Instant, _ depth: Int) {
            courses += 1
            guard depth > 0 else { return }
            for move in Move.allCases {
                var machine = machine
                var judge = judge
                // Nothing happens at the very same instant.
                var now = now.advanced(by: .milliseconds(100))
                let event: Machine.Event
                switch move {
                case .askA, .askB:
                    let code = Self.code(move == .askA ? 1 : 2)
                    // The judge's "asked" is only what began: two at once end both, and a code is asked for once.
                    event = .asked(code, replacing: nil)
                    let isFirst = !judge.asks.contains { $0.code == code } && judge.bars.isEmpty
                    let isAlone: Bool =
                        if let other = judge.asks.last, case .over = machine.stage(of: other.code) { true } else {
                            judge.asks.isEmpty
                        }
                    judge.asks.append((isFirst && isAlone ? code : Self.code(99), now))
                case .press:
                    event = .pressed
                    judge.presses.append(now)
                case .release:
                    event = .released
                    judge.releases.append(now)
                case .seeA, .seeB, .seeOther:
                    let codes = move == .seeOther ? [] : [Self.code(move == .seeA ? 1 : 2)]
                    event = .read(codes, others: move == .seeOther, exposedAt: now)
                    judge.sights.append((codes, move == .seeOther, now))
                case .bar:
                    event = .barred(true)
                    judge.bars.append(now)
                case .waitABit, .waitTheHold, .waitLong:
                    event = .tick
                    now = now.advanced(by: .seconds(move == .waitABit ? 2 : move == .waitTheHold ? 5 : 31))
                }
                let wasOpen = isOpen(machine)
                let actions = machine.handle(event, at: now)
                if actions.contains(.told(.opened)) {
                    opened += 1
                    demand(move == .press)
                    demand(!wasOpen)
                    let code = Self.code(1)
                    let which = if case .open = machine.stage(of: code) { code } else { Self.code(2) }
                    demand(judge.allows(which, at: now))
                }
                // Nobody else is ever open beside it.
                if isOpen(machine) { demand(machine.stage(of: Self.code(1)) != machine.stage(of: Self.code(2))) }
                walk(machine, judge, now, depth - 1)
            }
        }
        walk(Machine(), Judge(), Self.start, 6)
        // The ways that the rule has in so few events, and their like: the search isn't about nothing.
        #expect(opened > 0 && courses > 1_000_000)
    }

    private func isOpen(_ machine: Machine) -> Bool {
        for number in 1...2 { if case .open = machine.stage(of: Self.code(number)) { return true } }
        return false
    }
}
