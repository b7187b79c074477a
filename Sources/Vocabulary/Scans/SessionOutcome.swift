/// How a session ended.
package enum SessionOutcome: Hashable, Sendable {
    /// With this many scans, at least one.
    case scanned(Int)
    case noRead(NoReadReason)
}

/// Why a session, or a wait for a confirmation, ended without a scan. Raw values are the names on the wire.
package enum NoReadReason: String, CaseIterable, Hashable, Sendable {
    /// Nothing was read within `trigger.timeout`.
    case timeout
    /// The trigger was released before anything was read.
    case released
    /// A second press (`trigger.pulseCancels`), a pause, a shutdown or new settings ended it.
    case cancelled
    /// A code was read, but nobody confirmed it within `confirmation.timeout`, or a new trigger came instead.
    case unconfirmed
    /// A code was read and the person rejected it.
    case refusedConfirmation
    /// The camera failed.
    case cameraLost
}

/// A session without a scan, as outputs hear of it.
package struct NoRead: Hashable, Sendable {
    /// 0 in `presentation` and `continuous`, where only a confirmation can fail.
    package var session: UInt64
    package var trigger: TriggerMode
    package var reason: NoReadReason
    /// From the trigger (without a session: from the read) to the end.
    package var duration: Duration

    package init(session: UInt64, trigger: TriggerMode, reason: NoReadReason, duration: Duration) {
        self.session = session
        self.trigger = trigger
        self.reason = reason
        self.duration = duration
    }
}
