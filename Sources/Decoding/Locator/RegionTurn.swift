/// Which regions a live turn looks at, and by which decoder. The likeliest region is looked at in every turn; the others take turns, and so do
/// the looks at each.
struct RegionTurn {
    /// For all regions but the likeliest, in pixels of the picture: they are begun while there is some left. About two milliseconds on a PC for a
    /// quick turn.
    enum Budget {
        static let quick = 90_000.0
        static let thorough = 500_000.0
    }

    /// What a look of the soft reader counts: it compares light with digits, and takes one to four milliseconds on a PC however large the region is.
    static let softCost = 90_000.0

    /// Larger regions of matrix codes aren't worth a copy, as a part of the picture: passes over all of it look at them. Of bars only some rows are
    /// copied.
    private static let largestPart = 0.25

    /// The largest enlarged copy, in budgets: the likeliest region is looked at whatever the others cost.
    fileprivate static let largestCopy = 4.0

    let regions: [LocatedRegion]
    let turn: UInt32
    let budget: Double
    let pictureArea: Double

    /// A look at a region.
    struct Look {
        let region: LocatedRegion
        let pass: ReadPass
    }

    /// What to look at, in this order.
    /// - Parameter isOfUse: whether a look can find anything.
    func looks(isOfUse: (ReadPass, LocatedRegion) -> Bool) -> [Look] {
        func possible(_ region: LocatedRegion) -> [ReadPass] {
            RegionLook.looks(at: region.kind).map { $0.pass(over: region.kind) }.filter {
                isOfUse($0, region) && Look(region: region, pass: $0).isAffordable(budget)
            }
        }
        func look(at region: LocatedRegion, number: Int) -> Look {
            let possible = possible(region)
            return Look(region: region, pass: possible[number % possible.count])
        }
        let worthwhile = regions.filter { Self.isWorthwhile($0, in: pictureArea) && !possible($0).isEmpty }
        guard let first = worthwhile.first else { return [] }
        var looks = [look(at: first, number: Int(turn))]
        let rest = alternating(Array(worthwhile.dropFirst()))
        let (round, skipped) = rest.isEmpty ? (0, 0) : Int(turn).quotientAndRemainder(dividingBy: rest.count)
        var left = budget
        for index in (skipped..<skipped + rest.count).map({ $0 % rest.count }) where left > 0 {
            // Another look in the next turn, and in the next round: whether the budget holds for all regions in a turn, or for one.
            looks.append(look(at: rest[index], number: skipped + round + index))
            left -= looks[looks.count - 1].cost
        }
        return looks
    }

    /// Whether no quick turn takes this look: it is left to the ladder, which has more time.
    static func isLeftToLadder(_ look: Look) -> Bool { !look.isOfTurns || !look.isAffordable(Budget.quick) }

    static func isWorthwhile(_ region: LocatedRegion, in pictureArea: Double) -> Bool {
        region.kind == .bars || region.length * region.height <= pictureArea * largestPart
    }

    /// Regions of each kind by turns, so that none waits for all of another kind.
    private func alternating(_ regions: [LocatedRegion]) -> [LocatedRegion] {
        let kinds = LocatedRegion.Kind.allCases.map { kind in regions.filter { $0.kind == kind } }
        return (0..<(kinds.map(\.count).max() ?? 0)).flatMap { index in
            kinds.compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

extension RegionTurn.Look {
    fileprivate func isAffordable(_ budget: Double) -> Bool {
        !pass.treatments.contains(.magnified) || cost <= budget * RegionTurn.largestCopy
    }

    /// Not one of those that only stills and the ladder take, as of codes on cans.
    fileprivate var isOfTurns: Bool {
        RegionLook.looks(at: region.kind).contains { $0.pass(over: region.kind) == pass }
    }

    /// In pixels of the picture, or of what is enlarged for small modules. Of high bars only some rows are read.
    var cost: Double {
        guard pass.method != .soft else { return RegionTurn.softCost }
        if pass.treatments.contains(.magnified) {
            let factor = Double(region.magnification ?? 1)
            return region.length * region.height * factor * factor
        }
        return region.length
            * (region.kind == .bars ? min(region.height, Double(RegionCopy.mostBarRows)) : region.height)
    }
}

extension Ballot {
    /// Whether it pays to look: the soft reader is dear, and doesn't look where another decoder has read something; and finder patterns belong to one
    /// code.
    func pays(_ look: RegionTurn.Look) -> Bool {
        guard look.pass.method == .soft || look.region.kind == .finders else { return true }
        return !candidates.contains {
            $0.isAccepted && !($0.wantsAnotherPass && look.region.kind == .finders)
                && look.region.corners.contains($0.reading.corners.centre)
        }
    }
}
