import CLinux
import Glibc
import Linux
import Vocabulary
import Wire

/// The station's clocks: boot time for intervals, wall time for the wire, and whether wall time can be trusted.
package struct StationClock: Sendable {
    /// Kernel boot id; tells a receiver that monotonic values started again.
    package let boot: String

    private let wall: @Sendable () -> Int64

    package init() { self.init(wall: Self.systemWall) }

    /// - Parameter wall: nanoseconds since 1970; for tests, whose wall clock may jump.
    init(wall: @escaping @Sendable () -> Int64) {
        self.wall = wall
        boot = Files.firstLine(of: "/proc/sys/kernel/random/boot_id") ?? "unknown"
    }

    package var now: Instant { Instant.now }

    /// Nanoseconds since 1970, UTC, as the system clock has it.
    package var wallNanoseconds: Int64 { wall() }

    @Sendable private static func systemWall() -> Int64 { CLinux_realtime_ns() }

    /// Whether the kernel considers the system clock disciplined (NTP, PTP or a GPS set it and keep it).
    package var isSynced: Bool { CLinux_clock_is_synced() == 1 }

    /// The civil year, UTC, which places the centuries of two-digit years.
    var currentYear: Int {
        var seconds = time_t(wallNanoseconds / 1_000_000_000)
        var date = tm()
        gmtime_r(&seconds, &date)
        return Int(date.tm_year) + 1900
    }

    /// The day, UTC: `2026-11-24`.
    var date: String { String(WallTime.rfc3339(nanoseconds: wallNanoseconds).prefix(10)) }

    package func stamp(station: String) -> Stamp {
        Stamp(wallNanoseconds: wallNanoseconds, isClockSynced: isSynced, boot: boot, station: station)
    }
}
