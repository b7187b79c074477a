import Vocabulary

/// The still reader's passes over a live picture that holds: which pass comes next, and what stands so far.
///
/// A candidate is reported when it is firm and the latest pass saw it; at the end of a stage, just as the still reader reports it at the end; or before that, if a
/// station waits for another picture of such codes anyway. What the soft reader accepts of bars is reported at once, as in a live turn.
struct Ladder: LadderCourse {
    private let steps: [ReadPlan.Step]
    private(set) var ballot: Ballot
    private var place = 0
    /// How many looks at regions the step at `place` has had.
    private var looks = 0
    /// In pixels: the picture's for a pass over all of it, a look's cost for a region.
    private var work = 0
    /// Moves that found a linear code or one whose error correction may invent data, with their frames' hashes: made once more on a different frame,
    /// because many such codes need two observations.
    private var again: [(move: LadderMove, code: Candidate, content: UInt64)] = []

    /// - Parameter wanted: what the decoders look for.
    init(rules: SymbologyRules, wanted: DecoderSymbologies) {
        ballot = Ballot(rules: rules)
        let all = ReadPlan.steps(for: wanted)
        let first = all.filter { $0.stage == .first }
        // Where something stays unread that looks like a code, in a region or as three finder patterns, it pays most to look again; ZBar's look at everything takes as long as ten of those.
        let regions = all.filter(\.pass.isLocated)
        let rest = all.filter { !$0.pass.isLocated }.dropFirst(first.count)
        let before = first.prefix { if case .zbar = $0.pass.method { false } else { true } }
        steps = before + regions + first.dropFirst(before.count) + rest
    }

    var placesOfDataMatrix: [Quad] { ballot.places(of: DecoderSymbologies([.dataMatrix])) }

    var isOver: Bool { upcoming == nil && again.isEmpty }

    private var upcoming: Int? {
        guard place < steps.count, work < DecodeEngine.exhaustiveBudget else { return nil }
        return steps[place...].firstIndex { ballot.pays($0) }
    }

    /// Whether no step of a stage comes next. No stage is over before the first one: until then a rival may come.
    private func isOver(_ stage: ReadPlan.Stage) -> Bool {
        guard let upcoming else { return true }
        return steps[upcoming].stage != stage && !steps[upcoming...].contains { $0.stage == .first }
    }

    /// - Returns: one move at most.
    mutating func next(content: @autoclosure () -> UInt64, places: LadderPlaces) -> [LadderMove] {
        if !again.isEmpty {
            let content = content()
            if let index = again.firstIndex(where: { $0.content != content }) { return [again.remove(at: index).move] }
        }
        while let upcoming {
            let step = steps[upcoming]
            if upcoming != place { (place, looks) = (upcoming, 0) }
            guard step.pass.region != nil else {
                (place, looks) = (upcoming + 1, 0)
                return [LadderMove(step: step, look: nil)]
            }
            for look in places.looks(step.pass).dropFirst(looks) {
                looks += 1
                if ballot.pays(look) { return [LadderMove(step: step, look: look)] }
            }
            (place, looks) = (upcoming + 1, 0)
        }
        // No other frame has come.
        again = []
        return []
    }

    func pays(_ move: LadderMove) -> Bool { true }

    func remainder() -> [Candidate] { ballot.reportable }

    mutating func take(
        _ readings: [PassReading], of move: LadderMove, pixels: Int, content: @autoclosure () -> UInt64,
        opinion: (PassReading) -> SoftRegionReader.Opinion
    ) -> [Candidate] {
        work += pixels
        ballot.add(readings, verifiedBy: opinion)
        let isStageOver = isOver(move.step.stage)
        let found = ballot.reportable.filter { candidate in
            if isStageOver { return true }
            return readings.contains { candidate.isOf($0) }
                && (candidate.isFirm || candidate.isReportedEarly || candidate.isOfSoftReader(in: readings))
        }
        let weak = found.first { candidate in
            candidate.mayNeedTwoLooks && readings.contains { candidate.isOf($0) }
        }
        if let weak, !move.isRepeated {
            // One look is enough for a code.
            again.removeAll { $0.code.isSameCode(as: weak) }
            again.append(
                (LadderMove(step: move.step, look: move.look, sought: weak.reading.bytes), weak, content()))
        }
        return found
    }
}
