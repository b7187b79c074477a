import CLinux
import Linux
import Vocabulary

/// Tells how old a scan is. Waiting for the next attempt doesn't depend on it.
package struct DeliveryClock: Sendable {
    /// CLOCK_BOOTTIME.
    package var now: @Sendable () -> Instant
    /// Nanoseconds since 1970, UTC, as the system clock has it.
    package var wallNanoseconds: @Sendable () -> Int64
    /// Whether the system clock is synchronised.
    package var isSynced: @Sendable () -> Bool
    /// The kernel's boot id: instants from another boot mean nothing.
    package var boot: String

    package init(
        now: @escaping @Sendable () -> Instant, wallNanoseconds: @escaping @Sendable () -> Int64,
        isSynced: @escaping @Sendable () -> Bool, boot: String
    ) {
        self.now = now
        self.wallNanoseconds = wallNanoseconds
        self.isSynced = isSynced
        self.boot = boot
    }

    /// The system's clocks.
    package static let system = DeliveryClock(
        now: { Instant.now },
        wallNanoseconds: { CLinux_realtime_ns() },
        isSynced: { CLinux_clock_is_synced() == 1 },
        boot: Files.firstLine(of: "/proc/sys/kernel/random/boot_id") ?? "unknown")
}
