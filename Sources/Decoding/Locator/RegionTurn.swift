import SoftReader
import Vocabulary

/// Which looks at regions a live turn takes. All looks at all regions stand in a queue that is dealt out in portions, one a turn; a portion holds
/// what the budget allows, so that no turn takes much longer than another. The likeliest region has its place in almost every portion.
///
/// The portions depend on the regions and the turn's number alone: the same frame in the same turn is read the same way again.
struct RegionTurn {
    /// For all looks of a turn, in pixels of the picture. About two milliseconds on a PC for a quick turn.
    enum Budget {
        static let quick = 90_000.0
        static let thorough = 500_000.0
        /// For a portion that the ladder looks at in pictures that move.
        static let ladder = 1_000_000.0
    }

    /// What a look of the soft reader costs: it compares light with characters, and takes one to four milliseconds on a PC for an EAN or UPC, however
    /// large it is. Codes of any length take ten times as long, and longer the more characters there is room for.
    static func softCost(_ family: BarFamily, length: Double) -> Double {
        family == .retail ? 90_000 : 300_000 + 2000 * length
    }

    /// The search for finder patterns or outlines in three sizes of the copy, and one to five milliseconds on a PC for what it finds, in a crowd up to a hundred:
    /// more than a quick turn has.
    static func softMatrixCost(area: Double) -> Double { 2 * area + 200_000 }

    /// Larger regions of matrix codes aren't worth a copy, as a part of the picture: passes over all of it look at them. Of bars only some rows are
    /// copied.
    private static let largestPart = 0.25

    /// The largest enlarged copy, and the costliest look of the soft reader, in budgets. A look that takes more than the budget has a turn of its own.
    fileprivate static let largestCopy = 2.0

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
        let queues = regions.filter { Self.isWorthwhile($0, in: pictureArea) }.map { region in
            RegionLook.looks(at: region.kind).map { Look(region: region, pass: $0.pass(over: region.kind)) }
                .filter { isOfUse($0.pass, region) && $0.isAffordable(budget) }
        }
        .filter { !$0.isEmpty }
        guard let first = queues.first else { return [] }
        let portions = portions(likeliest: first, others: alternating(Array(queues.dropFirst())))
        return portions[Int(turn % UInt32(portions.count))]
    }

    /// - Parameters:
    ///   - likeliest: the looks at the likeliest region; one begins each portion that has room for it.
    ///   - others: the looks at the other regions.
    private func portions(likeliest: [Look], others: [Look]) -> [[Look]] {
        var portions: [[Look]] = []
        var others = others[...]
        var made = 0
        while made < likeliest.count || !others.isEmpty {
            var portion = [likeliest[made % likeliest.count]]
            made += 1
            var left = budget - portion[0].cost
            // One that doesn't fit in beside the first has the next turn.
            if let next = others.first, !(next.cost <= left) || next.isSecondSearch(in: portion) {
                portions.append(portion)
                portion = [others.removeFirst()]
                left = budget - next.cost
            }
            while let next = others.first, next.cost <= left, !next.isSecondSearch(in: portion) {
                portion.append(others.removeFirst())
                left -= next.cost
            }
            while others.isEmpty, made < likeliest.count, likeliest[made].cost <= left,
                !likeliest[made].isSecondSearch(in: portion)
            {
                portion.append(likeliest[made])
                left -= likeliest[made].cost
                made += 1
            }
            portions.append(portion)
        }
        return portions
    }

    /// Whether no quick turn takes this look: it is left to the ladder, which has more time.
    static func isLeftToLadder(_ look: Look) -> Bool {
        !RegionLook.isOfTurns(look.pass) || !look.isAffordable(Budget.quick)
    }

    static func isWorthwhile(_ region: LocatedRegion, in pictureArea: Double) -> Bool {
        region.kind == .bars || region.length * region.height <= pictureArea * largestPart
    }

    /// The first look at each region, then the second…; regions of each kind by turns, so that none waits for all of another kind.
    private func alternating(_ queues: [[Look]]) -> [Look] {
        let kinds = LocatedRegion.Kind.allCases.map { kind in queues.filter { $0[0].region.kind == kind } }
        return kinds.inTurns().inTurns()
    }
}

extension Array {
    /// Of lists: the first element of each, then the second…
    func inTurns<Item>() -> [Item] where Element == [Item] {
        (0..<(map(\.count).max() ?? 0)).flatMap { index in
            compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

extension RegionTurn.Look {
    private var isSearch: Bool { if case .softMatrix = pass.method { true } else { false } }

    /// Whether a portion that has one of our own searches for matrix codes, which may take a tenth of a second in a crowd, would have two.
    fileprivate func isSecondSearch(in portion: [RegionTurn.Look]) -> Bool {
        isSearch && portion.contains(where: \.isSearch)
    }

    fileprivate func isAffordable(_ budget: Double) -> Bool {
        let mayBeLarge =
            pass.treatments.contains(.magnified) || pass.treatments.contains(.deblurred) || pass.method.isSoft
            || pass.target == .bars || pass.target == .stacked
        return !mayBeLarge || cost <= budget * RegionTurn.largestCopy
    }

    /// In pixels of the picture, or of what is enlarged for small modules. Of high bars only some rows are read.
    var cost: Double {
        if case .soft(let family) = pass.method { return RegionTurn.softCost(family, length: region.length) }
        if case .softMatrix = pass.method {
            return RegionTurn.softMatrixCost(area: region.length * region.height) + deblurringCost
        }
        if pass.treatments.contains(.magnified) {
            let factor = Double(region.magnification ?? 1)
            return region.length * region.height * factor * factor
        }
        if pass.treatments.contains(.deblurred) { return deblurringCost }
        if pass.target == .stacked { return StackFrame(of: region)?.cost ?? 0 }
        if pass.target == .bars {
            let bounds = RegionCopy.surroundings(of: region.corners.bounds)
            return bounds.width * bounds.height
        }
        return region.length
            * (region.kind == .bars ? min(region.height, Double(RegionCopy.mostBarRows)) : region.height)
    }
}

extension RegionTurn.Look {
    /// Filtered, and perhaps enlarged twice.
    private var deblurringCost: Double { pass.treatments.contains(.deblurred) ? 5 * region.areaWithQuietZones : 0 }
}

extension Ballot {
    /// Whether it pays to look: the soft reader and copies for stacked codes are costly, and don't look where another decoder has read something; finder
    /// patterns belong to one code; and a region in which something stands isn't looked at twice in a turn.
    /// - Parameter isFirst: of a turn's looks at this region.
    func pays(_ look: RegionTurn.Look, isFirst: Bool = true) -> Bool {
        guard look.pass.method.isSoft || look.pass.target == .stacked || look.region.kind == .finders || !isFirst else {
            return true
        }
        return !candidates.contains {
            $0.isAccepted && !($0.wantsAnotherPass && look.region.kind == .finders)
                && look.region.corners.contains($0.reading.corners.centre)
        }
    }
}
