import ScanCore
import Settings
import Testing
import Vocabulary

@Suite("Host answers")
struct HostAnswerMachineTests {
    private typealias Action = HostAnswerMachine.Action

    private func machine(
        expectsAnswer: Bool = true, relayOnAccept: Bool = false, timeout: Duration = .seconds(2)
    ) -> HostAnswerMachine {
        var settings = HostSettings()
        settings.expectsAnswer = expectsAnswer
        settings.relayOnAccept = relayOnAccept
        settings.timeout = timeout
        return HostAnswerMachine(settings: settings)
    }

    private func at(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    private func accept(_ scan: String = "a", relay: RelayWish = .asConfigured) -> HostAnswerMachine.Event {
        .answer(scan: scan, isAccepted: true, relay: relay, by: "mqtt")
    }

    private func refuse(_ scan: String = "a", by output: String = "mqtt") -> HostAnswerMachine.Event {
        .answer(scan: scan, isAccepted: false, reason: "sold out", by: output)
    }

    @Test("An answer in time counts, and the timer isn't needed any more")
    func inTime() {
        var machine = machine()
        #expect(machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1)) == [.wakeAt(at(2000))])
        #expect(machine.waiting == 1)
        #expect(
            machine.handle(accept(), at: at(2000)) == [
                .accepted(scan: "a", by: "mqtt", relay: nil, isLate: false), .reply(.counted(relay: nil)), .wakeAt(nil),
            ])
        #expect(machine.waiting == 0)
        #expect(machine.handle(.tick, at: at(2000)) == [])
    }

    @Test("A refusal carries the host's reason")
    func refusal() {
        var machine = machine()
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(
            machine.handle(refuse(), at: at(5)) == [
                .refused(scan: "a", reason: "sold out", by: "mqtt", isLate: false), .reply(.counted(relay: nil)),
                .wakeAt(nil),
            ])
    }

