import Vocabulary

/// Tries something until it succeeds, with growing, jittered waits in between: opening a serial device, binding a socket, delivering an
/// event.
///
/// ```
///            begin                 failed
///   idle ───────────▶ attempting ──────────▶ waiting ──┐ timer, conditionsChanged
///    ▲                 │   ▲ └─ too many: exhausted     │
///    └─ succeeded ─────┘   └────────────────────────────┘
/// ```
/// `abandon` leads to `idle` from everywhere. Events that don't fit the phase are ignored: a timer may fire late.
package struct RetryMachine: Hashable, Sendable {
    package struct Policy: Hashable, Sendable {
        /// The wait after the first failure.
        package var initial: Duration
        /// No wait is longer than this (before jitter).
        package var maximum: Duration
        /// The random share of each wait, 0…1: 0.2 means ±20 %. It keeps many stations from returning at once.
        package var jitter: Double
        /// Attempts before the machine gives up; `nil`: never.
        package var maxAttempts: Int?

        package init(
            initial: Duration = .milliseconds(100), maximum: Duration = .seconds(5), jitter: Double = 0.2,
            maxAttempts: Int? = nil
        ) {
            self.initial = initial
            self.maximum = maximum
            self.jitter = min(max(jitter, 0), 1)
            self.maxAttempts = maxAttempts
        }
    }

    package enum Phase: Hashable, Sendable {
        case idle
        /// `number` counts from 1.
        case attempting(number: Int)
        case waiting(failures: Int, until: Instant)
    }

    package enum Event: Hashable, Sendable {
        case begin
        case succeeded
        case failed
        /// The time asked for by `wakeAt` has come.
        case timer
        /// A reason to try at once and to reset the back-off: the network, the clock or the device came back.
        case conditionsChanged
        case abandon
    }

    package enum Action: Hashable, Sendable {
        /// Try now; `number` counts from 1.
        case attempt(number: Int)
        /// Feed `timer` at this time; `nil`: no timer is needed any more.
        case wakeAt(Instant?)
        /// `maxAttempts` attempts failed; the machine is idle again.
        case exhausted(attempts: Int)
    }

    package let policy: Policy
    package private(set) var phase: Phase = .idle
    /// Enough for jitter, and the same seed gives the same waits in a test.
    private var random: SplitMix64

    package init(policy: Policy = Policy(), seed: UInt64) {
        self.policy = policy
        random = SplitMix64(seed: seed)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (event, phase) {
        case (.begin, .idle):
            phase = .attempting(number: 1)
            return [.attempt(number: 1)]
        case (.succeeded, .attempting):
            phase = .idle
            return []
        case (.failed, .attempting(let number)):
            if let limit = policy.maxAttempts, number >= limit {
                phase = .idle
                return [.exhausted(attempts: number)]
            }
            let until = now.advanced(by: wait(afterFailures: number))
            phase = .waiting(failures: number, until: until)
            return [.wakeAt(until)]
        case (.timer, .waiting(let failures, let until)):
            // A timer that was set for an earlier wait must not shorten this one.
            guard now >= until else { return [.wakeAt(until)] }
            phase = .attempting(number: failures + 1)
            return [.attempt(number: failures + 1)]
        case (.conditionsChanged, .waiting):
            phase = .attempting(number: 1)
            return [.wakeAt(nil), .attempt(number: 1)]
        case (.abandon, .waiting):
            phase = .idle
            return [.wakeAt(nil)]
        case (.abandon, .attempting):
            phase = .idle
            return []
        default:
            return []
        }
    }

    private mutating func wait(afterFailures failures: Int) -> Duration {
        let wait = Backoff.wait(afterFailures: failures, first: policy.initial, longest: policy.maximum)
        return wait * (1 + policy.jitter * (2 * random.nextUnit() - 1))
    }
}
