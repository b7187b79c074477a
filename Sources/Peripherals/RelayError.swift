import Vocabulary

/// Why the relay wasn't pulsed.
package enum RelayError: Error, Hashable, Sendable, CustomStringConvertible {
    case notConfigured
    /// We don't hold its line, or lost it just now.
    case line(String)
    case tooShort(Duration, shortest: Duration)
    case tooLong(Duration, longest: Duration)
    case shutDown
    /// The machine stood still in between.
    case tooLate

    package var message: String {
        switch self {
        case .notConfigured:
            "this station has no relay: name its line with relay.line in the configuration"
        case .line(let message):
            "the relay can't be switched: \(message)"
        case .tooShort(let wanted, let shortest):
            "a relay pulse of \(DurationText.text(wanted)) is too short: the shortest is \(DurationText.text(shortest))"
        case .tooLong(let wanted, let longest):
            "a relay pulse of \(DurationText.text(wanted)) is too long: relay.maxPulse allows \(DurationText.text(longest))"
        case .tooLate:
            "the machine stood still until it was too late: whoever it was for may have left. Check its load and its power"
        case .shutDown:
            "the station is shutting down: the relay stays off"
        }
    }

    package var description: String { message }
}
