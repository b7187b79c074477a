import CLinux
import Vocabulary

extension Instant {
    /// CLOCK_BOOTTIME: it goes on while the system is suspended, and nobody can set it.
    package static var now: Instant { Instant(nanoseconds: CLinux_boottime_ns()) }
}

/// CLOCK_MONOTONIC, in nanoseconds: the kernel stamps GPIO edges and most frames with it, and waits are measured by it.
package enum MonotonicClock {
    package static var nanoseconds: Int64 { CLinux_monotonic_ns() }
}
