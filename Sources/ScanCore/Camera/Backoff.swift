/// How long to wait before the next attempt: doubles from `first` to `longest`, starts over after a success.
public struct Backoff: Hashable, Sendable {
    public private(set) var first: Duration
    public private(set) var longest: Duration
    /// Waits handed out since the last `reset`.
    public private(set) var attempts = 0

    /// A `first` that isn't positive counts as 1 ms, so that no loop can spin; `longest` is at least `first`.
    public init(first: Duration, longest: Duration) {
        self.first = max(first, .milliseconds(1))
        self.longest = max(longest, self.first)
    }

    /// Other waits from the next one on; the attempts so far still count.
    public mutating func change(first: Duration, longest: Duration) {
        let attempts = attempts
        self = Backoff(first: first, longest: longest)
        self.attempts = attempts
    }

    /// The wait before the next attempt.
    public mutating func next() -> Duration {
        defer { if attempts < Int.max { attempts += 1 } }
        var wait = first
        for _ in 0..<min(attempts, 62) {
            wait = wait * 2
            if wait >= longest { return longest }
        }
        return wait
    }

    public mutating func reset() { attempts = 0 }
}
