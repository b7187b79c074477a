/// Durations as text: `5ms`, `1.5 s`, `2min`, `90d`. One grammar for configuration, command line and the hosts' answers, and
/// one complaint. Exact to the nanosecond, without a detour through floating point.
package enum DurationText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000),
        ("ns", 1),
    ]

    /// A number with a unit, never negative. Digits finer than a nanosecond are cut off: programs write `0.30000000000000004s`.
    ///
    /// - Parameter bare: the unit of a number that has none; `nil`: only `0` needs none.
    /// - Returns: `nil` for anything else, and for values above zero but below a nanosecond.
    package static func parse(_ text: some StringProtocol, bare: String = "") -> Duration? {
        if text == "0" { return .zero }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var name = String(text.dropFirst(number.count).drop { $0 == " " })
        if name.isEmpty { name = bare }
        if name == "µs" || name == "μs" { name = "us" }
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...12).contains(whole.count), let units = Int64(whole) else {
            return nil
        }
        let (nanoseconds, overflow) = units.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return .nanoseconds(nanoseconds) }
        guard (1...20).contains(parts[1].count) else { return nil }
        // From the last digit on, so that nothing is ever larger than ten of the unit.
        let fraction = parts[1].reversed().reduce(0) { ($0 + Int64($1.wholeNumberValue ?? 0) * unit.nanoseconds) / 10 }
        let isLost = nanoseconds == 0 && fraction == 0 && parts[1].contains { $0 != "0" }
        return isLost ? nil : .nanoseconds(nanoseconds) + .nanoseconds(fraction)
    }

    /// What is accepted, as the end of "must be …".
    package static func taken(_ range: ClosedRange<Duration>) -> String {
        "a time from \(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    /// Why a text isn't a duration in `range`: `must be a time from 10ms to 60s, not "500"; write 500ms`.
    ///
    /// - Parameter others: what else is accepted: `true, false or `.
    package static func complaint(_ text: String, in range: ClosedRange<Duration>, or others: String = "") -> String {
        "must be \(others)\(taken(range)), not \(text.quoted)"
            + (meant(by: text, in: range).map { "; write \($0)" } ?? "")
    }

    /// Other names that people give to units.
    private static let otherNames = [
        "sec": "s", "secs": "s", "second": "s", "seconds": "s", "m": "min", "mins": "min", "minute": "min",
        "minutes": "min", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "msec": "ms",
        "millis": "ms", "millisecond": "ms", "milliseconds": "ms", "usec": "us", "microseconds": "us",
    ]

    /// What a text that isn't a duration in `range` probably means: `5` means `5s`, or `5ms` if seconds are too long.
    package static func meant(by text: String, in range: ClosedRange<Duration>) -> String? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let name = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
        let units = name.isEmpty ? ["s", "ms", "us", "min", "h", "d"] : [otherNames[name] ?? name]
        return units.map { number + $0 }.first { parse($0).map(range.contains) == true }
    }

    /// The shortest form: whole units, or seconds with up to three decimals from 1 s on.
    package static func text(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds
        guard nanoseconds > 0 else { return "0s" }
        if nanoseconds > 1_000_000_000, nanoseconds % 1_000_000_000 != 0, nanoseconds % 1_000_000 == 0 {
            let milliseconds = nanoseconds % 1_000_000_000 / 1_000_000
            var decimals = String(1000 + milliseconds).dropFirst()
            while decimals.last == "0" { decimals.removeLast() }
            return "\(nanoseconds / 1_000_000_000).\(decimals)s"
        }
        // 60s rather than 1min, as in data sheets, and 24h rather than 1d.
        for unit in units where nanoseconds % unit.nanoseconds == 0 && nanoseconds >= unit.nanoseconds {
            if unit.name == "min", nanoseconds < 120_000_000_000 { continue }
            if unit.name == "d", nanoseconds < 2 * unit.nanoseconds { continue }
            return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        return "\(nanoseconds)ns"
    }
}
