/// What became of the frames since the reader was made. All rise only.
public struct ReaderCounters: Hashable, Sendable {
    /// Frames that the camera handed over while reading wasn't paused.
    public var delivered: UInt64 = 0
    /// Frames a decoder ran over to the end.
    public var read: UInt64 = 0
    /// Frames the change gate held back as nothing new.
    public var gatedUnchanged: UInt64 = 0
    /// Frames the change gate held back as showing nothing.
    public var gatedBlank: UInt64 = 0
    /// Frames that a newer one replaced while every reader was busy.
    public var droppedBusy: UInt64 = 0
    /// Frames that couldn't be taken: no shared memory for their size.
    public var refused: UInt64 = 0
    /// Results that came after newer ones had been delivered, and weren't.
    public var late: UInt64 = 0
    /// Results that nobody fetched in time.
    public var unfetched: UInt64 = 0
    /// Frames lost with a reader that crashed or answered nonsense.
    public var crashed: UInt64 = 0
    /// Frames lost to the deadline.
    public var timedOut: UInt64 = 0
    /// Symbols that a reader found but that exceeded a limit.
    public var symbolsOmitted: UInt64 = 0
    /// Reader processes started in place of lost ones.
    public var workerRestarts: UInt64 = 0
    /// Time spent in the decoders.
    public var decodeTime: Duration = .zero

    public init() {}
}
