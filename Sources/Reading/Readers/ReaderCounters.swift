/// What became of the frames since the reader was created. The counters only rise.
package struct ReaderCounters: Hashable, Sendable {
    /// Frames that the camera handed over while reading wasn't paused.
    package var delivered: UInt64 = 0
    /// Frames that a decoder read to the end.
    package var read: UInt64 = 0
    /// Frames that the change gate held back because they showed nothing new.
    package var gatedUnchanged: UInt64 = 0
    /// Frames that the change gate held back because they showed nothing.
    package var gatedBlank: UInt64 = 0
    /// Frames that a newer one replaced while every reader was busy.
    package var droppedBusy: UInt64 = 0
    /// Frames that couldn't be taken: no shared memory for their size.
    package var refused: UInt64 = 0
    /// Results that came after newer ones had been delivered: they say what they saw, beside the others.
    package var late: UInt64 = 0
    /// Results that nobody fetched in time.
    package var unfetched: UInt64 = 0
    /// Frames lost with a reader that crashed or answered nonsense.
    package var crashed: UInt64 = 0
    /// Frames lost because a reader missed the deadline.
    package var timedOut: UInt64 = 0
    /// Symbols that a reader found but that exceeded a limit.
    package var symbolsOmitted: UInt64 = 0
    /// Reader processes started to replace lost ones.
    package var workerRestarts: UInt64 = 0
    /// Time spent in the decoders.
    package var decodeTime: Duration = .zero

    package init() {}
}
