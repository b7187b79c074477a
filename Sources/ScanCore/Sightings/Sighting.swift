import Vocabulary

/// A code followed across frames.
package struct Sighting: Hashable, Sendable {
    /// Unique within the tracker, rising from 1.
    package let id: UInt64
    package let identity: SightingIdentity
    /// As it was decoded last.
    package internal(set) var symbol: Symbol
    /// The newest frame that shows it.
    package internal(set) var frame: FrameInfo
    /// The first frame that showed it.
    package let firstFrame: FrameInfo
    /// Of the frame in which it was last decoded.
    package internal(set) var decodeTime: Duration
    /// Different observations so far.
    package var reads: Int { observations.count }
    /// Enough observations agree. Nobody hears of it before that.
    package internal(set) var isConfirmed: Bool
    /// Exposure of the first frame of the run of frames that miss it; `nil` while it is in view.
    package internal(set) var missingSince: Instant?
    /// Frames in a row that showed it without another code at its place, while it isn't confirmed.
    var undisputedLooks = 0
    /// No read has seen it, only the ladder.
    var isForLadder: Bool
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
