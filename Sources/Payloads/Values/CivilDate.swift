/// A day of the Gregorian calendar.
package struct CivilDate: Hashable, Sendable, CustomStringConvertible {
    /// 0…9999.
    package let year: Int
    /// 1…12.
    package let month: Int
    /// 1…31, and never more than the month has.
    package let day: Int

    /// `nil` if there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysIn(month: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days of a month (1…12).
    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    }

    /// `2026-11-21`.
    package var description: String {
        "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

/// A time of day.
package struct CivilTime: Hashable, Sendable, CustomStringConvertible {
    /// 0…23.
    package let hour: Int
    /// 0…59.
    package let minute: Int
    /// 0…60: a leap second is a time.
    package let second: Int

    /// `nil` if there is no such time.
    package init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// `09:05:00`.
    package var description: String {
        "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))"
    }
}

/// `value` in decimal with leading zeros; longer if it needs to be.
func padded(_ value: Int, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
