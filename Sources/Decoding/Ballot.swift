import ReaderProtocol
import Vocabulary

/// Collects what the passes over one picture found, and decides. Readings with the same verdict at the same place are one candidate. Of
/// several linear candidates at one place, the one with the most votes stands.
struct Ballot {
    private let rules: SymbologyRules
    private(set) var candidates: [Candidate] = []

    init(rules: SymbologyRules) { self.rules = rules }

    mutating func add(_ reading: PassReading) {
        let reading = reading.withoutLastSeparator()
        guard
            let verdict = rules.judge(
                symbology: reading.symbology, bytes: reading.bytes, aim: reading.aim, hasAddOn: reading.addOn != nil,
                characterCount: reading.bestText?.unicodeScalars.count),
            !reading.isInverted || rules.admitsInverted(verdict.symbology), !verdict.bytes.isEmpty
        else { return }
        let known = candidates.firstIndex {
            $0.verdict.symbology == verdict.symbology && $0.verdict.bytes == verdict.bytes
                && ($0.isAtPlace(of: reading.corners) || !verdict.symbology.hasKnownPlace)
        }
        if let known {
            candidates[known].add(reading, verdict)
        } else {
            candidates.append(Candidate(verdict, reading))
        }
    }

    /// What a pass has read, with the soft reader's opinion on it (see `verify`).
    mutating func add(_ readings: [PassReading], verifiedBy opinion: (PassReading) -> SoftRegionReader.Opinion) {
        for reading in readings { add(reading) }
        verify(by: opinion)
    }

    /// Of a live frame: without linear codes that rest on one scan line.
    mutating func addAgreeing(_ readings: [PassReading]) {
        for reading in readings where reading.hasAgreeingLines { add(reading) }
    }

    /// Asks the soft reader for its opinion, once for each: on numbers that few scan lines speak for, as a 1 and a 7, a 2 and an 8 differ only in the
    /// widths of bars, and check digits fit far more often than one time in ten when the same digits are misread; and on what ZBar alone makes of
    /// a Code 128.
    mutating func verify(by opinion: (PassReading) -> SoftRegionReader.Opinion) {
        for index in candidates.indices where candidates[index].needsOpinion {
            let seen = opinion(candidates[index].reading)
            candidates[index].note(seen)
            switch seen {
            case .agrees(let reading), .contradicts(.some(let reading)): add(reading)
            case .contradicts(nil), .seesNothing: break
            }
        }
    }

    /// The codes that the soft reader contradicted, as far as a reader process reports them.
    var refuted: [RefutedCode] {
        candidates.filter { $0.isRefuted && $0.verdict.bytes.count <= ReaderLimits.maxRefutedBytes }
            .prefix(ReaderLimits.maxRefuted).map {
                RefutedCode(symbology: $0.verdict.symbology, bytes: $0.verdict.bytes)
            }
    }

    /// What stands, in the order it was found.
    /// - Parameter demandsAgreement: `false` for live frames, which must agree over several frames instead.
    func winners(demandsAgreement: Bool) -> [Candidate] {
        winners(demandsAgreement: demandsAgreement) { !demandsAgreement || $0.isAccepted }
    }

    /// What the ladder may report of a live picture: what a still one would give, and what a station waits for another picture of.
    var reportable: [Candidate] {
        winners(demandsAgreement: true) { $0.isAccepted || $0.isReportedEarly }
    }

    private func winners(demandsAgreement: Bool, where isEnough: (Candidate) -> Bool) -> [Candidate] {
        candidates.enumerated().filter { index, candidate in
            !candidate.isRefuted && isEnough(candidate)
                && !candidates.enumerated().contains { otherIndex, other in
                    guard otherIndex != index, !other.isRefuted else { return false }
                    if candidate.isPart(of: other) { return true }
                    if other.isPart(of: candidate) { return false }
                    return other.isRival(of: candidate) && (demandsAgreement || other.contends(with: candidate))
                        && (other.score > candidate.score || other.score == candidate.score && otherIndex < index)
                }
        }.map(\.element)
    }

