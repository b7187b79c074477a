import Linux
import Vocabulary

/// The time, and one-shot timers. Everything in this module that waits does so here, so that tests don't have to wait.
package protocol PeripheralClock: Sendable {
    /// CLOCK_BOOTTIME.
    var now: Instant { get }
    /// CLOCK_MONOTONIC, in nanoseconds: the clock of GPIO edges.
    var monotonicNanoseconds: Int64 { get }
    /// Calls `action` once, at `deadline` or soon after; at once when that has passed. Dropping the timer cancels it, but an `action` that
    /// is already under way may still arrive: receivers must cope with one call too many.
    func timer(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> PeripheralTimer
}

extension PeripheralClock {
    /// The instant of a GPIO edge. The two clocks differ by the time the system was suspended; the difference is measured
    /// now, so a suspend between the edge and this call is counted as after the edge.
    func instant(ofMonotonic nanoseconds: Int64) -> Instant {
        let ago = max(0, monotonicNanoseconds - nanoseconds)
        return Instant(nanoseconds: now.nanoseconds - ago)
    }
}

/// A timer that runs until it fires, is cancelled or dropped.
package final class PeripheralTimer: Sendable {
    private let onCancel: @Sendable () -> Void

    package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }
}

extension BootClock: PeripheralClock {
    package func timer(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> PeripheralTimer {
        let task = Task.at(deadline, tolerance: .milliseconds(1)) { action() }
        return PeripheralTimer { task.cancel() }
    }
}
