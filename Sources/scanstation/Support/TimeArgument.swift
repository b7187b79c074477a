import ArgumentParser
import Settings
import Vocabulary

/// How long the relay is to be pulsed: `500ms`, `1.5s`, or a bare number of milliseconds.
enum PulseLength {
    static func parse(_ text: String) throws -> Duration {
        guard let length = DurationText.parse(text, bare: "ms"), RelaySettings.pulses.contains(length) else {
            throw ValidationError("the length of a pulse \(DurationText.complaint(text, in: RelaySettings.pulses))")
        }
        return length
    }
}
