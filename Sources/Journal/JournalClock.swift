import CLinux
import Dispatch
import Linux
import Vocabulary

/// The journal's clocks and timer; tests hand it made-up ones.
package struct JournalClock: Sendable {
    /// Intervals.
    package var now: @Sendable () -> Instant
    /// Nanoseconds since 1970, UTC, and whether they can be trusted.
    package var wall: @Sendable () -> (nanoseconds: Int64, isSynced: Bool)
    /// Calls the closure once, later, on any thread.
    package var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    package init(
        now: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> (nanoseconds: Int64, isSynced: Bool),
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.wall = wall
        self.later = later
    }

    package static let system = JournalClock(
        now: { Instant.now },
        wall: { (CLinux_realtime_ns(), CLinux_clock_is_synced() == 1) },
        later: { delay, action in
            let nanoseconds = Int(clamping: delay.wholeNanoseconds)
            DispatchQueue.global(qos: .utility).asyncAfter(
                deadline: .now() + .nanoseconds(nanoseconds), execute: action)
        })
}
