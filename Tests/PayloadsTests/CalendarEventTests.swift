import Testing

@testable import Payloads

@Suite("Calendar events")
struct CalendarEventTests {
    @Test("An event gives its fields; the alarm inside it doesn't mix in")
    func event() throws {
        let event = try #require(
            payload(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:X\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\n"
                    + "UID:1@example.com\r\nSUMMARY:Stock\\, take\r\nDTSTART;TZID=Europe/Vienna:20261121T090000\r\n"
                    + "DTEND:20261121T173000Z\r\nLOCATION:Hall 4\r\nORGANIZER;CN=J:mailto:j@example.com\r\n"
                    + "BEGIN:VALARM\r\nDESCRIPTION:ring\r\nEND:VALARM\r\nDESCRIPTION:Bring\\nboxes\r\nEND:VEVENT\r\n"
                    + "END:VCALENDAR\r\n"
            ).event)
        #expect(event.summary == "Stock, take")
        #expect(event.start?.text == "20261121T090000")
        #expect(event.start?.date?.description == "2026-11-21")
        #expect(event.start?.time?.description == "09:00:00")
        #expect(event.start?.timeZone == "Europe/Vienna")
        #expect(event.start?.isUTC == false)
        #expect(event.end?.isUTC == true)
        #expect(event.end?.time == CivilTime(hour: 17, minute: 30))
        #expect(event.location == "Hall 4")
        #expect(event.description == "Bring\nboxes")
        #expect(event.organizer == "j@example.com")
        #expect(event.problems.isEmpty)
    }

    @Test("A bare VEVENT with whole days")
    func wholeDays() throws {
        let event = try #require(
            payload("BEGIN:VEVENT\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20280229\nDTEND:2028-03-01\nEND:VEVENT").event)
        #expect(event.start?.date == CivilDate(year: 2028, month: 2, day: 29))
        #expect(event.start?.time == nil)
        #expect(event.end?.date == CivilDate(year: 2028, month: 3, day: 1))
        #expect(event.problems.isEmpty)
    }

    @Test(
        "A date that isn't one keeps its text and is named",
        arguments: ["20270229", "20261301", "tomorrow", "20261121T2500", "", "20261121T", "+0261121"])
    func badDate(date: String) throws {
        let event = try #require(payload("BEGIN:VEVENT\nDTSTART:\(date)\nEND:VEVENT").event)
        #expect(event.start?.text == date)
        #expect(event.problems.count == 1)
    }

    @Test("A calendar without an event is text")
    func noEvent() { #expect(payload("BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR") == .text) }

    @Test("A cut-off event says so")
    func truncated() throws {
        #expect(payload("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x").event?.problems.count == 2)
    }
}
