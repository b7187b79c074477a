/// How a reader process was lost.
package enum WorkerLoss: Hashable, Sendable {
    /// It ended by itself: with a signal (its number), or with an exit status.
    case crashed(signal: Int32)
    case exited(status: Int32)
    /// It didn't answer before the deadline, and was killed.
    case timedOut
    /// Its answer broke the protocol, and it was killed.
    case garbage
    /// It wasn't ready in time after its start, and was killed.
    case neverReady
}
