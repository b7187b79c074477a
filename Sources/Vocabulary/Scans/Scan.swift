/// A sighting that was accepted as an event.
package struct Scan: Hashable, Sendable {
    /// UUIDv7, lower case, made when the scan is accepted.
    package var id: String
    /// Rises by one with each scan.
    package var sequence: UInt64
    package var acceptedAt: Instant
    /// What set the session off.
    package var trigger: TriggerMode
    /// The session it answers; 0 outside sessions.
    package var session: UInt64
    package var symbol: Symbol
    /// Observations that agreed.
    package var reads: Int
    /// The frame it was read in.
    package var frame: FrameInfo
    package var decodeTime: Duration

    package init(
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
