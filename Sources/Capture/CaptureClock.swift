import Linux
import Vocabulary

/// The clock of the capture controller; tests bring their own.
package protocol CaptureClock: Sendable {
    var now: Instant { get }
    /// Returns at `instant`, or throws when the task is cancelled.
    func wait(until instant: Instant) async throws
}

/// CLOCK_BOOTTIME, which is what `ContinuousClock` is on Linux.
package struct BootClock: CaptureClock {
    package init() {}

    package var now: Instant { Instant.now }

    /// Throws `CancellationError` when the task is cancelled.
    package func wait(until instant: Instant) async throws {
        let wait = now.duration(to: instant)
        guard wait > .zero else { return }
        try await Task.sleep(for: wait, tolerance: .milliseconds(5), clock: .continuous)
    }
}