    /// Whether a step can find anything, judging by what was seen so far.
    func pays(_ step: ReadPlan.Step) -> Bool {
        switch step.stage {
        case .first, .second: return true
        case .hard: return !isSettled
        case .many:
            let matrixCodes = candidates.filter { !$0.verdict.symbology.isLinear }.count
            return matrixCodes >= ReadPlan.manyCodes && step.pass.target != .linear
        }
    }

    /// Where codes of some symbologies stand.
    func places(of symbologies: DecoderSymbologies) -> [Quad] {
        winners(demandsAgreement: true).filter { symbologies.contains($0.reading.symbology) }.map(\.reading.corners)
    }

    /// Whether something stands, nothing at its place is in doubt any more, and nothing waits for another pass.
    var isSettled: Bool {
        let standing = reportable
        return !standing.isEmpty && standing.allSatisfy { $0.isAccepted && $0.isSettled }
    }
}

extension Candidate {
    /// Whether only one of the two can be right: different data at the same place. Matrix codes vouch for themselves, except that ZBar
    /// returns other bytes than ZXing for a QR code with character sets, and except those whose error correction invents data, or has just restored it.
    func isRival(of other: Candidate) -> Bool {
        let bothLinear = verdict.symbology.isLinear && other.verdict.symbology.isLinear
        let areSame = verdict.symbology == other.verdict.symbology
        // A code may have a smaller one in its middle, and both are right.
        if areSame, verdict.symbology.isRestorable, tally.softMargin != nil || other.tally.softMargin != nil {
            return reading.corners.isLike(other.reading.corners)
        }
        let bothQR =
            areSame && verdict.symbology == .qrCode && tally.zxingPasses.isEmpty != other.tally.zxingPasses.isEmpty
        let bothInvented = areSame && verdict.symbology.correctionMayInvent
        guard bothLinear || bothQR || bothInvented else { return false }
        // Codes one above the other are close, and both are right: their bars show that they are two.
        if bothLinear, reading.hasExtent, other.reading.hasExtent {
            return reading.corners.overlaps(other.reading.corners)
        }
        return isAtPlace(of: other.reading.corners)
    }

    /// Whether it is what a slanted scan line saw of the other one's bars. However many passes saw no more of them, it is none of its own. A single scan line
    /// of ZBar's may have seen more than there is.
    func isPart(of whole: Candidate) -> Bool {
        reading.hasExtent && whole.reading.hasExtent && (whole.isAccepted || !whole.tally.zxingPasses.isEmpty)
            && part.isPart(of: whole.part)
    }

    /// The same for a reading from where this code has been painted over. What is left there of the bars shares little with this code's place; in the picture,
    /// the same bars are followed through all of it.
    func leaves(_ reading: PassReading, in picture: LumaPlane) -> Bool {
        // To follow bars takes longer than this.
        guard reading.bytes.count < self.reading.bytes.count, self.reading.bytes.contains(reading.bytes) else {
            return false
        }
        var followed = reading
        followed.takeExtent(in: picture)
        return CodePart(followed.symbology, followed.bytes, at: followed.corners).isPart(of: part)
    }

    /// With its check digit, which a rule may strip.
    private var part: CodePart { CodePart(verdict.symbology, reading.bytes, at: reading.corners) }

    /// The same for a live frame, where few passes look and none confirms another: codes of two symbologies, one above the other on a
    /// label, are both right unless both came from the very same rows.
    func contends(with other: Candidate) -> Bool {
        verdict.symbology == other.verdict.symbology
            || reading.corners.bounds.intersects(other.reading.corners.bounds)
    }
}

extension Rect {
    /// Touching edges count.
    fileprivate func intersects(_ other: Rect) -> Bool {
        x <= other.right && other.x <= right && y <= other.bottom && other.y <= bottom
    }
}
