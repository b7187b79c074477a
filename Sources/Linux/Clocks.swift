import CLinux
import Vocabulary

extension Instant {
    /// CLOCK_BOOTTIME: it goes on while the system is suspended, and nobody can set it.
    package static var now: Instant { Instant(nanoseconds: CLinux_boottime_ns()) }
}

/// CLOCK_MONOTONIC, in nanoseconds: what the kernel stamps GPIO edges and most frames with, and what waits are measured by.
package enum MonotonicClock {
    package static var nanoseconds: Int64 { CLinux_monotonic_ns() }
}
