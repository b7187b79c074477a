import Glibc

/// Times as people see them: the machine's local time, with the offset from UTC. JSON, templates and files have UTC.
package enum LocalTime {
    /// Seconds east of UTC at a moment, given in seconds since 1970.
    package typealias Zone = @Sendable (Int64) -> Int

    /// The machine's offset, or that of the environment's TZ.
    package static let system: Zone = { seconds in
        var moment = time_t(seconds)
        var date = tm()
        return localtime_r(&moment, &date) == nil ? 0 : date.tm_gmtoff
    }

    /// `2026-11-21T06:14:40.125Z` → `08:14:40.125 +02:00`; any other text stays as it is.
    package static func time(_ rfc3339: String, in zone: Zone = system) -> String {
        parts(rfc3339, in: zone).map { "\($0.time) \($0.offset)" } ?? TerminalText.escape(rfc3339, limit: 32)
    }

    /// `2026-11-21 08:14:40 +02:00`, without parts of a second.
    package static func dateAndTime(_ rfc3339: String, in zone: Zone = system) -> String {
        parts(rfc3339, in: zone).map { "\($0.date) \($0.time.prefix(8)) \($0.offset)" }
            ?? TerminalText.escape(rfc3339, limit: 32)
    }

    /// `2026-11-21`: the day of `time`.
    package static func date(_ rfc3339: String, in zone: Zone = system) -> String {
        parts(rfc3339, in: zone)?.date ?? ""
    }

    /// `+02:00`
    package static func offset(seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(seconds) / 60
        return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func parts(
        _ rfc3339: String, in zone: Zone
    ) -> (date: String, time: String, offset: String)? {
        guard let nanoseconds = WallTime.nanoseconds(rfc3339: rfc3339) else { return nil }
        let offset = zone(nanoseconds / 1_000_000_000)
        let (local, isBeyond) = nanoseconds.addingReportingOverflow(Int64(offset) * 1_000_000_000)
        guard !isBeyond else { return nil }
        let text = WallTime.rfc3339(nanoseconds: local).dropLast()
        return (String(text.prefix(10)), String(text.dropFirst(11)), Self.offset(seconds: offset))
    }
}
