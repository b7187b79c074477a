import Testing

@testable import Wire

@Suite("Local time")
struct LocalTimeTests {
    @Test(
        "has the distance from UTC behind it, and its own day",
        arguments: [
            (7_200, "2026-11-22", "01:14:40.125 +02:00"), (0, "2026-11-21", "23:14:40.125 +00:00"),
            (-12_600, "2026-11-21", "19:44:40.125 -03:30"), (45_900, "2026-11-22", "11:59:40.125 +12:45"),
        ])
    func zones(offset: Int, date: String, time: String) {
        let moment = "2026-11-21T23:14:40.125Z"
        let zone: LocalTime.Zone = { seconds in
            #expect(seconds == 1_795_302_880)
            return offset
        }
        #expect(LocalTime.time(moment, in: zone) == time)
        #expect(LocalTime.date(moment, in: zone) == date)
        #expect(LocalTime.dateAndTime(moment, in: zone) == "\(date) \(time.prefix(8)) \(time.suffix(6))")
    }

    @Test("what is no time stays as it is, escaped", arguments: ["", "noon", "2026-11-21T23:14:40Z", "\u{1B}[2J"])
    func nonsense(text: String) {
        #expect(LocalTime.time(text) == TerminalText.escape(text))
        #expect(LocalTime.date(text).isEmpty)
    }

    @Test("the first and last moments of the clock have one")
    func ends() {
        for nanoseconds in [Int64.min, .max] {
            let text = WallTime.rfc3339(nanoseconds: nanoseconds)
            _ = LocalTime.time(text, in: { _ in nanoseconds < 0 ? -86_400 : 86_400 })
        }
    }
}
