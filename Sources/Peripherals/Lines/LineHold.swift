import Vocabulary

/// Whether we hold a line, and when to try again if not. One for every line of the station.
///
/// ```
/// idle ──start──▶ opening ──opened──▶ held ──failed──▶ waiting ──(back-off passed)──▶ opening
///                    └────────failed──────────────────────▲
/// any ──stop──▶ stopped
/// ```
/// The first failure and every failure for another reason is reported as lost; the first success after one as recovered.
/// The back-off starts over only after the line has been held for a while, so that a line that fails at each use isn't hammered.
package struct LineHold: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Wait before the first new attempt; doubles with each failure.
        package var firstRetry: Duration = .milliseconds(500)
        package var longestRetry: Duration = .seconds(30)
        /// Held this long, a line counts as sound and the back-off starts over.
        package var soundAfter: Duration = .seconds(10)
        /// How often to check whether a held line's chip is still there.
        package var checkInterval: Duration = .seconds(5)

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        case start
        case opened
        /// Opening or using it failed, with a text for people.
        case failed(String)
        case tick
        case stop
    }

    package enum Action: Hashable, Sendable {
        case open
        /// Drop the handle: it is useless now.
        case discard
        /// Ask the line for its level, to see whether it is still there.
        case check
        case lost(String)
        case recovered
        /// Drive the safe level and give the line back.
        case giveBack
    }

    package enum State: Hashable, Sendable {
        case idle, opening, held
        case waiting(reason: String, until: Instant)
        case stopped
    }

    package private(set) var state = State.idle
    package let limits: Limits
    private var retry: Backoff
    private var heldSince: Instant?
    private var checkAt: Instant?
    /// The reported failure that no recovery has followed yet.
    private var reported: String?

    package init(limits: Limits = Limits()) {
        self.limits = limits
        retry = Backoff(first: limits.firstRetry, longest: limits.longestRetry)
    }

    package var isHeld: Bool { state == .held }

    /// Why the line isn't held; `nil` when it is, or when nobody asked for it.
    package var problem: String? {
        if case .waiting(let reason, _) = state { reason } else { nil }
    }

    /// When `tick` is due next.
    package var wakeAt: Instant? {
        switch state {
        case .waiting(_, let until): until
        case .held: checkAt
        case .idle, .opening, .stopped: nil
        }
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (event, state) {
        case (.stop, .held):
            state = .stopped
            return [.giveBack]
        case (.stop, _):
            state = .stopped
            return []
        case (.start, .idle):
            state = .opening
            return [.open]
        case (.opened, .opening):
            state = .held
            heldSince = now
            checkAt = now.advanced(by: limits.checkInterval)
            guard reported != nil else { return [] }
            reported = nil
            return [.recovered]
        case (.failed(let reason), .opening):
            return lose(reason, at: now)
        case (.failed(let reason), .held):
            if let since = heldSince, since.duration(to: now) >= limits.soundAfter { retry.reset() }
            return [.discard] + lose(reason, at: now)
        case (.tick, .waiting(_, let until)) where now >= until:
            state = .opening
            return [.open]
        case (.tick, .held):
            guard let due = checkAt, now >= due else { return [] }
            checkAt = now.advanced(by: limits.checkInterval)
            return [.check]
        default:
            return []
        }
    }

    private mutating func lose(_ reason: String, at now: Instant) -> [Action] {
        state = .waiting(reason: reason, until: now.advanced(by: retry.next()))
        guard reported != reason else { return [] }
        reported = reason
        return [.lost(reason)]
    }
}
