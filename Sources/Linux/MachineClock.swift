import CLinux
import Vocabulary

/// The clocks of this machine: boot time for intervals, wall time for what leaves it, and whether wall time can be trusted. Tests make
/// their own.
package struct MachineClock: Sendable {
    package static let system = MachineClock()

    /// The kernel's name for this boot; `nil` if it isn't told, as without /proc.
    package static let bootID = Files.firstLine(of: "/proc/sys/kernel/random/boot_id")

    /// The kernel's boot id: instants from another boot mean nothing.
    package let boot: String
    private let bootTime: @Sendable () -> Instant
    private let wallTime: @Sendable () -> Int64
    private let sync: @Sendable () -> Bool

    package init(
        now: @escaping @Sendable () -> Instant = { Instant.now },
        wallNanoseconds: @escaping @Sendable () -> Int64 = { CLinux_realtime_ns() },
        isSynced: @escaping @Sendable () -> Bool = { CLinux_clock_is_synced() == 1 },
        boot: String = MachineClock.bootID ?? "unknown"
    ) {
        self.boot = boot
        bootTime = now
        wallTime = wallNanoseconds
        sync = isSynced
    }

    /// CLOCK_BOOTTIME.
    package var now: Instant { bootTime() }

    /// Nanoseconds since 1970, UTC, as the system clock has it.
    package var wallNanoseconds: Int64 { wallTime() }

    /// Whether the kernel considers the system clock disciplined (NTP, PTP or a GPS set it and keep it).
    package var isSynced: Bool { sync() }
}
