import CLinux
import Vocabulary

extension Instant {
    /// CLOCK_BOOTTIME: it goes on while the system is suspended, and nobody can set it.
    package static var now: Instant { Instant(nanoseconds: CLinux_boottime_ns()) }
}

/// CLOCK_MONOTONIC, in nanoseconds: the kernel stamps GPIO edges and most frames with it, and waits are measured by it.
package enum MonotonicClock {
    package static var nanoseconds: Int64 { CLinux_monotonic_ns() }

    /// For what must not count time in which the machine was suspended. It can't be compared with `Instant.now`.
    package static var instant: Instant { Instant(nanoseconds: nanoseconds) }
}

/// Dates as mail and Debian's files have them, in UTC: `Fri, 20 Nov 2026 12:00:00 +0000`.
package enum MailDate {
    /// Seconds since 1970, at most those whose nanoseconds fit into 64 bits; `nil`: it is no such date.
    package static func seconds(of text: String) -> Int64? {
        let seconds = CLinux_seconds_of_date(text)
        return seconds == .min ? nil : seconds
    }
}

/// The clocks by which nothing jumps, and waits. What takes one declares a protocol for what it needs, so that its tests can have their own.
package struct BootClock: Sendable {
    package init() {}

    /// CLOCK_BOOTTIME.
    package var now: Instant { Instant.now }

    /// CLOCK_MONOTONIC: less than `now` by the time that the system was suspended.
    package var monotonicNanoseconds: Int64 { MonotonicClock.nanoseconds }
}

extension Task where Success == Never, Failure == Never {
    /// Returns at an instant, at once when that has passed; throws `CancellationError` when the task is cancelled.
    package static func wait(until instant: Instant, tolerance: Duration? = nil) async throws {
        let wait = Instant.now.duration(to: instant)
        guard wait > .zero else { return try checkCancellation() }
        // On Linux, it is CLOCK_BOOTTIME, as `Instant` is.
        try await sleep(for: wait, tolerance: tolerance, clock: .continuous)
    }
}

extension Task where Success == Void, Failure == Never {
    /// Does something at an instant, at once when that has passed, unless the task is cancelled before.
    package static func at(
        _ instant: Instant, tolerance: Duration? = nil, _ action: @escaping @Sendable () async -> Void
    ) -> Task {
        Task {
            do { try await Task<Never, Never>.wait(until: instant, tolerance: tolerance) } catch { return }
            await action()
        }
    }
}
