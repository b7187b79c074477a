import Vocabulary

/// The still reader's passes over live frames, one a frame: which comes next, and what stands by then.
///
/// Frames differ, and so may what they show: a candidate is told when the pass that looked last saw it, and is firm; or, as long as the
/// picture holds, at the end of a stage, like the still reader tells it at the end. While the picture moves there is no second look at
/// the same: what a pass of the first stage accepts is told at once then, as what a live turn's pass accepts.
struct Ladder {
    private let steps: [ReadPlan.Step]
    private var ballot: Ballot
    private var place = 0
    /// Pixels, each pass counted with its copy's.
    private var work = 0

    /// - Parameters:
    ///   - round: rounds after the first begin at later passes, when the first stage is done.
    ///   - wanted: what the decoders look for.
    init(round: UInt16, rules: SymbologyRules, wanted: DecoderSymbologies) {
        ballot = Ballot(rules: rules)
        var made: Set<ReadPass> = []
        let all = ReadPlan.exhaustive.filter {
            !$0.pass.symbologies(of: wanted).isEmpty && made.insert($0.pass).inserted
        }
        let first = all.filter { $0.stage == .first }
        let rest = all.dropFirst(first.count)
        let skipped = rest.isEmpty ? 0 : Int(round) * Self.passesOfMovingRound % rest.count
        steps = first + rest.dropFirst(skipped) + rest.prefix(skipped)
    }

    /// Passes that a round over moving pictures makes besides the first stage's: a station begins a new one then.
    static let passesOfMovingRound = 3

    /// No pass is left that can bring anything.
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

    /// - Returns: what stands, and is to be told now.
    mutating func take(_ readings: [PassReading], of step: ReadPlan.Step, pixels: Int, holds: Bool) -> [Candidate] {
        work += pixels
        for reading in readings { ballot.add(reading) }
        let isStageOver = upcoming.map { steps[$0].stage != step.stage } ?? true
        return ballot.winners(demandsAgreement: true).filter { candidate in
            if holds, isStageOver { return true }
            let isFirm = candidate.isFirm || !holds && step.stage == .first
            return isFirm && readings.contains { candidate.isOf($0) }
        }
    }
}

extension Candidate {
    /// Whether a reading is one of those that speak for it, by its bytes as the decoder gave them and its place.
    fileprivate func isOf(_ other: PassReading) -> Bool {
        reading.bytes == other.bytes && isAtPlace(of: other.corners)
    }
}
