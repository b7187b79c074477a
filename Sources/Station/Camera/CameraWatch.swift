import Vocabulary

/// Watches for calls into the camera that don't come back and recoveries that lead nowhere, and decides when only a new process helps.
///
/// ```
///              blocked > patience            blocked > hangLimit
///   answering ───────────────────▶ blocked ─────────────────────▶ given up
///       ▲  ▲          comes back      │                              ▲
///       │  └──────────────────────────┘                              │
///       └─ recovery exhausted: given up if this process has ever had a frame ┘
/// ```
///
/// libcamera's `stop` can hang after a cable fault, and its pipelines can stay broken until the process ends. A thread that hangs in there
/// can't be ended alone; the process can. If this process has never had a frame, a new one would be no better off: then it keeps trying, so
/// that a missing cable doesn't make the service start and end forever.
package struct CameraWatch: Sendable {
    package enum Event: Hashable, Sendable {
        /// How long the call under way has taken; `nil`: there is none.
        case looked(blockedFor: Duration?)
        case delivered
        case recoveryExhausted(CameraFailure)
    }

    package enum Cause: Hashable, Sendable {
        case blocked(for: Duration)
        case exhausted(CameraFailure)
    }

    package enum Action: Hashable, Sendable {
        case tellBlocked(for: Duration)
        case tellItAnswers
        /// Reported once per row of failures; attempts go on.
        case tellExhausted(CameraFailure)
        /// The last action: the process has to end.
        case giveUp(Cause)
    }

    /// A call that takes longer is reported.
    package var patience: Duration
    /// A call that takes longer ends the process; `nil`: never, nor does an exhausted recovery.
    package var hangLimit: Duration?
    package private(set) var isBlocked = false
    private var hasDelivered = false
    private var hasGivenUp = false

    package init(patience: Duration, hangLimit: Duration?) {
        self.patience = patience
        self.hangLimit = hangLimit
    }

    package mutating func handle(_ event: Event) -> [Action] {
        guard !hasGivenUp else { return [] }
        switch event {
        case .delivered:
            hasDelivered = true
            return []
        case .recoveryExhausted(let failure):
            guard hasDelivered, hangLimit != nil else { return [.tellExhausted(failure)] }
            return giveUp(.exhausted(failure))
        case .looked(let blocked):
            guard let blocked, blocked > patience else {
                guard isBlocked else { return [] }
                isBlocked = false
                return [.tellItAnswers]
            }
            // Reported first, given up at a later look: after a sleep of the machine, the call gets another moment to come back.
            guard isBlocked else {
                isBlocked = true
                return [.tellBlocked(for: blocked)]
            }
            guard let hangLimit, blocked > hangLimit else { return [] }
            return giveUp(.blocked(for: blocked))
        }
    }

    private mutating func giveUp(_ cause: Cause) -> [Action] {
        hasGivenUp = true
        return [.giveUp(cause)]
    }
}
