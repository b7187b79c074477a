import ReaderProtocol
import Vocabulary

/// A code that some passes saw: one verdict at one place, with all the evidence for it.
struct Candidate {
    /// The same for each reading, but for the AIM identifier, which tells of an add-on.
    private(set) var verdict: SymbologyRules.Verdict
    /// The most informative reading: ZXing's before the others', otherwise the first.
    private(set) var reading: PassReading
    private(set) var tally = EvidenceTally()
    /// Every pass that found it, each once, in the order of the passes.
    private(set) var looks: [Look] = []
    /// The soft reader reads something else there.
    private(set) var isRefuted = false
    private var isVerified = false

    /// What one pass found.
    struct Look: Hashable {
        let decoder: Evidence.Decoder
        let pass: Int
        /// See `Evidence.strength`.
        let strength: Int
        /// Of the newest frame in which the pass found it (see `PassReading.content`).
        fileprivate(set) var content: UInt64?
    }

    init(_ verdict: SymbologyRules.Verdict, _ reading: PassReading) {
        self.verdict = verdict
        self.reading = reading
        count(reading)
    }

    mutating func add(_ other: PassReading, _ verdict: SymbologyRules.Verdict) {
        // In another frame it may be somewhere else.
        let isOfOtherFrame = other.content != reading.content
        let (nearer, farther) = isOfOtherFrame ? (other, reading) : (reading, other)
        let extent = nearer.hasExtent ? nearer.corners : farther.hasExtent ? farther.corners : nil
        let addOn = reading.addOn ?? (other.decoder == .zxing ? other.addOn : nil)
        if reading.addOn == nil, addOn != nil { self.verdict = verdict }
        if other.decoder == .zxing && reading.decoder != .zxing { reading = other }
        reading.addOn = addOn
        if isOfOtherFrame, !verdict.symbology.isLinear { reading.corners = other.corners }
        if other.decoder == reading.decoder, other.pass == reading.pass { reading.content = other.content }
        if let extent {
            reading.corners = extent
            reading.hasExtent = true
        }
        count(other)
    }

    private mutating func count(_ reading: PassReading) {
        let look = Look(reading)
        if let known = looks.firstIndex(where: { $0.decoder == look.decoder && $0.pass == look.pass }) {
            looks[known].content = look.content
        } else {
            looks.append(look)
        }
        tally.add(reading.decoder, pass: reading.pass, strength: reading.strength)
    }

    /// Whether the soft reader must be asked, and hasn't been.
    var needsOpinion: Bool {
        !isVerified && tally.softMargin == nil
            && (tally.isDoubtful(for: verdict.symbology) || isOfZBarAlone && verdict.symbology == .code128)
    }

    /// ZBar leaves out function character 4 of Code 128, in every pass: `ó` becomes `s`.
    private var isOfZBarAlone: Bool { tally.zxingPasses.isEmpty && !tally.zbarPasses.isEmpty }

    /// What the soft reader says of it.
    mutating func note(_ opinion: SoftRegionReader.Opinion) {
        isVerified = true
        if case .contradicts = opinion { isRefuted = true }
    }

    /// Whether both are the same data at the same place.
    func isSameCode(as other: Candidate) -> Bool {
        verdict.symbology == other.verdict.symbology && verdict.bytes == other.verdict.bytes
            && isAtPlace(of: other.reading.corners)
    }

    /// Whether both lie on the same code.
    func isAtPlace(of other: Quad) -> Bool { reading.corners.isNear(other) }

    /// Votes in favour. What error correction may have made up has none beside a code of which it had enough left.
    var score: Int {
        tally.score + (verdict.symbology.correctionMayInvent && tally.hasSoundCorrection ? Self.soundVotes : 0)
    }

    /// More than all passes together.
    private static let soundVotes = 10_000

    /// Whether the evidence would be enough if there were nothing else at its place.
    var isAccepted: Bool { !isRefuted && tally.suffices(for: verdict.symbology, bytes: verdict.bytes.count) }

    /// Whether a live picture's ladder may report it before it is accepted: a station waits until another picture shows the same data, which error
    /// correction doesn't make up twice.
    var isReportedEarly: Bool { verdict.symbology.correctionMayInvent }

    /// Whether a station asks for a second look at many codes of its kind.
    var mayNeedTwoLooks: Bool { verdict.symbology.isLinear || verdict.symbology.correctionMayInvent }

    /// Whether one look more would make it certain.
    var wantsAnotherPass: Bool { !isRefuted && tally.wantsAnotherPass(for: verdict.symbology) }

    /// Accepted, and seen by more than one look if the code can't vouch for itself: enough while a look may still find a rival.
    var isFirm: Bool { isAccepted && (!verdict.symbology.isLinear || looks.count >= 2) }

    /// Seen by so many passes that more of them won't change the verdict.
    var isSettled: Bool {
        verdict.symbology.isLinear ? isAccepted && tally.zxingPasses.count >= 2 && !tally.zbarPasses.isEmpty : true
    }
}

extension Quad {
    private var longestSide: Double { sides.max() ?? 0 }

    /// Whether two quads, in pixels, mark the same code: their centres are closer than half the longer one's length.
    func isNear(_ other: Quad) -> Bool {
        centre.distance(to: other.centre) <= max(longestSide, other.longestSide) / 2
    }
}

extension Candidate.Look {
    init(_ reading: PassReading) {
        self.init(
            decoder: reading.decoder, pass: reading.pass, strength: reading.strength, content: reading.content)
    }
}
