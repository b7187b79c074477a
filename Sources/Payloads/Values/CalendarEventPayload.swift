/// The first VEVENT of an iCalendar text (RFC 5545).
package struct CalendarEventPayload: Hashable, Sendable {
    /// A date or date-time as written and as understood. It isn't converted to an instant: without the calendar's time zone rules only a
    /// UTC time is one.
    package struct Time: Hashable, Sendable {
        package var text: String
        /// `nil` when the text isn't a date: year 0…9999, month 1…12, day of that month.
        package var date: CivilDate?
        /// `nil` for whole days.
        package var time: CivilTime?
        /// The text ended in `Z`.
        package var isUTC: Bool
        /// The `TZID` parameter.
        package var timeZone: String?

        package init(
            text: String, date: CivilDate? = nil, time: CivilTime? = nil, isUTC: Bool = false, timeZone: String? = nil
        ) {
            self.text = text
            self.date = date
            self.time = time
            self.isUTC = isUTC
            self.timeZone = timeZone
        }
    }

    package var summary: String?
    package var start: Time?
    package var end: Time?
    /// `DURATION` as written (`PT1H30M`), where the event has no end.
    package var duration: String?
    package var location: String?
    package var description: String?
    package var organizer: String?
    package var url: String?
    package var uid: String?
    package var problems: [String]

    package init(
        summary: String? = nil, start: Time? = nil, end: Time? = nil, duration: String? = nil,
        location: String? = nil, description: String? = nil, organizer: String? = nil, url: String? = nil,
        uid: String? = nil, problems: [String] = []
    ) {
        self.summary = summary
        self.start = start
        self.end = end
        self.duration = duration
        self.location = location
        self.description = description
        self.organizer = organizer
        self.url = url
        self.uid = uid
        self.problems = problems
    }
}
