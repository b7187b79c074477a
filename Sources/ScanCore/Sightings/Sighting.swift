/// A code followed across frames.
public struct Sighting: Hashable, Sendable {
    /// Unique within the tracker, rising from 1.
    public let id: UInt64
    public let identity: SightingIdentity
    /// As it was decoded last.
    public internal(set) var symbol: Symbol
    /// The newest frame that shows it.
    public internal(set) var frame: FrameInfo
    /// The first frame that showed it.
    public let firstFrame: FrameInfo
    /// Of the frame in which it was last decoded.
    public internal(set) var decodeTime: Duration
    /// Different observations so far.
    public var reads: Int { observations.count }
    /// Enough observations agree. Only then it is told to anyone.
    public internal(set) var isConfirmed: Bool
    /// Exposure of the first frame of the run of frames that miss it; `nil` while it is in view.
    public internal(set) var missingSince: Instant?
    /// Decoded frames that missed it since.
    var missedReads = 0

    /// What it rests on, bounded by `SightingTracker.Limits.maxObservations`.
    var observations: Set<Observation>

    /// Evidence without the number of scan lines, which differs between two looks at the same pixels.
    struct Observation: Hashable, Sendable {
        let decoder: Evidence.Decoder
        let pass: UInt8
        let content: UInt64

        init(_ evidence: Evidence) {
            decoder = evidence.decoder
            pass = evidence.pass
            content = evidence.content
        }
    }
}
