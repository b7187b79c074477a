import Vocabulary
import Wire

/// How reading went, a day at a time (UTC): sessions, scans, sessions without one by the likeliest reason, and how long a scan took from its
/// session's begin. `FiguresDesk` finds them again after a restart.
package struct ReadingFigures: Hashable, Sendable {
    package struct Day: Hashable, Sendable {
        /// `2026-11-24`.
        package let date: String
        package var sessions: UInt64 = 0
        package var scans: UInt64 = 0
        /// Sessions whose time was up, by the reason why the likeliest code wasn't read; `nil`: there was none.
        package var noReads: [UnreadCause?: UInt64] = [:]
        package var times = TimeHistogram()
    }

    /// Earlier days are dropped.
    static let mostDays = 8

    /// The newest last.
    package private(set) var days: [Day] = []
    private var session: UInt64?
    private var begunAt = Instant.zero

    package init() {}

    mutating func begin(session: UInt64, at now: Instant, date: String) {
        self.session = session
        begunAt = now
        change(date) { $0.sessions += 1 }
    }

    /// - Parameter session: 0 outside of sessions, where nobody knows when somebody began to wait.
    mutating func accept(session: UInt64, at now: Instant, date: String) {
        // Only to its first scan.
        let time = session == self.session ? begunAt.duration(to: now) : nil
        if time != nil { self.session = nil }
        change(date) { day in
            day.scans += 1
            if let time { day.times.add(time) }
        }
    }

    mutating func noRead(for cause: UnreadCause?, date: String) { change(date) { $0.noReads[cause, default: 0] += 1 } }

    private mutating func change(_ date: String, _ change: (inout Day) -> Void) {
        if days.last?.date != date {
            // A clock that is set back goes on with the day that it comes to.
            if let index = days.firstIndex(where: { $0.date == date }) {
                days.append(days.remove(at: index))
            } else {
                days.append(Day(date: date))
            }
            if days.count > Self.mostDays { days.removeFirst() }
        }
        change(&days[days.count - 1])
    }

    var json: JSONValue { .array(days.map(\.json)) }

    /// What the journal keeps between runs.
    var stored: String { JSONValue.array(days.map(\.stored)).description }

    /// Adds what was counted before; a text that isn't `stored`'s adds nothing.
    mutating func add(stored text: String) {
        let earlier = (try? JSONValue(parsing: text.utf8))?.arrayValue?.compactMap(Day.init(stored:)) ?? []
        var sums = Dictionary(earlier.map { ($0.date, $0) }) { $0 + $1 }
        for day in days { sums[day.date] = sums[day.date].map { $0 + day } ?? day }
        // The day that is being counted stays the newest, whatever the clock said earlier.
        let newest = days.last?.date
        let others = sums.values.filter { $0.date != newest }.sorted { $0.date < $1.date }
        days = Array((others + [newest.flatMap { sums[$0] }].compactMap(\.self)).suffix(Self.mostDays))
    }
}

extension ReadingFigures.Day {
    fileprivate static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.sessions &+= other.sessions
        sum.scans &+= other.scans
        sum.noReads.merge(other.noReads) { $0 &+ $1 }
        sum.times.add(other.times)
        return sum
    }

    fileprivate var stored: JSONValue {
        .object([
            "date": .string(date), "sessions": .count(sessions), "scans": .count(scans), "noReads": .object(causes),
            "times": .array(times.counts.map { .integer(Int64($0)) }),
        ])
    }

    fileprivate init?(stored json: JSONValue) {
        func count(_ value: JSONValue?) -> UInt64? { value?.integerValue.flatMap(UInt64.init(exactly:)) }
        guard let date = json["date"]?.stringValue, date.utf8.count == 10, let sessions = count(json["sessions"]),
            let scans = count(json["scans"]),
            let times = TimeHistogram(
                json["times"]?.arrayValue?.compactMap { count($0).flatMap(UInt32.init(exactly:)) })
        else { return nil }
        self.init(date: date, sessions: sessions, scans: scans, times: times)
        for (name, value) in json["noReads"]?.objectValue ?? [:] {
            guard let number = count(value) else { continue }
            if name == Self.nothingSeen { noReads[nil] = number }
            if let cause = UnreadCause(rawValue: name) { noReads[cause] = number }
        }
    }

    private static let nothingSeen = "nothingSeen"

    fileprivate var causes: [String: JSONValue] {
        var causes: [String: JSONValue] = [:]
        for (cause, count) in noReads { causes[cause?.rawValue ?? Self.nothingSeen] = .count(count) }
        return causes
    }
}

extension ReadingFigures.Day {
    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = [
            "date": .string(date), "sessions": .count(sessions), "scans": .count(scans), "noReads": .object(causes),
        ]
        if let median = times.quantile(0.5), let late = times.quantile(0.95) {
            fields["timeToRead"] = .object([
                "count": .count(times.count), "medianMs": .number(median.milliseconds.rounded()),
                "p95Ms": .number(late.milliseconds.rounded()),
            ])
        }
        return .object(fields)
    }
}

/// Durations by size, in steps of a twentieth, from a millisecond to an hour.
package struct TimeHistogram: Hashable, Sendable {
    private static let step = 1.05
    private static let steps = 310

    /// Empty until there is a first one.
    fileprivate private(set) var counts: [UInt32] = []
    package private(set) var count: UInt64 = 0

    package init() {}

    /// - Parameter counts: by step; `nil` if they can't be a histogram's.
    fileprivate init?(_ counts: [UInt32]?) {
        guard let counts, counts.isEmpty || counts.count == Self.steps else { return nil }
        self.counts = counts
        count = counts.reduce(0) { $0 + UInt64($1) }
    }

    fileprivate mutating func add(_ other: TimeHistogram) {
        guard !other.counts.isEmpty else { return }
        counts = counts.isEmpty ? other.counts : zip(counts, other.counts).map { $0 &+ $1 }
        count &+= other.count
    }

    mutating func add(_ time: Duration) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.steps) }
        var (index, limit) = (0, 1.0)
        while index < Self.steps - 1, time.milliseconds > limit {
            limit *= Self.step
            index += 1
        }
        counts[index] &+= 1
        count += 1
    }

    /// The duration that this part of all doesn't exceed, up to a twentieth too long; `nil` if there are none.
    package func quantile(_ part: Double) -> Duration? {
        guard count > 0 else { return nil }
        var left = (Double(count) * part).rounded(.up)
        var limit = 1.0
        for number in counts {
            left -= Double(number)
            if left <= 0 { break }
            limit *= Self.step
        }
        return .microseconds(Int64(limit * 1000))
    }
}