    @Test("Once a host has objected, the allow-list doesn't answer for the scans that may be meant")
    func objection() {
        for (scans, answered) in [(Set(["a"]), ["b"]), (nil, []), (["c"], ["a", "b"])] as [(Set<String>?, [String])] {
            var machine = machine(relayOnAccept: true)
            for scan in ["a", "b"] {
                _ = machine.handle(.scan(id: scan, acceptedAt: at(0), isAllowed: true), at: at(1))
            }
            #expect(machine.handle(.objection(scans: scans), at: at(800)) == [])
            let actions = machine.handle(.tick, at: at(2000))
            #expect(actions.compactMap { if case .accepted(let scan, _, _, _) = $0 { scan } else { nil } } == answered)
            #expect(actions.count { if case .unanswered = $0 { true } else { false } } == 2 - answered.count)
        }
        // It may still think better of it.
        var machine = machine()
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0), isAllowed: true), at: at(1))
        _ = machine.handle(.objection(scans: ["a"]), at: at(800))
        #expect(
            machine.handle(accept(), at: at(900)).first == .accepted(scan: "a", by: "mqtt", relay: nil, isLate: false))
    }

    @Test(
        "The relay moves as the answer wishes, or as configured",
        arguments: [
            (RelayWish.asConfigured, false, HostAnswerMachine.Pulse?.none), (.asConfigured, true, .configured),
            (.pulse(nil), false, .configured), (.pulse(.seconds(3)), false, .lasting(.seconds(3))), (.none, true, nil),
        ])
    func relay(wish: RelayWish, relayOnAccept: Bool, pulse: HostAnswerMachine.Pulse?) {
        var machine = machine(expectsAnswer: false, relayOnAccept: relayOnAccept)
        #expect(machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1)) == [])
        #expect(
            machine.handle(accept(relay: wish), at: at(9)) == [
                .accepted(scan: "a", by: "mqtt", relay: pulse, isLate: false), .reply(.counted(relay: pulse)),
            ])
    }

    @Test("No answer in time is reported once; the answer that comes later is recorded and never moves the relay")
    func late() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(machine.handle(.tick, at: at(1999)) == [.wakeAt(at(2000))])
        #expect(machine.handle(.tick, at: at(2000)) == [.unanswered(scan: "a"), .wakeAt(nil)])
        #expect(machine.handle(.tick, at: at(2001)) == [])
        #expect(
            machine.handle(accept(relay: .pulse(.seconds(1))), at: at(2002)) == [
                .accepted(scan: "a", by: "mqtt", relay: nil, isLate: true),
                .reply(.late(after: .milliseconds(2002), timeout: .seconds(2))),
            ])
    }

    @Test("An answer that overtakes a late timer is still late")
    func lateTimer() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(
            machine.handle(accept(), at: at(2001)) == [
                .unanswered(scan: "a"), .accepted(scan: "a", by: "mqtt", relay: nil, isLate: true),
                .reply(.late(after: .milliseconds(2001), timeout: .seconds(2))), .wakeAt(nil),
            ])
    }

    @Test("Where nobody waits, a late answer moves no relay either")
    func lateUnexpected() {
        var machine = machine(expectsAnswer: false, relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(machine.handle(.tick, at: at(5000)) == [])
        #expect(
            machine.handle(accept(), at: at(5001)) == [
                .accepted(scan: "a", by: "mqtt", relay: nil, isLate: true),
                .reply(.late(after: .milliseconds(5001), timeout: .seconds(2))),
            ])
    }

    @Test("The first verdict counts: one that contradicts it is reported, one that agrees is not")
    func contradiction() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        _ = machine.handle(refuse(), at: at(2))
        #expect(
            machine.handle(accept(relay: .pulse(nil)), at: at(3)) == [
                .contradicted(scan: "a", isAccepted: true, by: "mqtt", first: "mqtt"),
                .reply(.contradicts(first: "mqtt")),
            ])
        #expect(machine.handle(refuse(by: "webhook"), at: at(4)) == [.reply(.repeated)])
        #expect(machine.handle(.tick, at: at(9000)) == [])
    }

    @Test("The allow-list answers when no host does, at the time-out and not before")
    func allowList() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0), isAllowed: true), at: at(1))
        _ = machine.handle(.scan(id: "b", acceptedAt: at(0), isAllowed: false), at: at(1))
        #expect(
            machine.handle(.tick, at: at(2000)) == [
                .accepted(scan: "a", by: "allowList", relay: .configured, isLate: false), .unanswered(scan: "b"),
                .wakeAt(nil),
            ])
        #expect(
            machine.handle(refuse(), at: at(2500)) == [
                .contradicted(scan: "a", isAccepted: false, by: "mqtt", first: "allowList"),
                .reply(.contradicts(first: "allowList")),
            ])
    }

    @Test("A host's refusal in time goes before the allow-list")
    func refusedThoughAllowed() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0), isAllowed: true), at: at(1))
        _ = machine.handle(refuse(), at: at(1500))
        #expect(machine.handle(.tick, at: at(2000)) == [])
    }

    @Test("A machine that slept through the time-out opens no door when it wakes up")
    func suspended() {
        var machine = machine(relayOnAccept: true)
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0), isAllowed: true), at: at(1))
        #expect(
            machine.handle(.tick, at: at(60_000)) == [
                .accepted(scan: "a", by: "allowList", relay: nil, isLate: true), .wakeAt(nil),
            ])
    }

    @Test("The timer follows the oldest scan that waits; the open ones are those that an answer is in time for")
    func oldest() {
        var machine = machine()
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(machine.handle(.scan(id: "b", acceptedAt: at(10)), at: at(11)) == [])
        #expect(machine.open(at: at(12)) == ["a", "b"])
        _ = machine.handle(accept("b"), at: at(20))
        #expect(machine.open(at: at(2000)) == ["a"])
        #expect(machine.open(at: at(2001)) == [])
        #expect(machine.handle(.tick, at: at(2000)) == [.unanswered(scan: "a"), .wakeAt(nil)])
    }

    @Test("Answers to scans that aren't known are reported")
    func unknown() {
        var machine = machine()
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        #expect(machine.handle(accept("x"), at: at(2)) == [.unknown(scan: "x", by: "mqtt"), .reply(.unknown)])
    }

    @Test("Beyond the limit the oldest is dropped, unanswered even if it is on the allow-list")
    func limit() {
        var machine = machine()
        for number in 0..<HostAnswerMachine.scanLimit {
            _ = machine.handle(.scan(id: "\(number)", acceptedAt: at(number), isAllowed: true), at: at(number))
        }
        let actions = machine.handle(.scan(id: "new", acceptedAt: at(300)), at: at(300))
        #expect(actions == [.unanswered(scan: "0"), .wakeAt(at(2001))])
        #expect(machine.waiting == HostAnswerMachine.scanLimit)
        #expect(machine.handle(accept("0"), at: at(301)) == [.unknown(scan: "0", by: "mqtt"), .reply(.unknown)])
    }

    @Test("A scan keeps the time-out that it began with")
    func changedSettings() {
        var machine = machine()
        _ = machine.handle(.scan(id: "a", acceptedAt: at(0)), at: at(1))
        machine.settings.timeout = .milliseconds(100)
        #expect(machine.handle(.scan(id: "b", acceptedAt: at(10)), at: at(11)) == [.wakeAt(at(110))])
        #expect(machine.handle(.tick, at: at(110)) == [.unanswered(scan: "b"), .wakeAt(at(2000))])
    }

    @Test("Whatever comes in whatever order: one verdict a scan at most, and no relay after the time-out")
    func random() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var machine = machine(
                expectsAnswer: Bool.random(using: &random), relayOnAccept: Bool.random(using: &random))
            var accepted: [String: Instant] = [:]
            var verdicts: Set<String> = []
            var now = 0
            for step in 0..<200 {
                now += Int.random(in: 0...600, using: &random)
                let event: HostAnswerMachine.Event
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    accepted["\(step)"] = at(now)
                    event = .scan(id: "\(step)", acceptedAt: at(now), isAllowed: Bool.random(using: &random))
                case 1: event = .tick
                default:
                    event = .answer(
                        scan: accepted.keys.randomElement() ?? "none", isAccepted: Bool.random(using: &random),
                        relay: .pulse(nil), by: "host")
                }
                for action in machine.handle(event, at: at(now)) {
                    switch action {
                    case .accepted(let scan, _, let relay, _):
                        #expect(verdicts.insert(scan).inserted)
                        guard relay != nil, let start = accepted[scan] else { continue }
                        #expect(start.duration(to: at(now)) <= .seconds(2) + HostAnswerMachine.timerTolerance)
                    case .refused(let scan, _, _, _): #expect(verdicts.insert(scan).inserted)
                    default: break
                    }
                }
            }
        }
    }
}
