import ArgumentParser
import Settings
import Vocabulary

/// A time on the command line, written as in the configuration: `500ms`, `1.5s`; or a number, whose unit the help names.
enum TimeArgument {
    /// How long the relay is pulsed; a bare number is milliseconds.
    static func pulse(_ text: String) throws -> Duration { try parse(text, in: RelaySettings.pulses, bare: "ms") }

    static func parse(_ text: String, in range: ClosedRange<Duration>, bare: String) throws -> Duration {
        guard let time = DurationText.parse(text, bare: bare), range.contains(time) else {
            throw ValidationError("it \(DurationText.complaint(text, in: range))")
        }
        return time
    }
}
