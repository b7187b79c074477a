import Linux
import Testing

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct PeripheralClockTests {
    @Test func anEdgeIsConvertedToTheClockThatCountsSuspension() {
        let clock = ManualClock()
        let edge = clock.monotonicNanoseconds - 1_000_000
        #expect(clock.instant(ofMonotonic: edge) == clock.now.advanced(by: .milliseconds(-1)))
    }

    @Test func anEdgeIsNeverInTheFuture() {
        let clock = ManualClock()
        #expect(clock.instant(ofMonotonic: clock.monotonicNanoseconds + 5) == clock.now)
    }

    @Test func theSystemsTimerFiresAndADroppedOneDoesNot() async {
        let clock = BootClock()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let late = clock.timer(at: clock.now.advanced(by: .seconds(3600))) { continuation.yield("late") }
        let past = clock.timer(at: .zero) { continuation.yield("past") }
        #expect(await first(1, of: stream) == ["past"])
        withExtendedLifetime((late, past)) {}
    }

    @Test func signalsEndWithTheirOwner() async {
        var wakeup: Wakeup? = Wakeup(clock: ManualClock())
        let signals = wakeup?.signals
        wakeup?.signal()
        wakeup = nil
        var count = 0
        // It would be waited for without end.
        if let signals { for await _ in signals { count += 1 } }
        #expect(count == 1)
    }
}
