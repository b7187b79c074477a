import Vocabulary

/// The first VEVENT of an iCalendar text, with or without the calendar around it.
enum CalendarEventParser {
    static func parse(_ text: Bytes) -> CalendarEventPayload? {
        var event = CalendarEventPayload()
        var problems = Problems()
        // Names of the open components: an alarm inside the event has a DESCRIPTION too.
        var open: [String] = []
        var hasBegun = false
        var hasEnd = false
        for line in ContentLine.lines(of: text) {
            switch line.name {
            case "BEGIN":
                open.append(line.text.uppercased())
                if open.last == "VEVENT" { hasBegun = true }
            case "END":
                hasEnd = open.popLast() == "VEVENT"
            default: if open.last == "VEVENT" { read(line, into: &event, &problems) }
            }
            if hasEnd { break }
        }
        guard hasBegun else { return nil }
        if !hasEnd { problems.add("the end of the event is missing") }
        if event.start == nil { problems.add("the start is missing") }
        event.problems = problems.list
        return event
    }

    private static func read(_ line: ContentLine, into event: inout CalendarEventPayload, _ problems: inout Problems) {
        switch line.name {
        case "SUMMARY": event.summary = event.summary ?? line.textOrNil
        case "DTSTART": event.start = event.start ?? time(line, &problems)
        case "DTEND": event.end = event.end ?? time(line, &problems)
        case "DURATION": event.duration = event.duration ?? line.textOrNil
        case "LOCATION": event.location = event.location ?? line.textOrNil
        case "DESCRIPTION": event.description = event.description ?? line.textOrNil
        case "ORGANIZER":
            let organizer = Bytes(line.text)
            event.organizer = event.organizer ?? (organizer.after("mailto:") ?? organizer).textOrNil
        case "URL": event.url = event.url ?? line.textOrNil
        case "UID": event.uid = event.uid ?? line.textOrNil
        default: break
        }
    }

    /// `20261121`, `20261121T090000`, `20261121T090000Z`; hyphens and colons between are tolerated.
    private static func time(_ line: ContentLine, _ problems: inout Problems) -> CalendarEventPayload.Time {
        let text = line.text
        var result = CalendarEventPayload.Time(text: text, timeZone: line.parameter("TZID"))
        var rest = Bytes(text).trimmed.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }[...]
        if let last = rest.last, last.lowercased == UInt8(ascii: "z") {
            result.isUTC = true
            rest.removeLast()
        }
        let (day, clock) = rest.cut(at: UInt8(ascii: "T"))
        result.date = date(day)
        if let clock { result.time = timeOfDay(clock) }
        if result.date == nil || (clock != nil && result.time == nil) {
            problems.add("\"\(text.prefix(scalars: 40))\" is not a date")
        }
        return result
    }

    private static func date(_ digits: Bytes) -> CivilDate? {
        guard digits.count == 8, let value = digits.decimal else { return nil }
        return CivilDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
    }

    private static func timeOfDay(_ digits: Bytes) -> CivilTime? {
        guard let value = digits.decimal else { return nil }
        return switch digits.count {
        case 6: CivilTime(hour: value / 10_000, minute: value / 100 % 100, second: value % 100)
        case 4: CivilTime(hour: value / 100, minute: value % 100)
        default: nil
        }
    }
}
