/// Which regions a live turn looks at, and by which decoder. The likeliest region is looked at in every turn; the others take turns, and so do
/// the looks at each.
struct RegionTurn {
    /// For all regions but the likeliest, in pixels of the picture: they are begun while there is some left. About two milliseconds on a PC for a
    /// quick turn.
    enum Budget {
        static let quick = 90_000.0
        static let thorough = 500_000.0
    }

    /// Larger regions aren't worth a copy, as a part of the picture: passes over all of it look at them.
    private static let largestPart = 0.25

    let regions: [LocatedRegion]
    let turn: UInt32
    let budget: Double
    let pictureArea: Double
    /// How many regions the soft reader looks at. A look takes it one to four milliseconds on a PC.
    var softLooks: Int { budget > Budget.quick ? 3 : 1 }

    /// What to look at, in this order.
    /// - Parameter isOfUse: whether a look can find anything.
    func looks(isOfUse: (RegionLook, LocatedRegion.Kind) -> Bool) -> [(region: LocatedRegion, look: RegionLook)] {
        func possible(_ region: LocatedRegion) -> [RegionLook] {
            RegionLook.looks(at: region.kind).filter { isOfUse($0, region.kind) }
        }
        func look(at region: LocatedRegion, number: Int) -> (region: LocatedRegion, look: RegionLook) {
            let possible = possible(region)
            return (region, possible[number % possible.count])
        }
        let worthwhile = regions.filter {
            $0.length * $0.height <= pictureArea * Self.largestPart && !possible($0).isEmpty
        }
        guard let first = worthwhile.first else { return [] }
        var looks = [look(at: first, number: Int(turn))]
        let rest = alternating(Array(worthwhile.dropFirst()))
        let (round, skipped) = rest.isEmpty ? (0, 0) : Int(turn).quotientAndRemainder(dividingBy: rest.count)
        var left = budget
        for index in (skipped..<skipped + rest.count).map({ $0 % rest.count }) where left > 0 {
            // Another look in the next turn, and in the next round: whether the budget holds for all regions in a turn, or for one.
            looks.append(look(at: rest[index], number: skipped + round + index))
            left -= Self.cost(of: rest[index])
        }
        return looks
    }

    /// Regions of each kind by turns, so that none waits for all of another kind.
    private func alternating(_ regions: [LocatedRegion]) -> [LocatedRegion] {
        let kinds = LocatedRegion.Kind.allCases.map { kind in regions.filter { $0.kind == kind } }
        return (0..<(kinds.map(\.count).max() ?? 0)).flatMap { index in
            kinds.compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }

    /// Of high bars only some rows are read.
    private static func cost(of region: LocatedRegion) -> Double {
        region.length * (region.kind == .bars ? min(region.height, Double(LumaPlane.mostBarRows)) : region.height)
    }
}
