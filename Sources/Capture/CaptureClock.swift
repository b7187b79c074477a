import Linux
import Vocabulary

/// The clock of the capture controller; tests bring their own.
package protocol CaptureClock: Sendable {
    var now: Instant { get }
    /// Returns at `instant`, or throws `CancellationError` when the task is cancelled.
    func wait(until instant: Instant) async throws
}

extension BootClock: CaptureClock {
    /// Returns at `instant` or up to 5 ms later; throws `CancellationError` when the task is cancelled.
    package func wait(until instant: Instant) async throws {
        try await Task.wait(until: instant, tolerance: .milliseconds(5))
    }
}
