import Vocabulary

/// When to ask why what looks like a code isn't read: not more often than a person can follow, once for a picture that holds, in idle time if
/// there is any.
struct DiagnosisPlan: Sendable {
    /// Between two diagnoses.
    static let interval = Duration.milliseconds(500)
    /// If the readers are never idle, it is asked for anyway after this.
    static let patience = Duration.seconds(2)
    /// A picture that ends a process is likely to do so again, so diagnoses rest, longer each time.
    static let firstRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(120)

    private var latest: (picture: UInt64, at: Instant)?
    private var losses = 0
    private var restsUntil: Instant?

    func isDue(for picture: UInt64, isBusy: Bool, at now: Instant) -> Bool {
        guard restsUntil.map({ $0 <= now }) ?? true else { return false }
        guard let latest else { return !isBusy }
        return picture != latest.picture
            && latest.at.duration(to: now) >= (isBusy ? Self.patience : Self.interval)
    }

    mutating func begin(for picture: UInt64, at now: Instant) {
        latest = (picture, now)
    }

    mutating func end() { losses = 0 }

    /// Its process is gone.
    mutating func lose(at now: Instant) {
        losses += 1
        restsUntil = now.advanced(
            by: Backoff.wait(afterFailures: losses, first: Self.firstRest, longest: Self.longestRest))
    }

    /// A picture that was diagnosed before is to be diagnosed again: after a pause, or by other rules.
    mutating func forget() { latest = nil }
}
