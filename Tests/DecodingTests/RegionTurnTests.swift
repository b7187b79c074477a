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
        isOfUse: (ReadPass, LocatedRegion) -> Bool = { _, _ in true }
    ) -> [RegionTurn.Look] {
        RegionTurn(regions: regions, turn: turn, budget: budget, pictureArea: 1280 * 720).looks(isOfUse: isOfUse)
    }

    private func passes(
        over kind: LocatedRegion.Kind, budget: Double = RegionTurn.Budget.quick
    ) -> Set<ReadPass> {
        let looks = RegionLook.looks(at: kind)
            .map { RegionTurn.Look(region: region(kind, x: 1), pass: $0.pass(over: kind)) }
        return Set(looks.filter { budget > RegionTurn.Budget.quick || !RegionTurn.isLeftToLadder($0) }.map(\.pass))
    }

    @Test func `codes of any length are left to the ladder, and to sessions where bars are short`() {
        for look in [RegionLook.softCode128, .softCode39, .softITF14, .softCode93, .softCodabar] {
            for length in [60.0, 300, 700] {
                let long = region(.bars, x: 1, length: length)
                #expect(RegionTurn.isLeftToLadder(RegionTurn.Look(region: long, pass: look.pass(over: .bars))))
                let passes = (0..<64 as Range<UInt32>).map { turn in
                    looks(at: [long], turn: turn, budget: RegionTurn.Budget.thorough).map(\.pass)
                }
                let mine = passes.filter { $0.contains(look.pass(over: .bars)) }
                #expect(mine.isEmpty == (length > 350))
                // Not in every frame of a session, and by itself.
                #expect(mine.count < passes.count / 2 && mine.allSatisfy { $0.count == 1 || length < 100 })
            }
        }
    }

    @Test(arguments: [
        (RegionLook.softQRCode, LocatedRegion.Kind.finders), (.softQRCode, .texture), (.softDataMatrix, .texture),
        (.softDataMatrixDeblurred, .texture),
    ])
    func `our searches for matrix codes are left to the ladder and to sessions, however small the region`(
        look: RegionLook, kind: LocatedRegion.Kind
    ) {
        let pass = look.pass(over: kind)
        for length in look == .softDataMatrixDeblurred ? [20.0, 120, 250] : [20, 120, 400] {
            let place = region(kind, x: 1, length: length, height: length)
            #expect(RegionTurn.isLeftToLadder(RegionTurn.Look(region: place, pass: pass)))
            for (budget, isLooked) in [(RegionTurn.Budget.quick, false), (RegionTurn.Budget.thorough, true)] {
                let turns = (0..<64 as Range<UInt32>).map { looks(at: [place], turn: $0, budget: budget).map(\.pass) }
                #expect(turns.contains { $0.contains(pass) } == isLooked)
            }
        }
    }

    @Test func `each portion of the ladder has one search for matrix codes at most, and each look its portion`() {
        let regions = (0..<24).map { number in
            region([.bars, .finders, .texture][number % 3], x: Double(number), length: 120, height: 120)
        }
        func isLeft(_ pass: ReadPass, _ region: LocatedRegion) -> Bool {
            RegionTurn.isLeftToLadder(RegionTurn.Look(region: region, pass: pass))
        }
        func portion(_ number: UInt32) -> [RegionTurn.Look] {
            looks(at: regions, turn: number, budget: RegionTurn.Budget.ladder, isOfUse: isLeft)
        }
        var seen: [LocatedRegion: Set<ReadPass>] = [:]
        for number in 0..<500 as Range<UInt32> {
            let looks = portion(number)
            #expect(!looks.isEmpty)
            #expect(looks.count { if case .softMatrix = $0.pass.method { true } else { false } } <= 1)
            #expect(looks.map(\.cost).reduce(0, +) <= RegionTurn.Budget.ladder || looks.count == 1)
            for look in looks { seen[look.region, default: []].insert(look.pass) }
        }
        for place in regions {
            let left = RegionLook.looks(at: place.kind).map { $0.pass(over: place.kind) }.filter { isLeft($0, place) }
            #expect(!left.isEmpty && seen[place] == Set(left))
        }
    }

    @Test(arguments: LocatedRegion.Kind.allCases)
    func `the likeliest region is looked at in most turns, in each way within a round`(kind: LocatedRegion.Kind) {
        let regions = [region(kind, x: 1), region(.bars, x: 2), region(.texture, x: 3)]
        let turns = (0..<64 as Range<UInt32>).map { looks(at: regions, turn: $0, budget: RegionTurn.Budget.quick) }
        let first = turns.map { $0.filter { $0.region == regions[0] } }
        #expect(first.count { !$0.isEmpty } * 2 > turns.count)
        #expect(Set(first.flatMap(\.self).map(\.pass)) == passes(over: kind))
    }

    @Test(arguments: 1...12, [60_000, RegionTurn.Budget.quick, RegionTurn.Budget.thorough])
    func `all get each of their looks, within two turns a look`(count: Int, budget: Double) {
        let regions = (0...count).map { number in
            region([.bars, .finders, .texture][number % 3], x: Double(number), length: 100, height: 100)
        }
        var seen: [LocatedRegion: Set<ReadPass>] = [:]
        let mostLooks = LocatedRegion.Kind.allCases.map { RegionLook.looks(at: $0).count }.max() ?? 0
        for turn in 0..<UInt32(2 * mostLooks * (count + 1)) {
            for look in looks(at: regions, turn: turn, budget: budget) {
                seen[look.region, default: []].insert(look.pass)
            }
        }
        for region in regions { #expect(seen[region] == passes(over: region.kind, budget: budget)) }
    }

    @Test(arguments: [RegionTurn.Budget.quick, RegionTurn.Budget.thorough])
    func `a turn costs no more than the budget, or has one look`(budget: Double) {
        let regions = (0..<24).map { number in
            region(
                [.bars, .finders, .texture][number % 3], x: Double(number), length: Double(60 + 20 * number),
                height: 100)
        }
        for turn in 0..<UInt32(200) {
            let costs = looks(at: regions, turn: turn, budget: budget).map(\.cost)
            #expect(costs.count == 1 || costs.reduce(0, +) <= budget)
            #expect(!costs.isEmpty)
        }
    }

    @Test func `a crowd of regions is looked at as far as the budget goes`() {
        let regions = (0..<24).map { region(.bars, x: Double($0)) }
        let isDecoder = { (pass: ReadPass, _: LocatedRegion) in !pass.method.isSoft && pass.treatments.isEmpty }
        // Each counts 300 × 60 pixels.
        #expect(looks(at: regions, turn: 5, budget: 90_000, isOfUse: isDecoder).count == 5)
        #expect(looks(at: regions, turn: 5, budget: 1, isOfUse: isDecoder).count == 1)
        #expect(looks(at: [], turn: 5, budget: 90_000).isEmpty)
    }

    @Test func `a quick turn has one look of the soft reader at most`() {
        let regions = (0..<24).map { region(.bars, x: Double($0)) }
        for turn in 0..<UInt32(96) {
            let looks = looks(at: regions, turn: turn, budget: RegionTurn.Budget.quick)
            #expect(looks.count { $0.pass.method.isSoft } <= 1)
        }
    }

    @Test func `a matrix code that fills the picture is left to the passes over all of it, bars are not`() {
        #expect(looks(at: [region(.texture, x: 640, length: 1000, height: 700)], turn: 0, budget: 90_000).isEmpty)
        #expect(looks(at: [region(.bars, x: 640, length: 1000, height: 700)], turn: 0, budget: 90_000).count == 1)
    }

    @Test func `looks that can find nothing aren't made, and cost nothing`() {
        let regions = [region(.bars, x: 1), region(.finders, x: 2)]
        let matrix = looks(at: regions, turn: 0, budget: 1) { _, region in region.kind != .bars }
        #expect(matrix.map(\.region) == [regions[1]])
    }

    /// Glare washes bars away, and a part of them is a shorter code.
    @Test func `ZBar's unturned look is for codes with a check`() {
        let pass = RegionLook.zbarWhole.pass(over: .bars)
        let bars = region(.bars, x: 640)
        func isOfUse(_ symbology: Symbology) -> Bool {
            RegionReader(wanted: DecoderSymbologies([symbology]), readsAddOns: false).isOfUse(pass, at: bars)
        }
        #expect(isOfUse(.ean13) && isOfUse(.code128))
        #expect(!isOfUse(.itf) && !isOfUse(.code39) && !isOfUse(.codabar))
    }

    @Test func `what is copied around bars is paid for`() throws {
        let bars = region(.bars, x: 640, length: 300, height: 20)
        let pass = RegionLook.zbarWhole.pass(over: .bars)
        #expect(RegionTurn.Look(region: bars, pass: pass).cost > 436 * 156 - 1)
    }

    /// Two of ZBar's looks at the same rows are one observation, not two that agree.
    @Test func `ZBar votes for a region as for the whole picture`() {
        #expect(RegionLook.zbar.pass(over: .bars).vote == LivePlan.thoroughTurns[0])
    }
}
