import Foundation

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

    /// - Parameters:
    ///   - part: 0.9 for the time within which nine of ten were scanned.
    ///   - count: how many codes there are, if not only those that were read count; the others were never scanned.
    /// - Returns: milliseconds; `nil`: never.
    func quantile(_ part: Double, of count: Int? = nil) -> Double? {
        Self.quantile(part, of: Array(times.values), count: count)
    }

    /// Median and p90 of the codes that both have read, ours first: a contestant that reads harder codes, later, isn't slower for that.
    func common(with other: LiveTally) -> (count: Int, ours: (Double, Double), theirs: (Double, Double))? {
        let common = times.keys.filter { other.times[$0] != nil }
        func both(_ tally: LiveTally) -> (Double, Double)? {
            let times = common.compactMap { tally.times[$0] }
            guard let median = Self.quantile(0.5, of: times), let late = Self.quantile(0.9, of: times) else {
                return nil
            }
            return (median, late)
        }
        guard let ours = both(self), let theirs = both(other) else { return nil }
        return (common.count, ours, theirs)
    }

    private static func quantile(_ part: Double, of times: [Double], count: Int? = nil) -> Double? {
        let sorted = times.sorted()
        let place = min((count ?? sorted.count) - 1, Int(part * Double(count ?? sorted.count)))
        return sorted.indices.contains(place) ? sorted[place] : nil
    }
}
