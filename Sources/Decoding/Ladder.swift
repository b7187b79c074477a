import Vocabulary

/// The still reader's passes over live frames, one per frame: which pass comes next, and what stands so far.
///
/// Frames differ, and may show different codes: a candidate is reported when it is firm and the latest pass saw it; or, while the picture
/// holds, at the end of a stage, just as the still reader reports it at the end. While the picture moves, nothing is looked at twice: so
/// what a pass of the first stage accepts is reported at once, like what the pass of a live turn accepts.
struct Ladder {
    private let steps: [ReadPlan.Step]
    private var ballot: Ballot
    private var place = 0
    /// In pixels: each pass counts those of its copy.
    private var work = 0

    /// - Parameters:
    ///   - round: after the first stage, rounds other than the first begin at later passes.
    ///   - wanted: what the decoders look for.
    init(round: UInt16, rules: SymbologyRules, wanted: DecoderSymbologies) {
        ballot = Ballot(rules: rules)
        var made: Set<ReadPass> = []
        // Every turn looks at regions already.
        let all = ReadPlan.exhaustive.filter {
            $0.pass.region == nil && !$0.pass.symbologies(of: wanted).isEmpty && made.insert($0.pass).inserted
        }
        let first = all.filter { $0.stage == .first }
        let rest = all.dropFirst(first.count)
        let skipped = rest.isEmpty ? 0 : Int(round) * Self.passesOfMovingRound % rest.count
        steps = first + rest.dropFirst(skipped) + rest.prefix(skipped)
    }

    /// Passes of a round over moving pictures besides those of the first stage: after them a station begins a new round.
    static let passesOfMovingRound = 3

    /// No pass is left that can find anything.
    var isOver: Bool { upcoming == nil }

    private var upcoming: Int? {
        guard place < steps.count, work < DecodeEngine.exhaustiveBudget else { return nil }
        return steps[place...].firstIndex { ballot.pays($0) }
    }

    mutating func next() -> ReadPlan.Step? {
        guard let upcoming else { return nil }
        place = upcoming + 1
        return steps[upcoming]
    }

    /// - Parameter opinion: the soft reader's.
    /// - Returns: the candidates that stand and can be reported now.
    mutating func take(
        _ readings: [PassReading], of step: ReadPlan.Step, pixels: Int, holds: Bool,
        opinion: (PassReading) -> SoftRegionReader.Opinion
    ) -> [Candidate] {
        work += pixels
        for reading in readings { ballot.add(reading) }
        ballot.verify(by: opinion)
        let isStageOver = upcoming.map { steps[$0].stage != step.stage } ?? true
        return ballot.winners(demandsAgreement: true).filter { candidate in
            if holds, isStageOver { return true }
            let isFirm = candidate.isFirm || !holds && step.stage == .first
            return isFirm && readings.contains { candidate.isOf($0) }
        }
    }
}

extension Candidate {
    /// Whether a reading supports it: the bytes as the decoder gave them, and the place, are the same.
    fileprivate func isOf(_ other: PassReading) -> Bool {
        reading.bytes == other.bytes && isAtPlace(of: other.corners)
    }
}
