/// A code that a show has, among all shows of a run.
struct ShownCode: Hashable {
    var picture: Int
    var seed: UInt64
    /// Index among the codes of the picture.
    var code: Int
}

/// What one contestant read in all shows of a hold.
struct LiveTally {
    /// When each code that was read was scanned first, in milliseconds.
    private(set) var times: [ShownCode: Double] = [:]
    /// Pictures in which a code was read.
    private(set) var pictures = 0
    private(set) var wrong = 0
    /// Scans of a code that had been scanned before, though it was in view all the time.
    private(set) var repeated = 0
    /// Shows in which the easy code beside the picture was scanned.
    private(set) var neighbours = 0
    private(set) var crashes = 0

    var right: Int { times.count }

    /// - Parameter followsCodes: whether it tells a code that stays in view once (`LiveContestant.followsCodes`).
    mutating func add(_ shown: ShowVerdict, picture: Int, seed: UInt64, crashes: Int, followsCodes: Bool) {
        for (code, time) in shown.times { times[ShownCode(picture: picture, seed: seed, code: code)] = time }
        pictures += shown.times.isEmpty ? 0 : 1
        wrong += shown.verdict.wrong.count
        neighbours += min(shown.neighbours, 1)
        if followsCodes { repeated += shown.repeated }
        self.crashes += crashes
    }

    /// Milliseconds to each scan.
    var read: [Double] { Array(times.values) }

    /// The same of all codes that were shown: infinite for those that were never scanned.
    func shown(of codes: Int) -> [Double] {
        read + [Double](repeating: .infinity, count: max(0, codes - times.count))
    }

    /// Milliseconds of the codes that both have read: a contestant that reads harder codes, later, isn't slower for that.
    func common(with other: LiveTally) -> (ours: [Double], theirs: [Double]) {
        let common = times.keys.filter { other.times[$0] != nil }
        return (common.compactMap { times[$0] }, common.compactMap { other.times[$0] })
    }
}
