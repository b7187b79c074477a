import Glibc
import Linux
import Vocabulary
import Wire

extension MachineClock {
    /// The civil year, UTC, which places the centuries of two-digit years.
    var currentYear: Int {
        var seconds = time_t(wallNanoseconds / 1_000_000_000)
        var date = tm()
        gmtime_r(&seconds, &date)
        return Int(date.tm_year) + 1900
    }

    /// The day, UTC: `2026-11-24`.
    var date: String { String(WallTime.rfc3339(nanoseconds: wallNanoseconds).prefix(10)) }

    /// What an event of now begins with.
    package func stamp(station: String) -> Stamp {
        Stamp(wallNanoseconds: wallNanoseconds, isClockSynced: isSynced, boot: boot, station: station)
    }
}
