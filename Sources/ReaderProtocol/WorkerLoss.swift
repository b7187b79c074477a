/// How a reader process was lost.
package enum WorkerLoss: Hashable, Sendable {
    /// It ended by itself: with a signal (its number), or with an exit status.
    case crashed(signal: Int32)
    case exited(status: Int32)
    /// It didn't answer before the deadline, and was killed.
    case timedOut
    /// It answered what the protocol doesn't allow, and was killed.
    case garbage
    /// It wasn't ready in time after its start, and was killed.
    case neverReady
}
