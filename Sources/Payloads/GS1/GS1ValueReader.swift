import Vocabulary

/// Checks one value against its format: length, characters, check digits, dates, decimals.
struct GS1ValueReader {
    let ai: String
    let identifier: GS1Identifier
    /// For the century of two-digit years.
    let year: Int

    /// What the value means; `nil` for plain text and for a value that breaks its format.
    func meaning(of value: Bytes, _ problems: inout Problems) -> GS1Element.Meaning? {
        guard let parts = split(value, &problems) else { return nil }
        var isRight = true
        for (component, part) in zip(identifier.format.components, parts) where !part.isEmpty {
            guard let fault = fault(of: part, component) else { continue }
            problems.add("(\(ai)) \(fault)")
            isRight = false
        }
        return isRight ? reading(parts) : nil
    }

    /// One part for each component; empty for optional ones that aren't there.
    private func split(_ value: Bytes, _ problems: inout Problems) -> [Bytes]? {
        let format = identifier.format
        guard value.count >= max(1, format.minLength) else {
            let count = value.count.counted("character")
            let demand = format.minLength == format.maxLength ? "it must have" : "it needs at least"
            problems.add(
                value.isEmpty ? "(\(ai)) has no value" : "(\(ai)) has \(count), \(demand) \(format.minLength)")
            return nil
        }
        guard value.count <= format.maxLength else {
            problems.add(
                "(\(ai)) has \(value.count) characters, it can have \(format.maxLength): a separator may be missing")
            return nil
        }
        var parts: [Bytes] = []
        var rest = value
        for component in format.components {
            let part = rest.prefix(component.maxLength)
            guard part.isEmpty && component.isOptional || part.count >= component.minLength else {
                problems.add("(\(ai)) has \(value.count) characters, which isn't a length it can have")
                return nil
            }
            parts.append(part)
            rest = rest.dropFirst(part.count)
        }
        return parts
    }

    /// What is wrong with a component, as the rest of a sentence; `nil` if nothing is.
    private func fault(of part: Bytes, _ component: GS1Format.Component) -> String? {
        if let wrong = part.first(where: { !component.characters.contains($0) }) {
            return component.characters == .numeric
                ? "must be digits" : "has the character 0x\(String(wrong, radix: 16)), which isn't allowed there"
        }
        return switch component.rule {
        case .none, .currency: nil
        case .checkDigit:
            CheckDigit.isValidGS1Mod10(part)
                ? nil
                : "has the check digit \(part.suffix(1).text), it should be \(part.dropLast().gs1CheckDigit)"
        case .checkPair: CheckCharacters.isCharacterPairRight(part) ? nil : "has a wrong pair of check characters"
        case .date: date(part) == nil || date(part)?.isWholeMonth == true ? "is not a date (YYMMDD)" : nil
        case .dateOrMonth: date(part) == nil ? "is not a date (YYMMDD, day 00 for the month)" : nil
        case .longDate: longDate(part) == nil ? "is not a date (YYYYMMDD)" : nil
        case .dateAndHour: dateAndTime(part) == nil ? "is not a date with an hour (YYMMDDHH)" : nil
        case .hourAndMinute: clock(part) == nil ? "is not a time (HHMM)" : nil
        case .minuteAndSecond: minuteAndSecond(part) == nil ? "is not a time (MM or MMSS)" : nil
        case .pieceOfTotal: isPiece(part) ? nil : "is not a piece of a total"
        case .latitude: number(part) <= 1_800_000_000 ? nil : "is not a latitude"
        case .longitude: number(part) <= 3_600_000_000 ? nil : "is not a longitude"
        case .zero: number(part) == 0 ? nil : "must start with 0"
        case .nonZero: number(part) > 0 ? nil : "must not be 0"
        case .yesNo: number(part) <= 1 ? nil : "must be 0 or 1"
        case .minus: part.first == UInt8(ascii: "-") ? nil : "may have a minus sign behind it, nothing else"
        }
    }

    private func reading(_ parts: [Bytes]) -> GS1Element.Meaning? {
        switch identifier.reading {
        case .decimals(let unit): return .quantity(decimal(parts[0]), unit: unit)
        case .amount:
            let currency = parts.count > 1 ? parts[0].text : ""
            return parts.last.map { .quantity(decimal($0), unit: currency) }
        case .temperature(let unit):
            let sign = parts.count > 1 && !parts[1].isEmpty ? "-" : ""
            return .quantity(sign + decimal(parts[0], places: 2), unit: unit)
        case .plain: return moment(parts)
        }
    }

