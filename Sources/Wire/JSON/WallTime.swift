/// Wall time as RFC 3339 text in UTC with milliseconds, from its own calendar arithmetic: `2026-11-21T06:14:40.125Z`.
package enum WallTime {
    /// `nanoseconds` since 1970. The range of Int64 is the years 1677…2262, so there are always four digits of year.
    package static func rfc3339(nanoseconds: Int64) -> String {
        var out: [UInt8] = []
        append(nanoseconds: nanoseconds, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    static func append(nanoseconds: Int64, to out: inout [UInt8]) {
        // Floors, so that times before 1970 come out right too.
        let (milliseconds, _) = floorDivide(nanoseconds, by: 1_000_000)
        let (seconds, millisecond) = floorDivide(milliseconds, by: 1000)
        let (days, secondOfDay) = floorDivide(seconds, by: 86_400)
        let (year, month, day) = civil(daysSince1970: days)
        append(year, digits: 4, to: &out)
        out.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &out)
        out.append(UInt8(ascii: "-"))
        append(day, digits: 2, to: &out)
        out.append(UInt8(ascii: "T"))
        append(secondOfDay / 3600, digits: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, digits: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, digits: 2, to: &out)
        out.append(UInt8(ascii: "."))
        append(millisecond, digits: 3, to: &out)
        out.append(UInt8(ascii: "Z"))
    }

    /// Gregorian date of a day number; the year is counted from 1 March, in eras of 400 years (146,097 days), as Howard
    /// Hinnant's "chrono-compatible low-level date algorithms" describe it.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The civil year, UTC.
    static func year(nanoseconds: Int64) -> Int {
        let (days, _) = floorDivide(nanoseconds, by: 86_400_000_000_000)
        return Int(civil(daysSince1970: days).year)
    }

    /// The time of a text exactly as `rfc3339` writes it; a time beyond Int64's range counts as the end of the range.
    /// `nil` if it isn't one.
    package static func nanoseconds(rfc3339 text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == form.count else { return nil }
        for (byte, place) in zip(bytes, form) {
            guard place == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == place else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        guard civil(daysSince1970: days) == (year, month, day) else { return nil }  // no 31 February
        let milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + number(20..<23)
        let (nanoseconds, isBeyond) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return isBeyond ? (milliseconds < 0 ? .min : .max) : nanoseconds
    }

    /// The inverse of `civil`, from the same source.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func append(_ value: Int64, digits: Int, to out: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}
