/// The first VEVENT of an iCalendar text (RFC 5545).
public struct CalendarEventPayload: Hashable, Sendable {
    /// A date or date-time as it was written and as it was understood. It is not turned into an instant: without the
    /// calendar's time zone rules only a UTC time is one.
    public struct Time: Hashable, Sendable {
        public var text: String
        /// `nil` when the text is no date: year 0…9999, month 1…12, day of that month.
        public var date: CivilDate?
        /// `nil` for whole days.
        public var time: CivilTime?
        /// The text ended in `Z`.
        public var isUTC: Bool
        /// The `TZID` parameter.
        public var timeZone: String?

        public init(
            text: String, date: CivilDate? = nil, time: CivilTime? = nil, isUTC: Bool = false, timeZone: String? = nil
        ) {
            self.text = text
            self.date = date
            self.time = time
            self.isUTC = isUTC
            self.timeZone = timeZone
        }
    }

    public var summary: String?
    public var start: Time?
    public var end: Time?
    /// `DURATION` as written (`PT1H30M`), where the event has no end.
    public var duration: String?
    public var location: String?
    public var description: String?
    public var organizer: String?
    public var url: String?
    public var uid: String?
    public var problems: [String]

    public init(
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
