import Delivery
import Testing
import Vocabulary

@Suite("Retry machine")
struct RetryMachineTests {
    private func machine(jitter: Double = 0, maxAttempts: Int? = nil) -> RetryMachine {
        let policy = RetryMachine.Policy(
            initial: .milliseconds(100), maximum: .seconds(1), jitter: jitter, maxAttempts: maxAttempts)
        return RetryMachine(policy: policy, seed: 1)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test("Waits double from the initial one up to the maximum")
    func waitsDouble() {
        var machine = machine()
        var now = at(0)
        #expect(machine.handle(.begin, at: now) == [.attempt(number: 1)])
        for (number, wait) in [100, 200, 400, 800, 1000, 1000].enumerated() {
            let due = now.advanced(by: .milliseconds(wait))
            #expect(machine.handle(.failed, at: now) == [.wakeAt(due)])
            now = due
            #expect(machine.handle(.timer, at: now) == [.attempt(number: number + 2)])
        }
    }

    @Test("After a thousand failures the wait is still the maximum")
    func noOverflow() {
        var machine = machine()
        var now = at(0)
        _ = machine.handle(.begin, at: now)
        for _ in 0..<1000 {
            guard case .wakeAt(let due?) = machine.handle(.failed, at: now).first else { return #expect(Bool(false)) }
            #expect(now.duration(to: due) <= .seconds(1))
            now = due
            _ = machine.handle(.timer, at: now)
        }
    }

    @Test("Jitter stays within its share and differs by seed")
    func jitter() {
        let policy = RetryMachine.Policy(initial: .milliseconds(100), maximum: .seconds(1), jitter: 0.2)
        var waits: Set<Duration> = []
        for seed in 0..<100 {
            var machine = RetryMachine(policy: policy, seed: UInt64(seed))
            _ = machine.handle(.begin, at: .zero)
            guard case .wakeAt(let due?) = machine.handle(.failed, at: .zero).first else { continue }
            let wait = Instant.zero.duration(to: due)
            #expect(wait >= .milliseconds(80) && wait <= .milliseconds(120))
            waits.insert(wait)
        }
        #expect(waits.count > 90)
    }

    @Test("A timer that fires early only asks to be set again")
    func earlyTimer() {
        var machine = machine()
        _ = machine.handle(.begin, at: at(0))
        _ = machine.handle(.failed, at: at(0))
        #expect(machine.handle(.timer, at: at(99)) == [.wakeAt(at(100))])
        #expect(machine.handle(.timer, at: at(100)) == [.attempt(number: 2)])
    }

    @Test("Changed conditions bring the next attempt at once, with fresh back-off")
    func conditionsChanged() {
        var machine = machine()
        _ = machine.handle(.begin, at: at(0))
        for time in [0, 100, 300, 700] {
            _ = machine.handle(.failed, at: at(Int64(time)))
            _ = machine.handle(.timer, at: at(Int64(time) + 2000))
        }
        _ = machine.handle(.failed, at: at(3000))
        #expect(machine.handle(.conditionsChanged, at: at(3001)) == [.wakeAt(nil), .attempt(number: 1)])
        #expect(machine.handle(.failed, at: at(3002)) == [.wakeAt(at(3102))])
    }

    @Test("It gives up after the last attempt allowed")
    func exhausted() {
        var machine = machine(maxAttempts: 2)
        _ = machine.handle(.begin, at: at(0))
        _ = machine.handle(.failed, at: at(0))
        _ = machine.handle(.timer, at: at(100))
        #expect(machine.handle(.failed, at: at(100)) == [.exhausted(attempts: 2)])
        #expect(machine.phase == .idle)
    }

    @Test(
        "Events that don't fit the phase are ignored",
        arguments: [RetryMachine.Event.succeeded, .failed, .timer, .conditionsChanged, .abandon])
    func ignored(event: RetryMachine.Event) {
        var machine = machine()
        #expect(machine.handle(event, at: at(0)).isEmpty)
        #expect(machine.phase == .idle)
    }

    @Test("Abandoned while waiting, it needs no timer and does nothing")
    func abandoned() {
        var machine = machine()
        _ = machine.handle(.begin, at: at(0))
        _ = machine.handle(.failed, at: at(0))
        #expect(machine.handle(.abandon, at: at(1)) == [.wakeAt(nil)])
        #expect(machine.handle(.timer, at: at(500)).isEmpty)
    }
}
