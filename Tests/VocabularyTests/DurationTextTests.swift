import Testing
import Vocabulary

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "Durations are read exactly",
        arguments: [
            ("5ms", Duration.milliseconds(5)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1500)),
            ("2min", .seconds(120)),
            ("0", .zero), ("0s", .zero), ("500us", .microseconds(500)), ("500 µs", .microseconds(500)),
            ("7ns", .nanoseconds(7)),
            ("0.1ms", .microseconds(100)), ("1.25h", .seconds(4500)), ("9.9s", .milliseconds(9900)),
            ("0.000000001s", .nanoseconds(1)), ("1.5 s", .milliseconds(1500)), ("60.0s", .seconds(60)),
            ("0.30000000000000004s", .milliseconds(300)), ("0.99999999999999999999d", .nanoseconds(86_399_999_999_999)),
        ])
    func durations(_ text: String, _ expected: Duration) { #expect(DurationText.parse(text) == expected) }

    @Test(
        "What is no duration is refused",
        arguments: [
            "", "5", "ms", "-5ms", "5 m", "1.s", ".5s", "1.2.3s", "1e3s", "0.5ns", "9999999999999h", "5ms5", "٥ms",
            "1,5s",
            "0.0000000001s", "nan s", "0x10s", "+5s", "1_000ms", "5s ", " 5s", "5s\n", "5\u{301}s", "9999999999999s",
            "999999999999d", "1.000000000000000000000s",
        ])
    func noDurations(_ text: String) { #expect(DurationText.parse(text) == nil) }

    @Test(
        "Durations are written as people say them",
        arguments: [
            (Duration.milliseconds(9900), "9.9s"), (.milliseconds(150), "150ms"), (.seconds(60), "60s"),
            (.seconds(120), "2min"),
            (.seconds(86_400), "24h"), (.seconds(2 * 86_400), "2d"), (.seconds(90), "90s"), (.seconds(3600), "1h"),
            (.zero, "0s"), (.microseconds(1500), "1500us"),
            (.milliseconds(1001), "1.001s"), (.nanoseconds(1_500_000_001), "1500000001ns"), (.seconds(1), "1s"),
        ])
    func writtenDurations(_ duration: Duration, _ expected: String) {
        #expect(DurationText.text(duration) == expected)
        #expect(DurationText.parse(expected) == duration)
    }

    @Test("A number may have a unit of its own where that is documented; a unit that is written counts")
    func bare() {
        #expect(DurationText.parse("250", bare: "ms") == .milliseconds(250))
        #expect(DurationText.parse("1.5", bare: "ms") == .microseconds(1500))
        #expect(DurationText.parse("2s", bare: "ms") == .seconds(2))
        #expect(DurationText.parse("", bare: "ms") == nil)
    }

    @Test(
        "A complaint says what is taken, what was written, and what was probably meant",
        arguments: [
            ("soon", #"must be a time from 10ms to 60s, not "soon""#),
            ("500", #"must be a time from 10ms to 60s, not "500"; write 500ms"#),
            ("5 sec", #"must be a time from 10ms to 60s, not "5 sec"; write 5s"#),
            ("-5ms", #"must be a time from 10ms to 60s, not "-5ms""#),
            ("1\u{1B}[2J", #"must be a time from 10ms to 60s, not "1\u{1b}[2J""#),
        ])
    func complaints(_ text: String, _ expected: String) {
        #expect(DurationText.complaint(text, in: .milliseconds(10)...(.seconds(60))) == expected)
    }
}
