import Vocabulary

/// Why the torch's mode couldn't be set.
package enum TorchError: Error, Hashable, Sendable, CustomStringConvertible {
    case notConfigured
    /// We don't hold its line; the message says why and what to do.
    case line(String)
    case coolingDown(until: Instant, remaining: Duration, maxOnTime: Duration)
    case systemPressure
    /// The line was driven, but reads back as it was.
    case noEffect(line: String)
    case shutDown

    package var message: String {
        switch self {
        case .notConfigured:
            "this station has no torch: name its line with torch.line in the configuration"
        case .line(let message):
            "the torch isn't available: \(message)"
        case .coolingDown(_, let remaining, let maxOnTime):
            "the torch was on for its maximum of \(Self.seconds(maxOnTime)) s and cools down for another "
                + "\(Self.seconds(remaining)) s: try again then, or change torch.maxOnTime"
        case .systemPressure:
            "the torch stays off while the system is too hot or short of power: see `scanstation doctor`"
        case .noEffect(let line):
            "\(line) was driven active but still reads inactive: check the wiring for a short circuit"
        case .shutDown:
            "the station is shutting down: the torch stays off"
        }
    }

    package var description: String { message }

    /// Whole seconds, rounded up: "another 0 s" would be a lie.
    private static func seconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return max(0, seconds + (attoseconds > 0 ? 1 : 0))
    }
}
