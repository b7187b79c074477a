import Vocabulary

/// When to ask why what looks like a code isn't read: not more often than a person can follow, twice for a picture that holds, in idle time if
/// there is any. Most codes are read at once, so nobody asks in the first moments.
struct DiagnosisPlan: Sendable {
    /// Before the first diagnosis.
    static let delay = Duration.milliseconds(300)
    /// Between two.
    static let interval = Duration.milliseconds(500)
    /// If the readers are never idle, it is asked for anyway after this.
    static let patience = Duration.seconds(2)
    /// A picture that holds: whatever changed last in it is in the first one, too.
    static let mostOfPicture = 2
    /// A picture that ends a process is likely to do so again, so diagnoses rest, longer each time.
    static let firstRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(120)

    private var picture: (number: UInt64, diagnoses: Int)?
    private var latest: Instant?
    /// When frames began to come, without a diagnosis since.
    private var wantedSince: Instant?
    private var losses = 0
    private var restsUntil: Instant?

    mutating func isDue(for picture: UInt64, isBusy: Bool, at now: Instant) -> Bool {
        guard restsUntil.map({ $0 <= now }) ?? true else { return false }
        if let latest {
            let isNew = picture != self.picture?.number
            guard isNew || (self.picture?.diagnoses ?? 0) < Self.mostOfPicture else { return false }
            return latest.duration(to: now) >= (isBusy ? Self.patience : Self.interval)
        }
        let since = wantedSince ?? now
        wantedSince = since
        return since.duration(to: now) >= (isBusy ? Self.patience : Self.delay)
    }

    mutating func begin(for picture: UInt64, at now: Instant) {
        self.picture = (picture, (self.picture?.number == picture ? self.picture?.diagnoses ?? 0 : 0) + 1)
        latest = now
        wantedSince = nil
    }

    mutating func end() { losses = 0 }

    /// Its process is gone.
    mutating func lose(at now: Instant) {
        losses += 1
        restsUntil = now.advanced(
            by: Backoff.wait(afterFailures: losses, first: Self.firstRest, longest: Self.longestRest))
    }

    /// After a pause, or by other rules, everything is to be diagnosed again.
    mutating func forget() {
        picture = nil
        latest = nil
        wantedSince = nil
    }
}
