import Testing
import Vocabulary

@testable import Decoding

@Suite struct RegionTurnTests {
    private func region(
        _ kind: LocatedRegion.Kind, x: Double, length: Double = 300, height: Double = 60
    ) -> LocatedRegion {
        LocatedRegion(
            kind: kind, centre: Point(x: x, y: 100), direction: 0, length: length, height: height, module: 2, score: 1)
    }

    private func looks(
        at regions: [LocatedRegion], turn: UInt32, budget: Double,
        isOfUse: (RegionLook, LocatedRegion.Kind) -> Bool = { _, _ in true }
    ) -> [(region: LocatedRegion, look: RegionLook)] {
        RegionTurn(regions: regions, turn: turn, budget: budget, pictureArea: 1280 * 720).looks(isOfUse: isOfUse)
    }

    @Test func `the likeliest region is looked at in every turn, by each decoder within three`() {
        let regions = [region(.bars, x: 1), region(.bars, x: 2), region(.texture, x: 3)]
        let first = (0..<3).map { looks(at: regions, turn: $0, budget: 1)[0] }
        #expect(first.allSatisfy { $0.region == regions[0] })
        #expect(Set(first.map(\.look)) == Set(RegionLook.allCases))
    }

    @Test(arguments: 1...12, [30_000, RegionTurn.Budget.quick, RegionTurn.Budget.thorough])
    func `the others get each of their looks within three rounds`(count: Int, budget: Double) {
        let regions = (0...count).map { number in
            region([.bars, .finders, .texture][number % 3], x: Double(number), length: 100, height: 100)
        }
        var seen: [LocatedRegion: Set<RegionLook>] = [:]
        for turn in 0..<UInt32(3 * count) {
            for (region, look) in looks(at: regions, turn: turn, budget: budget) {
                seen[region, default: []].insert(look)
            }
        }
        for region in regions { #expect(seen[region] == Set(RegionLook.looks(at: region.kind))) }
    }

    @Test func `a crowd of regions costs no more than the budget and two regions`() {
        let regions = (0..<24).map { region(.bars, x: Double($0)) }
        // Each counts 300 × 60 pixels.
        #expect(looks(at: regions, turn: 5, budget: 90_000).count == 1 + 5)
        #expect(looks(at: regions, turn: 5, budget: 1).count == 2)
        #expect(looks(at: [], turn: 5, budget: 90_000).isEmpty)
    }

    @Test func `what fills the picture is left to the passes over all of it`() {
        #expect(looks(at: [region(.texture, x: 640, length: 1000, height: 700)], turn: 0, budget: 90_000).isEmpty)
    }

    @Test func `looks that can find nothing aren't made, and cost nothing`() {
        let regions = [region(.bars, x: 1), region(.finders, x: 2)]
        let matrix = looks(at: regions, turn: 0, budget: 1) { _, kind in kind != .bars }
        #expect(matrix.map(\.region) == [regions[1]])
    }

    /// Two of ZBar's looks at the same rows are one observation, not two that agree.
    @Test func `ZBar votes for a region as for the whole picture`() {
        #expect(RegionLook.zbar.vote(over: .bars) == ReadPlan.thoroughTurns[0])
    }
}
