import Vocabulary

/// The still reader's passes over live frames, one per frame: which pass comes next, and what stands so far.
///
/// Frames differ, and may show different codes: a candidate is reported when it is firm and the latest pass saw it; or, while the picture
/// holds, at the end of a stage, just as the still reader reports it at the end; or before that, if a station waits for another picture of such
/// codes anyway. While the picture moves, nothing is looked at twice: so
/// what a pass of the first stage accepts is reported at once, like what the pass of a live turn accepts.
struct Ladder {
    private let steps: [ReadPlan.Step]
    private var ballot: Ballot
    private var place = 0
    /// How many looks at regions the step at `place` has had.
    private var looks = 0
    private var hasMoved = false
    /// A stage ended with a step that had no region to look at, so no `take` followed to report what stands.
    private var owesReport = false
    /// In pixels: the picture's for a pass over all of it, a look's cost for a region.
    private var work = 0
    /// A move that found a linear code or one whose error correction may invent data, with its frame's hash: made once more on a different frame,
    /// because many such codes need two observations.
    private var again: (move: Move, content: UInt64)?

    /// - Parameters:
    ///   - round: after the first stage, rounds other than the first begin at later passes.
    ///   - wanted: what the decoders look for.
    init(round: UInt16, rules: SymbologyRules, wanted: DecoderSymbologies) {
        ballot = Ballot(rules: rules)
        var made: Set<ReadPass> = []
        let all = ReadPlan.exhaustive.filter {
            !$0.pass.symbologies(of: wanted).isEmpty && made.insert($0.pass).inserted
        }
        let first = all.filter { $0.stage == .first }
        // Where something stays unread that looks like a code, in a region or as three finder patterns, it pays most to look again; ZBar's look at everything takes as long as ten of those.
        let regions = all.filter(\.pass.isLocated)
        let rest = regions + all.filter { !$0.pass.isLocated }.dropFirst(first.count)
        let skipped = rest.isEmpty ? 0 : Int(round) * Self.passesOfMovingRound % rest.count
        guard skipped == 0 else {
            steps = first + rest.dropFirst(skipped) + rest.prefix(skipped)
            return
        }
        let before = first.prefix { if case .zbar = $0.pass.method { false } else { true } }
        steps = before + regions + first.dropFirst(before.count) + rest.dropFirst(regions.count)
    }

    /// Passes of a round over moving pictures besides those of the first stage: after them a station begins a new round.
    static let passesOfMovingRound =
        ReadEffort.LadderOrder.movingRound - ReadPlan.exhaustive.count { $0.stage == .first }

    /// Where codes of some symbologies stand so far; none once the picture has moved, as they may be somewhere else.
    func places(of symbologies: DecoderSymbologies) -> [Quad] { hasMoved ? [] : ballot.places(of: symbologies) }

    /// No pass is left that can find anything.
    var isOver: Bool { upcoming == nil && again == nil }

    private var upcoming: Int? {
        guard place < steps.count, work < DecodeEngine.exhaustiveBudget else { return nil }
        return steps[place...].firstIndex { ballot.pays($0) }
    }

    /// Whether no step of a stage comes next. No stage is over before the first one: until then a rival may come.
    private func isOver(_ stage: ReadPlan.Stage) -> Bool {
        guard let upcoming else { return true }
        return steps[upcoming].stage != stage && !steps[upcoming...].contains { $0.stage == .first }
    }

    /// A step over the whole picture, or a look at one of its regions.
    struct Move {
        let step: ReadPlan.Step
        let look: RegionTurn.Look?
        /// It found something in the frame before.
        fileprivate(set) var isRepeated = false
    }

    /// - Parameters:
    ///   - holds: the picture is the same as before.
    ///   - content: the frame's hash.
    ///   - looks: the looks of a pass over regions.
    mutating func next(
        holds: Bool, content: @autoclosure () -> UInt64, looks all: (ReadPass) -> [RegionTurn.Look]
    ) -> Move? {
        if !holds { hasMoved = true }
        if let (move, earlier) = again {
            if !holds { again = nil }
            if holds, content() != earlier {
                again = nil
                return move
            }
        }
        while let upcoming {
            let step = steps[upcoming]
            if upcoming != place { (place, looks) = (upcoming, 0) }
            guard step.pass.region != nil else {
                (place, looks) = (upcoming + 1, 0)
                return Move(step: step, look: nil)
            }
            for look in all(step.pass).dropFirst(looks) {
                looks += 1
                if ballot.pays(look) { return Move(step: step, look: look) }
            }
            (place, looks) = (upcoming + 1, 0)
            if isOver(step.stage) { owesReport = true }
        }
        // No other frame has come.
        again = nil
        return nil
    }

    /// What stands when the ladder ends without a move to `take`.
    /// - Parameter holds: see `take`.
    mutating func remainder(holds: Bool) -> [Candidate] {
        defer { owesReport = false }
        return owesReport && holds ? ballot.reportable : []
    }

    /// What a move has found, and nothing has confirmed so far.
    func waiting(in readings: [PassReading]) -> [Candidate] {
        var found = ballot
        for reading in readings { found.add(reading) }
        return found.candidates.filter { candidate in
            candidate.wantsAnotherPass && readings.contains { candidate.isOf($0) }
        }
    }

    /// - Parameters:
    ///   - content: the frame's hash.
    ///   - opinion: the soft reader's.
    /// - Returns: the candidates that stand and can be reported now.
    mutating func take(
        _ readings: [PassReading], of move: Move, pixels: Int, holds: Bool, content: @autoclosure () -> UInt64,
        opinion: (PassReading) -> SoftRegionReader.Opinion
    ) -> [Candidate] {
        let step = move.step
        work += pixels
        for reading in readings { ballot.add(reading) }
        ballot.verify(by: opinion)
        let isStageOver = owesReport || isOver(step.stage)
        owesReport = false
        let found = ballot.reportable.filter { candidate in
            if holds, isStageOver { return true }
            let isEnough = candidate.isFirm || candidate.isReportedEarly || !holds && step.stage == .first
            return isEnough && readings.contains { candidate.isOf($0) }
        }
        let mayNeedTwo = found.contains { candidate in
            candidate.mayNeedTwoLooks && readings.contains { candidate.isOf($0) }
        }
        if mayNeedTwo, holds, !move.isRepeated {
            again = (Move(step: step, look: move.look, isRepeated: true), content())
        }
        return found
    }
}

extension Candidate {
    /// Whether a reading supports it: the bytes as the decoder gave them, and the place, are the same.
    fileprivate func isOf(_ other: PassReading) -> Bool {
        reading.bytes == other.bytes && isAtPlace(of: other.corners)
    }
}
