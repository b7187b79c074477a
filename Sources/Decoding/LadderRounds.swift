import Vocabulary

/// The still reader's passes over pictures that move. In each frame codes are somewhere else, so what a round has found says nothing in the next one; but where
/// the passes go on is kept, and at which places to look again.
///
/// Orders alternate between a portion of the looks at regions that no quick turn has time for, and a pass over the whole picture: one of the first stage, then
/// one of the others. Each of the three goes round by itself.
///
/// A look at a region that found a linear code, or one whose error correction may invent data, is made again on the next frame, where the region is by then, because
/// many such codes need two observations; and at the beginning of each round while it finds the code, so that one in a hand isn't taken for gone.
///
/// What a pass of the first stage accepts is reported at once, like what the pass of a live turn accepts, and so is what the soft reader accepts of bars, and
/// matrix codes; other linear codes when two passes saw them.
struct LadderRounds: LadderCourse {
    private let rules: SymbologyRules
    private let first: [ReadPlan.Step]
    private let others: [ReadPlan.Step]
    private(set) var ballot: Ballot

    private var portion: UInt32 = 0
    private var nextFirst = 0
    private var nextOther = 0
    private var nextRegion = 0
    private var wasPortion = false
    private var wasFirst = false

    /// What is to be made again on a different frame, and the hash of the frame that it was found in.
    private var again: (moves: [LadderMove], content: UInt64) = ([], 0)
    /// What found its code when it was made again, and how often it hasn't since.
    private var kept: [(move: LadderMove, misses: Int)] = []
    private var isAtStart = true

    /// - Parameter wanted: what the decoders look for.
    init(rules: SymbologyRules, wanted: DecoderSymbologies) {
        self.rules = rules
        ballot = Ballot(rules: rules)
        let all = ReadPlan.steps(for: wanted)
        first = all.filter { $0.stage == .first }
        others = all.filter { $0.stage != .first && !RegionLook.isOfTurns($0.pass) }
    }

    /// Begins a round.
    mutating func begin() {
        ballot = Ballot(rules: rules)
        isAtStart = true
    }

    var isOver: Bool { first.isEmpty && others.isEmpty }

    /// The most looks at regions of one pass that aren't dealt out in portions; the most that are kept from round to round; and how often they may find nothing.
    private static let mostLooks = 4
    private static let mostKept = 4
    private static let mostMisses = 2

    mutating func next(content: @autoclosure () -> UInt64, places: LadderPlaces) -> [LadderMove] {
        func followed(_ move: LadderMove) -> LadderMove? { move.followed(to: places.looks(move.step.pass)) }
        if isAtStart {
            isAtStart = false
            var moves: [LadderMove] = []
            for index in kept.indices {
                guard let move = followed(kept[index].move) else {
                    kept[index].misses += 1
                    continue
                }
                moves.append(move)
            }
            kept.removeAll { $0.misses >= Self.mostMisses }
            moves = moves.withoutRepeats()
            if !moves.isEmpty { return moves }
        }
        if !again.moves.isEmpty, content() != again.content {
            let moves = again.moves.compactMap(followed).withoutRepeats()
            again.moves = []
            if !moves.isEmpty { return moves }
        }
        if !wasPortion {
            wasPortion = true
            let moves = places.portion(portion).map(LadderMove.init).withoutRepeats().filter(pays)
            portion &+= 1
            if !moves.isEmpty { return moves }
        }
        wasPortion = false
        wasFirst.toggle()
        let moves =
            wasFirst
            ? moves(of: first, from: \.nextFirst, places) ?? moves(of: others, from: \.nextOther, places)
            : moves(of: others, from: \.nextOther, places) ?? moves(of: first, from: \.nextFirst, places)
        return moves ?? []
    }

    /// The next step that pays; `nil`: none does.
    private mutating func moves(
        of steps: [ReadPlan.Step], from next: WritableKeyPath<LadderRounds, Int>, _ places: LadderPlaces
    ) -> [LadderMove]? {
        for _ in steps {
            let step = steps[self[keyPath: next]]
            self[keyPath: next] = (self[keyPath: next] + 1) % steps.count
            guard ballot.pays(step) else { continue }
            guard step.pass.region != nil else { return [LadderMove(step: step, look: nil)] }
            let looks = places.looks(step.pass).map { LadderMove(step: step, look: $0) }.filter(pays)
            guard !looks.isEmpty else { continue }
            // Other regions each time.
            let begin = nextRegion % looks.count
            nextRegion += Self.mostLooks
            return Array((looks[begin...] + looks[..<begin]).prefix(Self.mostLooks))
        }
        return nil
    }

    func pays(_ move: LadderMove) -> Bool {
        move.isRepeated || move.look.map { ballot.pays($0, isFirst: false) } ?? true
    }

    var placesOfDataMatrix: [Quad] { [] }

    mutating func take(
        _ readings: [PassReading], of move: LadderMove, pixels: Int, content: @autoclosure () -> UInt64,
        opinion: (PassReading) -> SoftRegionReader.Opinion
    ) -> [Candidate] {
        ballot.add(readings, verifiedBy: opinion)
        let found = ballot.reportable.filter { candidate in
            readings.contains { candidate.isOf($0) }
                && (candidate.isFirm || candidate.isReportedEarly || move.step.stage == .first
                    || candidate.isOfSoftReader(in: readings))
        }
        if move.look != nil { note(move, found.filter(\.mayNeedTwoLooks).map(\.reading.bytes), in: content()) }
        return found
    }

    /// Whether and when to make a move again.
    /// - Parameter found: data that it has found.
    private mutating func note(_ move: LadderMove, _ found: [[UInt8]], in content: @autoclosure () -> UInt64) {
        guard let sought = move.sought else {
            guard let data = found.first else { return }
            var move = move
            move.sought = data
            let content = content()
            // What is left of an older frame can't be made any more.
            again = ((again.content == content ? again.moves : []) + [move], content)
            return
        }
        let known = kept.firstIndex { $0.move.isLike(move) }
        switch (known, found.contains(sought)) {
        case (let known?, true): kept[known] = (move, 0)
        case (nil, true):
            // One that was missed makes room.
            if kept.count >= Self.mostKept, let missed = kept.firstIndex(where: { $0.misses > 0 }) {
                kept.remove(at: missed)
            }
            if kept.count < Self.mostKept { kept.append((move, 0)) }
        case (let known?, false):
            kept[known].misses += 1
            if kept[known].misses >= Self.mostMisses { kept.remove(at: known) }
        case (nil, false): break
        }
    }

    func remainder() -> [Candidate] { [] }
}

extension LadderMove {
    /// A look of a portion.
    fileprivate init(_ look: RegionTurn.Look) {
        self.init(step: ReadPlan.Step(stage: .second, pass: look.pass), look: look)
    }

    /// The same pass for the same data at about the same place.
    fileprivate func isLike(_ other: LadderMove) -> Bool {
        guard let look, let place = other.look else { return false }
        return look.pass == place.pass && sought == other.sought && look.region.corners.isNear(place.region.corners)
    }
}

extension [LadderMove] {
    /// Each pass once at each region.
    fileprivate func withoutRepeats() -> [LadderMove] {
        var kept: [LadderMove] = []
        for move in self
        where !kept.contains(where: { $0.look?.region == move.look?.region && $0.step.pass == move.step.pass }) {
            kept.append(move)
        }
        return kept
    }
}