    /// Dates and places, by the rules of the components.
    private func moment(_ parts: [Bytes]) -> GS1Element.Meaning? {
        let rules = identifier.format.components.map(\.rule)
        switch rules.first {
        case .date, .dateOrMonth:
            guard var first = date(parts[0]) else { return nil }
            guard parts.count > 1, !parts[1].isEmpty else { return .date(first) }
            if rules[1] == .hourAndMinute {
                first.time = clock(parts[1])
                return .date(first)
            }
            return date(parts[1]).map { .period(first, $0) }
        case .longDate:
            guard var date = longDate(parts[0]) else { return nil }
            if parts.count > 1 { date.time = clock(parts[1]) }
            return .date(date)
        case .dateAndHour:
            guard var date = dateAndTime(parts[0]) else { return nil }
            if parts.count > 1, let hour = date.time?.hour, let (minute, second) = minuteAndSecond(parts[1]) {
                date.time = CivilTime(hour: hour, minute: minute, second: second)
            }
            return .date(date)
        case .latitude: return place(parts)
        default: return nil
        }
    }

    private func number(_ digits: Bytes) -> Int { digits.decimal ?? 0 }

    private func decimal(_ digits: Bytes) -> String {
        decimal(digits, places: Bytes(ai).last?.digitValue ?? 0)
    }

    /// `001250` with three places is `1.250`: the places are part of the information.
    private func decimal(_ digits: Bytes, places: Int) -> String {
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, places + 1 - digits.count))
        let all = zeros + digits
        let whole = all.dropLast(places).drop { $0 == UInt8(ascii: "0") }
        let fraction = places > 0 ? "." + all.suffix(places)[...].text : ""
        return (whole.isEmpty ? "0" : whole.text) + fraction
    }

    private func isPiece(_ digits: Bytes) -> Bool {
        let value = number(digits)
        return value / 100 >= 1 && value / 100 <= value % 100
    }

    private func place(_ parts: [Bytes]) -> GS1Element.Meaning? {
        guard parts.count == 2 else { return nil }
        // 180 to 360 degrees east are the western hemisphere, which has negative longitudes.
        let latitude = Double(number(parts[0]) - 900_000_000) / 1e7
        let longitude = Double((number(parts[1]) + 1_800_000_000) % 3_600_000_000 - 1_800_000_000) / 1e7
        return .place(latitude: latitude, longitude: longitude)
    }
}

// MARK: - Dates

extension GS1ValueReader {
    /// YYMMDD; day 00 is the last day of the month.
    private func date(_ digits: Bytes) -> GS1Date? {
        guard digits.count == 6, let value = digits.decimal else { return nil }
        let (fullYear, month, day) = (century(value / 10_000), value / 100 % 100, value % 100)
        let isWholeMonth = day == 0
        guard (1...12).contains(month),
            let date = CivilDate(
                year: fullYear, month: month,
                day: isWholeMonth ? CivilDate.daysIn(month: month, year: fullYear) : day)
        else { return nil }
        return GS1Date(date: date, isWholeMonth: isWholeMonth)
    }

    /// General Specifications, 7.12: 51 years or more ahead means the last century, 50 or more behind means the next one.
    private func century(_ twoDigits: Int) -> Int {
        let thisYear = min(max(year, 1), 9899)
        let inThisCentury = thisYear - thisYear % 100 + twoDigits
        let ahead = twoDigits - thisYear % 100
        if ahead >= 51 { return max(0, inThisCentury - 100) }
        return ahead <= -50 ? inThisCentury + 100 : inThisCentury
    }

    private func longDate(_ digits: Bytes) -> GS1Date? {
        guard digits.count == 8, let value = digits.decimal else { return nil }
        return CivilDate(year: value / 10_000, month: value / 100 % 100, day: value % 100).map { GS1Date(date: $0) }
    }

    /// YYMMDDHH.
    private func dateAndTime(_ digits: Bytes) -> GS1Date? {
        guard digits.count == 8, var date = date(digits.prefix(6)), !date.isWholeMonth,
            let hour = digits.suffix(2).decimal, let time = CivilTime(hour: hour, minute: 0)
        else { return nil }
        date.time = time
        return date
    }

    private func clock(_ digits: Bytes) -> CivilTime? {
        guard digits.count == 4, let value = digits.decimal else { return nil }
        return CivilTime(hour: value / 100, minute: value % 100)
    }

    private func minuteAndSecond(_ digits: Bytes) -> (minute: Int, second: Int)? {
        guard digits.count == 2 || digits.count == 4, let value = digits.decimal else { return nil }
        let (minute, second) = digits.count == 2 ? (value, 0) : (value / 100, value % 100)
        return minute < 60 && second < 60 ? (minute, second) : nil
    }
}
