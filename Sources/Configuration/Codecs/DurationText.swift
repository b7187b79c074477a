import Vocabulary

/// Durations as text: `5ms`, `1.5s`, `2min`, `90d`. Exact to the nanosecond, without a detour through floating point.
enum DurationText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000),
        ("ns", 1),
    ]

    /// `nil` unless it is a number with a unit; a bare `0` is the only one that needs none.
    static func parse(_ text: some StringProtocol) -> Duration? {
        if text == "0" { return .zero }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var name = String(text.dropFirst(number.count).drop { $0 == " " })
        if name == "µs" || name == "μs" { name = "us" }
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...12).contains(whole.count), let units = Int64(whole) else {
            return nil
        }
        let (nanoseconds, overflow) = units.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return .nanoseconds(nanoseconds) }
        guard let fraction = fraction(parts[1], of: unit.nanoseconds) else { return nil }
        return .nanoseconds(nanoseconds) + .nanoseconds(fraction)
    }

    /// `.5` of an hour and the like; digits finer than a nanosecond are refused.
    private static func fraction(_ digits: some StringProtocol, of unit: Int64) -> Int64? {
        guard (1...9).contains(digits.count), var rest = Int64(digits) else { return nil }
        var scale: Int64 = 1
        for _ in digits { scale *= 10 }
        while rest % 10 == 0, scale > 1 { (rest, scale) = (rest / 10, scale / 10) }
        // At most 10^9 × 8.64 × 10^13 would overflow; what divides evenly is divided first.
        let (product, overflow) = rest.multipliedReportingOverflow(by: unit)
        return overflow || product % scale != 0 ? nil : product / scale
    }

    /// Units by the other names that people give them.
    private static let otherNames = [
        "sec": "s", "secs": "s", "second": "s", "seconds": "s", "m": "min", "mins": "min", "minute": "min",
        "minutes": "min", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "msec": "ms",
        "millis": "ms", "millisecond": "ms", "milliseconds": "ms", "usec": "us", "microseconds": "us",
    ]

    /// How a text that isn't a duration in `range` is probably meant: `5` as `5s`, or as `5ms` where seconds are too long.
    static func meant(by text: String, in range: ClosedRange<Duration>) -> String? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let name = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
        let units = name.isEmpty ? ["s", "ms", "us", "min", "h", "d"] : [otherNames[name] ?? name]
        return units.map { number + $0 }.first { parse($0).map(range.contains) == true }
    }

    /// The shortest form: whole units, or seconds with up to three decimals from 1 s on.
    static func text(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds
        guard nanoseconds > 0 else { return "0s" }
        if nanoseconds > 1_000_000_000, nanoseconds % 1_000_000_000 != 0, nanoseconds % 1_000_000 == 0 {
            let milliseconds = nanoseconds % 1_000_000_000 / 1_000_000
            var decimals = String(1000 + milliseconds).dropFirst()
            while decimals.last == "0" { decimals.removeLast() }
            return "\(nanoseconds / 1_000_000_000).\(decimals)s"
        }
        // 60s rather than 1min, as data sheets say it, and 24h rather than 1d.
        for unit in units where nanoseconds % unit.nanoseconds == 0 && nanoseconds >= unit.nanoseconds {
            if unit.name == "min", nanoseconds < 120_000_000_000 { continue }
            if unit.name == "d", nanoseconds < 2 * unit.nanoseconds { continue }
            return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        return "\(nanoseconds)ns"
    }
}

extension Codec where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> Codec {
        Codec(
            takes: "a time from \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))",
            advice: { text in DurationText.meant(by: text, in: range).map { "write \($0)" } },
            parse: { text in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            write: DurationText.text)
    }
}
