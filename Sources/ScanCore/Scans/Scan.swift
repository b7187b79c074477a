/// A sighting that was accepted as an event.
public struct Scan: Hashable, Sendable {
    /// UUIDv7, lower case, made when the scan is accepted.
    public var id: String
    /// Rises by one a scan.
    public var sequence: UInt64
    public var acceptedAt: Instant
    /// What set the session off.
    public var trigger: TriggerMode
    /// The session it answers; 0 outside sessions.
    public var session: UInt64
    public var symbol: Symbol
    /// Observations that agreed.
    public var reads: Int
    /// The frame it was read in.
    public var frame: FrameInfo
    public var decodeTime: Duration

    public init(
        id: String, sequence: UInt64, acceptedAt: Instant, trigger: TriggerMode, session: UInt64, symbol: Symbol,
        reads: Int,
        frame: FrameInfo, decodeTime: Duration
    ) {
        self.id = id
        self.sequence = sequence
        self.acceptedAt = acceptedAt
        self.trigger = trigger
        self.session = session
        self.symbol = symbol
        self.reads = reads
        self.frame = frame
        self.decodeTime = decodeTime
    }
}
