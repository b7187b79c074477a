import Vocabulary

/// A sighting that counts: everything that a `Scan` needs except its id and number, which the station adds.
package struct AcceptedSighting: Hashable, Sendable {
    /// The sighting's number in the tracker: the same for repeated scans of a code that stays.
    package var sighting: UInt64
    /// The session it answers; 0 in `presentation` and `continuous`, which have none.
    package var session: UInt64
    package var trigger: TriggerMode
    /// When it was accepted: read, or confirmed if it needed a confirmation.
    package var acceptedAt: Instant
    package var symbol: Symbol
    /// Different observations that agreed, 1…`SightingTracker.Limits.maxObservations`.
    package var reads: Int
    /// The newest frame that shows it; in a session never one exposed before the trigger.
    package var frame: FrameInfo
    /// The decode time of the frame in which it was last decoded.
    package var decodeTime: Duration

    package init(
        sighting: UInt64, session: UInt64, trigger: TriggerMode, acceptedAt: Instant, symbol: Symbol, reads: Int,
        frame: FrameInfo, decodeTime: Duration
    ) {
        self.sighting = sighting
        self.session = session
        self.trigger = trigger
        self.acceptedAt = acceptedAt
        self.symbol = symbol
        self.reads = reads
        self.frame = frame
        self.decodeTime = decodeTime
    }

    package func scan(id: String, sequence: UInt64) -> Scan {
        Scan(
            id: id, sequence: sequence, acceptedAt: acceptedAt, trigger: trigger, session: session, symbol: symbol,
            reads: reads, frame: frame, decodeTime: decodeTime)
    }
}
