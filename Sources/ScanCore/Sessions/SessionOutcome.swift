/// How a session ended.
public enum SessionOutcome: Hashable, Sendable {
    /// With this many scans, at least one.
    case scanned(Int)
    case noRead(NoReadReason)
}

/// Why a session, or a wait for a confirmation, ended without a scan. Raw values are the names on the wire.
public enum NoReadReason: String, CaseIterable, Hashable, Sendable {
    /// Nothing was read within `trigger.timeout`.
    case timeout
    /// The trigger was let go before anything was read.
    case released
    /// A second press (`trigger.pulseCancels`), a pause, a shutdown or new settings ended it.
    case cancelled
    /// A code was read, but nobody confirmed it within `confirmation.timeout`, or a new trigger came instead.
    case unconfirmed
    /// A code was read and the person said no.
    case refusedConfirmation
    /// The camera failed.
    case cameraLost
}

/// A session without a scan, as it is told to outputs.
public struct NoRead: Hashable, Sendable {
    /// 0 in `presentation` and `continuous`, where only a confirmation can fail.
    public var session: UInt64
    public var trigger: TriggerMode
    public var reason: NoReadReason
    /// From the trigger (without a session: from the read) to the end.
    public var duration: Duration

    public init(session: UInt64, trigger: TriggerMode, reason: NoReadReason, duration: Duration) {
        self.session = session
        self.trigger = trigger
        self.reason = reason
        self.duration = duration
    }
}
