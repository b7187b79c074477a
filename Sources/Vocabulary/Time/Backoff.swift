/// How long to wait before the next attempt: doubles from `first` to `longest`, starts over after a success.
package struct Backoff: Hashable, Sendable {
    package private(set) var first: Duration
    package private(set) var longest: Duration
    /// Waits handed out since the last `reset`.
    package private(set) var attempts = 0

    /// A `first` that isn't positive counts as 1 ms, so that no loop can spin; `longest` is at least `first`.
    package init(first: Duration, longest: Duration) {
        self.first = max(first, .milliseconds(1))
        self.longest = max(longest, self.first)
    }

    /// Uses other waits from the next one on; the attempts so far still count.
    package mutating func change(first: Duration, longest: Duration) {
        let attempts = attempts
        self = Backoff(first: first, longest: longest)
        self.attempts = attempts
    }

    /// The wait before the next attempt.
    package mutating func next() -> Duration {
        defer { if attempts < Int.max { attempts += 1 } }
        return Self.wait(afterFailures: min(attempts, 62) + 1, first: first, longest: longest)
    }

    /// The wait after this many failures in a row; after one it is `first`.
    package static func wait(afterFailures failures: Int, first: Duration, longest: Duration) -> Duration {
        var wait = first
        for _ in 1..<max(failures, 1) where wait < longest { wait = wait * 2 }
        return min(wait, longest)
    }

    package mutating func reset() { attempts = 0 }
}
