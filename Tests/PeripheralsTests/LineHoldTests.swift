import Peripherals
import Testing
import Vocabulary

@Suite struct LineHoldTests {
    static func after(_ duration: Duration) -> Instant { Instant.zero.advanced(by: duration) }

    @Test func aLineThatOpensIsHeldWithoutAWord() {
        var hold = LineHold()
        #expect(hold.handle(.start, at: .zero) == [.open])
        #expect(hold.handle(.opened, at: .zero) == [])
        #expect(hold.isHeld)
        #expect(hold.problem == nil)
    }

    @Test func aLineThatCannotBeHadIsReportedOnceAndTriedAgainEverLessOften() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        #expect(hold.handle(.failed("taken"), at: .zero) == [.lost("taken")])
        var now = Instant.zero
        var waits: [Duration] = []
        for _ in 0..<9 {
            let next = hold.wakeAt ?? now
            waits.append(now.duration(to: next))
            now = next
            #expect(hold.handle(.tick, at: now) == [.open])
            #expect(hold.handle(.failed("taken"), at: now) == [])
        }
        #expect(waits.map(\.milliseconds) == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
    }

    @Test func aNewReasonIsReported() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        _ = hold.handle(.failed("taken"), at: .zero)
        let now = Self.after(.milliseconds(500))
        _ = hold.handle(.tick, at: now)
        #expect(hold.handle(.failed("no such chip"), at: now) == [.lost("no such chip")])
        #expect(hold.problem == "no such chip")
    }

    @Test func recoveryIsReportedAfterALossOnly() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        _ = hold.handle(.failed("taken"), at: .zero)
        let now = Self.after(.milliseconds(500))
        _ = hold.handle(.tick, at: now)
        #expect(hold.handle(.opened, at: now) == [.recovered])
    }

    @Test func aLineThatFailsInUseIsDroppedAndReopened() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        _ = hold.handle(.opened, at: .zero)
        #expect(hold.handle(.failed("gone"), at: Self.after(.seconds(1))) == [.discard, .lost("gone")])
        #expect(hold.wakeAt == Self.after(.milliseconds(1500)))
    }

    @Test func aLineThatFailsAtEachUseIsNotHammered() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        var now = Instant.zero
        for _ in 0..<3 {
            _ = hold.handle(.opened, at: now)
            _ = hold.handle(.failed("gone"), at: now)
            now = hold.wakeAt ?? now
            _ = hold.handle(.tick, at: now)
        }
        #expect(now == Self.after(.milliseconds(500 + 1000 + 2000)))
    }

    @Test func aLineHeldForAWhileRestartsItsBackOff() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        _ = hold.handle(.failed("taken"), at: .zero)
        var now = Self.after(.milliseconds(500))
        _ = hold.handle(.tick, at: now)
        _ = hold.handle(.opened, at: now)
        now = now.advanced(by: .seconds(10))
        _ = hold.handle(.failed("gone"), at: now)
        #expect(hold.wakeAt == now.advanced(by: .milliseconds(500)))
    }

    @Test func aHeldLineIsLookedAtNowAndThen() {
        var hold = LineHold()
        _ = hold.handle(.start, at: .zero)
        _ = hold.handle(.opened, at: .zero)
        #expect(hold.handle(.tick, at: Self.after(.milliseconds(4999))) == [])
        #expect(hold.handle(.tick, at: Self.after(.seconds(5))) == [.check])
        #expect(hold.wakeAt == Self.after(.seconds(10)))
    }

    @Test func stoppingGivesAHeldLineBackAndEndsTheTrying() {
        var held = LineHold()
        _ = held.handle(.start, at: .zero)
        _ = held.handle(.opened, at: .zero)
        #expect(held.handle(.stop, at: .zero) == [.giveBack])
        #expect(held.wakeAt == nil)
        var waiting = LineHold()
        _ = waiting.handle(.start, at: .zero)
        _ = waiting.handle(.failed("taken"), at: .zero)
        #expect(waiting.handle(.stop, at: .zero) == [])
        #expect(waiting.handle(.tick, at: Self.after(.seconds(100))) == [])
    }
}
