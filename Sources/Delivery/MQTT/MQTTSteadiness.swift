import Vocabulary

/// Whether connections to a broker last. One that takes a client and soon closes it, several times in a row, has probably another client with
/// the same id, and then the next success mustn't make the station knock as fast as it can.
struct MQTTSteadiness: Hashable, Sendable {
    /// A connection that ends sooner than this was short.
    let shortLife: Duration
    /// How many short ones in a row mean a fight over the id.
    let mostShortLives: Int
    /// Ends in a row for which the broker gave another client as the reason.
    private var takeovers = 0
    private var shortLives = 0

    init(shortLife: Duration, mostShortLives: Int) {
        self.shortLife = shortLife
        self.mostShortLives = mostShortLives
    }

    /// Whether what a connection achieves counts as a success at once, not only when it has lasted.
    var isTrusted: Bool { takeovers == 0 && shortLives < mostShortLives }

    /// The broker says that another client has come with our id.
    /// - Returns: how many times in a row.
    mutating func takenOver() -> Int {
        takeovers += 1
        return takeovers
    }

    /// A connection that the broker had accepted ended without a reason.
    /// - Returns: how many short ones there were in a row, if that means a fight over the id. MQTT 5 has a reason for it (142), but brokers don't
    ///   always give it (mosquitto 2.0.11 doesn't).
    mutating func ended(acceptedAt: Instant, at now: Instant) -> Int? {
        shortLives = acceptedAt.duration(to: now) < shortLife ? shortLives + 1 : 0
        return shortLives > 0 && shortLives >= mostShortLives ? shortLives : nil
    }

    /// The broker didn't answer: it was stopped, or can't be reached, which is no fight over the id.
    mutating func wasNotReached() { shortLives = 0 }

    /// A connection has lasted.
    mutating func hasLasted() { (takeovers, shortLives) = (0, 0) }
}
