import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Codes whose modules are one or two pixels wide, and codes in the shadow beside bright light.
@Suite struct SmallModuleTests {
    private static let rules = DecodeRules(ReadingSettings())

    private static func picture(_ rows: [String], module: Double) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 400)
        picture.paint(rows, x: 300.3, y: 190.6, module: module)
        picture.addNoise(amplitude: 3, seed: 7)
        return picture
    }

    private static let small: [(rows: [String], module: Double, symbology: Symbology)] = [
        (SmallQRCode.rows("tiny"), 1.5, .qrCode),
        (DecodingFixtures.qrLink, 1.6, .qrCode),
        (DecodingFixtures.dataMatrixGS1, 1.6, .dataMatrix),
    ]

    @Test(arguments: small.indices)
    func `a small code is read live and in a still`(index: Int) {
        let (rows, module, symbology) = Self.small[index]
        let engine = DecodeEngine(rules: Self.rules)
        let picture = Self.picture(rows, module: module)
        var live: Set<Symbology> = []
        for turn in 0..<UInt32(2 * engine.quickTurnCount) {
            live.formUnion(picture.read(by: engine, effort: .quick(turn: turn)).map(\.symbology))
        }
        #expect(live == [symbology])
        #expect(picture.read(by: engine, effort: .exhaustive).map(\.symbology) == [symbology])
    }

    @Test func `a PDF417 whose rows look like bars is read where it is small`() {
        var picture = DecodingPicture(width: 320, height: 160)
        picture.paint(DecodingFixtures.pdf417, x: 160.3, y: 80.6, module: 1.5)
        let (columns, rows) = (4 * DecodingFixtures.pdf417[0].count, DecodingFixtures.pdf417.count)
        let region = LocatedRegion(
            kind: .bars, centre: Point(x: 160, y: 80), direction: 0, length: Double(columns) * 1.5,
            height: Double(rows) * 1.5, module: 1.5, score: 1)
        let reader = RegionReader(wanted: DecoderSymbologies([Symbology.pdf417]), readsAddOns: false)
        var crowd: FinderCrowd?
        let readings = picture.withPlane {
            reader.read(region, of: $0, by: RegionLook.zxingWhole.pass(over: .bars), crowd: &crowd)
        }
        #expect(readings.map(\.symbology) == [.pdf417])
        #expect(readings.allSatisfy { region.corners.contains($0.corners.centre) })
    }

    /// Three lines of an enlarged copy within one row of the picture are no three that agree.
    @Test func `lines of an enlarged copy count as rows of the picture`() {
        var picture = DecodingPicture(width: 400, height: 100)
        picture.paint(DecodingFixtures.ean13, x: 200, y: 50, module: 1.5, barHeight: 8)
        let region = LocatedRegion(
            kind: .bars, centre: Point(x: 200, y: 50), direction: 0, length: 143, height: 12, module: 1.5, score: 1)
        let reader = RegionReader(wanted: DecoderSymbologies([Symbology.ean13]), readsAddOns: false)
        var crowd: FinderCrowd?
        let readings = picture.withPlane {
            reader.read(region, of: $0, by: RegionLook.zxingWhole.pass(over: .bars), crowd: &crowd)
        }
        #expect(readings.map(\.text) == ["4006381333931"])
        #expect(readings.allSatisfy { $0.strength <= 13 })
    }

    @Test(arguments: [true, false])
    func `a code on a can is straightened`(isDown: Bool) {
        var flat = DecodingPicture(width: 200, height: 200)
        flat.paint(SmallQRCode.rows("can"), x: 100, y: 100, module: 4)
        let (bent, straight) = flat.withPlane { plane in
            let bent = isDown ? Bow.down(plane, percent: 14) : Bow.across(plane, percent: 14)
            return (bent, isDown ? Bow.down(bent, percent: -14) : Bow.across(bent, percent: -14))
        }
        func difference(_ other: LumaPlane) -> Int {
            flat.withPlane { plane in
                (60..<140).reduce(0) { sum, y in
                    (60..<140).reduce(sum) { $0 + abs(Int(plane.row(y)[$1]) - Int(other.row(y)[$1])) }
                }
            }
        }
        #expect(difference(straight) * 2 < difference(bent))
    }

    @Test func `a code in the shadow beside a bright spot is read in a still and in a session`() {
        var picture = DecodingPicture(width: 640, height: 400)
        picture.paint(SmallQRCode.rows("shade"), x: 300, y: 190, module: 4)
        for index in picture.pixels.indices { picture.pixels[index] = 3 + picture.pixels[index] / 16 }
        picture.fill(x: 430, y: 0, width: 210, height: 400, 255)
        picture.addNoise(amplitude: 1, seed: 3)
        let engine = DecodeEngine(rules: Self.rules)
        #expect(picture.read(by: engine, effort: .exhaustive).map(\.text) == ["shade"])
        let live = (0..<UInt32(engine.thoroughTurnCount)).flatMap {
            picture.read(by: engine, effort: .thorough(turn: $0)).map(\.text)
        }
        #expect(live.contains("shade"))
    }

    // MARK: Bounds

    @Test func `a copy of a region is enlarged three times, or twice, or not at all`() {
        #expect(ReadPass.Treatment.magnification(ofPixels: 300 * 300) == 3)
        #expect(ReadPass.Treatment.magnification(ofPixels: 450 * 450) == 2)
        #expect(ReadPass.Treatment.magnification(ofPixels: 600 * 600) == nil)
        let large = LumaPlane(width: 600, height: 600, map: .identity) { $0.update(repeating: 9, count: 360_000) }
        #expect(ReadPass.Treatment.magnified.applied(to: large) == nil)
    }

    @Test(arguments: [RegionTurn.Budget.quick, RegionTurn.Budget.thorough])
    func `a storm of small regions enlarges no more pixels than the budget, or one copy`(budget: Double) {
        let regions = (0..<24).map { number in
            LocatedRegion(
                kind: [.bars, .finders, .texture][number % 3], centre: Point(x: Double(number), y: 100), direction: 0,
                length: 200, height: 200, module: 1.4, score: 1)
        }
        for turn in 0..<UInt32(168) {
            let looks = RegionTurn(regions: regions, turn: turn, budget: budget, pictureArea: 1280 * 720)
                .looks { _, _ in true }
            let costs = looks.map(\.cost)
            #expect(costs.count == 1 || costs.reduce(0, +) <= budget)
            #expect(costs.allSatisfy { $0 <= 2 * budget })
        }
    }

    @Test func `a region too large for a quick turn is enlarged in a session's turns`() {
        let region = LocatedRegion(
            kind: .texture, centre: Point(x: 300, y: 300), direction: 0, length: 350, height: 350, module: 0, score: 1)
        func isEnlarged(_ budget: Double) -> Bool {
            (0..<UInt32(14)).contains { turn in
                RegionTurn(regions: [region], turn: turn, budget: budget, pictureArea: 1280 * 720).looks { _, _ in true
                }
                .contains { $0.pass.treatments.contains(.magnified) }
            }
        }
        #expect(!isEnlarged(RegionTurn.Budget.quick) && isEnlarged(RegionTurn.Budget.thorough))
    }
}
