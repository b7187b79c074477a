import Vocabulary

/// What the ladder does next: a step over the whole picture, or a look at one of its regions.
struct LadderMove {
    let step: ReadPlan.Step
    let look: RegionTurn.Look?
    /// The data that it found in an earlier frame, and is to find again; `nil`: it looks for the first time.
    var sought: [UInt8]?

    var isRepeated: Bool { sought != nil }

    /// The same on a frame whose picture has moved since: at the region there that lies where the old one did, more or less; `nil`: none does.
    func followed(to looks: [RegionTurn.Look]) -> LadderMove? {
        guard let old = look?.region else { return nil }
        let nearest = looks.min {
            $0.region.centre.squaredDistance(to: old.centre) < $1.region.centre.squaredDistance(to: old.centre)
        }
        guard let nearest, nearest.region.corners.isNear(old.corners) else { return nil }
        return LadderMove(step: step, look: nearest, sought: sought)
    }
}

/// Where the ladder may look in a frame, beside all of it.
struct LadderPlaces {
    /// A portion of the looks that no quick turn has time for, by number; portions go round.
    let portion: (UInt32) -> [RegionTurn.Look]
    /// All looks of a pass over regions.
    let looks: (ReadPass) -> [RegionTurn.Look]
}

/// One of the two ladders: over a picture that holds (`Ladder`), or over pictures that move (`LadderRounds`).
protocol LadderCourse {
    /// What was found so far, and counts.
    var ballot: Ballot { get }

    /// No pass is left that can find anything.
    var isOver: Bool { get }

    /// What to do with a frame, one after the other; none: nothing is left.
    /// - Parameter content: the frame's hash.
    mutating func next(content: @autoclosure () -> UInt64, places: LadderPlaces) -> [LadderMove]

    /// Whether a move still pays, after those before it.
    func pays(_ move: LadderMove) -> Bool

    /// Where Data Matrix codes stand so far, so that nobody searches for them there.
    var placesOfDataMatrix: [Quad] { get }

    /// - Parameters:
    ///   - pixels: what the move cost.
    ///   - content: the frame's hash.
    ///   - opinion: the soft reader's.
    /// - Returns: the candidates that stand and can be reported now.
    mutating func take(
        _ readings: [PassReading], of move: LadderMove, pixels: Int, content: @autoclosure () -> UInt64,
        opinion: (PassReading) -> SoftRegionReader.Opinion
    ) -> [Candidate]

    /// What stands when no move is left.
    func remainder() -> [Candidate]
}

extension LadderCourse {
    /// What a move has found, and nothing has confirmed so far.
    func waiting(in readings: [PassReading]) -> [Candidate] {
        var found = ballot
        for reading in readings { found.add(reading) }
        return found.candidates.filter { candidate in
            candidate.wantsAnotherPass && readings.contains { candidate.isOf($0) }
        }
    }

    /// What is left of those that a frame's moves have found, now that all of them have been made.
    func standing(_ found: [Candidate]) -> [Candidate] {
        found.isEmpty ? [] : ballot.reportable.filter { candidate in found.contains { $0.isSameCode(as: candidate) } }
    }
}

extension Candidate {
    /// Whether a reading supports it: the bytes as the decoder gave them, and the place, are the same.
    func isOf(_ other: PassReading) -> Bool {
        reading.bytes == other.withoutLastSeparator().bytes && isAtPlace(of: other.corners)
    }

    /// Whether the soft reader is among those that say so. Nobody else reads such bars, so nothing firmer may come.
    func isOfSoftReader(in readings: [PassReading]) -> Bool {
        verdict.symbology.isLinear && readings.contains { $0.decoder == .soft && isOf($0) }
    }
}
