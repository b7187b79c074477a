import Testing
import Vocabulary
import Wire

@testable import Station

@Suite("Figures of reading, a day at a time")
struct ReadingFiguresTests {
    private func moment(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    @Test("sessions, scans, no-reads by reason, and the time from trigger to scan") func day() throws {
        var figures = ReadingFigures()
        for session in 1...100 {
            figures.begin(session: UInt64(session), at: moment(10_000 * session), date: "2026-11-24")
            // 95 of them take 0.2 s, the others 3 s.
            let time = session <= 95 ? 200 : 3000
            figures.accept(session: UInt64(session), at: moment(10_000 * session + time), date: "2026-11-24")
            // The second code of a session says nothing about how long a person waited.
            figures.accept(session: UInt64(session), at: moment(10_000 * session + 9000), date: "2026-11-24")
        }
        figures.noRead(for: .tooSmall, date: "2026-11-24")
        figures.noRead(for: .tooSmall, date: "2026-11-24")
        figures.noRead(for: nil, date: "2026-11-24")
        let day = try #require(figures.days.first)
        #expect(day.sessions == 100 && day.scans == 200 && day.times.count == 100)
        let median = try #require(day.times.quantile(0.5)?.milliseconds)
        let late = try #require(day.times.quantile(0.96)?.milliseconds)
        #expect((200...210).contains(median) && (3000...3150).contains(late))
        #expect(figures.json.arrayValue?.first?["noReads"] == ["tooSmall": 2, "nothingSeen": 1])
    }

    @Test("are the same after a restart, and are added to what was counted before it") func stored() {
        var before = ReadingFigures()
        before.begin(session: 1, at: moment(0), date: "2026-11-23")
        before.accept(session: 1, at: moment(300), date: "2026-11-23")
        before.begin(session: 2, at: moment(0), date: "2026-11-24")
        before.noRead(for: .glare, date: "2026-11-24")
        before.noRead(for: nil, date: "2026-11-24")
        var after = ReadingFigures()
        after.add(stored: before.stored)
        #expect(after.days == before.days)

        after = ReadingFigures()
        after.begin(session: 1, at: moment(0), date: "2026-11-24")
        after.accept(session: 1, at: moment(300), date: "2026-11-24")
        after.noRead(for: nil, date: "2026-11-24")
        after.add(stored: before.stored)
        #expect(after.days.map(\.date) == ["2026-11-23", "2026-11-24"])
        let day = after.days.last
        #expect(day?.sessions == 2 && day?.scans == 1 && day?.times.count == 1)
        #expect(day?.noReads == [.glare: 1, nil: 2])
        // It is still the day that is counted, although the clock says an earlier one by now.
        #expect(after.days.count == 2)
    }

    @Test(
        "a text that isn't theirs adds nothing",
        arguments: [
            "", "{}", "[1]", "[{\"date\": \"2026-11-24\"}]",
            "[{\"date\": \"2026-11-24\", \"sessions\": -1, \"scans\": 1, \"noReads\": {}, \"times\": []}]",
            "[{\"date\": \"2026-11-24\", \"sessions\": 1, \"scans\": 1, \"noReads\": {}, \"times\": [1, 2]}]",
        ])
    func strange(text: String) {
        var figures = ReadingFigures()
        figures.add(stored: text)
        #expect(figures.days.isEmpty)
    }

    @Test("scans outside of sessions have no time; each day begins at zero; a week is kept") func days() {
        var figures = ReadingFigures()
        for day in 10...22 { figures.accept(session: 0, at: moment(day), date: "2026-11-\(day)") }
        #expect(figures.days.map(\.scans) == Array(repeating: 1, count: 8))
        #expect(figures.days.last?.date == "2026-11-22" && figures.days.last?.times.quantile(0.5) == nil)
        // The clock was wrong, and is set back.
        figures.accept(session: 0, at: moment(50), date: "2026-11-20")
        #expect(figures.days.last?.scans == 2 && figures.days.last?.date == "2026-11-20")
    }
}
