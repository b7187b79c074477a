/// A moment on CLOCK_BOOTTIME, in nanoseconds since boot: the one clock of the station.
///
/// Frame timestamps arrive on this clock; GPIO edges arrive on CLOCK_MONOTONIC and are converted where they enter.
/// ScanCore never reads a clock: every state machine gets its instants from outside.
package struct Instant: Hashable, Comparable, Sendable, InstantProtocol {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Boot itself; a convenient origin for tests.
    package static let zero = Instant(nanoseconds: 0)

    package func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
    }

    package func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds &- nanoseconds)
    }

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension Duration {
    /// The duration in nanoseconds, truncated; saturates beyond ±292 years.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }

    /// The duration in milliseconds, for logs and the wire.
    package var milliseconds: Double { Double(wholeNanoseconds) / 1_000_000 }
}
