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
    /// The decode time of the frame in which it was last decoded.
    package internal(set) var decodeTime: Duration
    /// Different observations so far.
    package var reads: Int { observations.count }
    /// Enough observations agree. Nobody hears of it before that.
    package internal(set) var isConfirmed: Bool
    /// Exposure of the first frame of the run of frames that miss it; `nil` while it is in view.
    package internal(set) var missingSince: Instant?
    /// Frames in a row that showed it without another code at its place, while it isn't confirmed.
    var undisputedLooks = 0
    /// The least effort that has seen it.
    var effort: Effort
    /// Decoded frames that missed it since.
    var missedReads = 0
    /// How it was seen by the frames that were decoded, or held its picture, while it was in view.
    var regularity = Regularity()
    /// Where something lies unread that may be this code, as the newest frame shows it; `nil`: where it was seen last.
    var unreadPlace: Quad?

    /// The soft reader has contradicted it: what a picture that holds showed before says nothing more.
    private(set) var wasRefuted = false
    /// The passes that found it; the same pass counts again from another viewpoint.
    var tally = EvidenceTally()
    var viewpoint: Viewpoint?

    /// How many of the frames between its first look and its newest one showed it.
    struct Regularity: Hashable {
        private var looks = 0
        private var shownOrBetween = 0
        private var missedSince = 0
        /// Frames since its first look, whether they showed it or not.
        var frames: Int { shownOrBetween + missedSince }

        mutating func noteSeen() {
            looks += 1
            shownOrBetween += missedSince + 1
            missedSince = 0
        }

        mutating func noteMissed() { missedSince += 1 }

        /// A frame that misses it says little: it was seen once or twice so far, or by no more than every second frame.
        var isRare: Bool { looks <= 2 || 2 * looks <= shownOrBetween }
    }

    /// Where a code was, while it moved little. A moved code is lit, blurred and sampled otherwise: that is another look, where another
    /// frame of a still picture has the same errors again.
    struct Viewpoint: Hashable {
        /// Parts of the frame's width and height: some pixels. The ends of a code jitter by less.
        static let reach = 0.006

        var centre: Point
        var number: Int
    }

    /// - Parameter limit: of observations, and of viewpoints.
    mutating func add(_ look: Symbol, limit: Int) {
        if observations.count < limit { observations.insert(Observation(look.evidence)) }
        guard !isConfirmed else { return }
        let centre = look.corners.centre
        if viewpoint.map({ $0.centre.squaredDistance(to: centre) > Viewpoint.reach * Viewpoint.reach }) ?? true {
            // From the limit on, looks from anywhere are looks from the last one.
            viewpoint = Viewpoint(centre: centre, number: min(limit, (viewpoint?.number ?? -1) + 1))
        }
        // Viewpoint and pass in one number.
        let number = ((viewpoint?.number ?? 0) << UInt8.bitWidth) + Int(look.evidence.pass)
        tally.add(
            look.evidence.decoder, pass: number, strength: look.evidence.strength, picture: look.evidence.content)
    }

    /// What was seen of it so far counts no more.
    mutating func beginAgain() {
        wasRefuted = true
        tally = EvidenceTally()
        viewpoint = nil
        observations = []
        undisputedLooks = 0
    }

    enum Effort: Comparable, Hashable {
        case quick, thorough, ladder

        init(_ result: ReadResult) { self = result.isRead ? result.isThorough ? .thorough : .quick : .ladder }
    }

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
