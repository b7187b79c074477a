import Glibc
import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// PDF417 whose rows climb: ZXing follows them up to 9 degrees.
@Suite struct TurnedStackTests {
    private static let centre = Point(x: 320, y: 200)
    private static let columns = Double(4 * DecodingFixtures.pdf417[0].count)
    /// Of the fixture, whose rows are one module high.
    private static let rowHeight = 3
    private static let text = Array("PDF417 text".utf8)

    private static func picture(degrees: Double, module: Double) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 400)
        let rows = DecodingFixtures.pdf417.flatMap { row in (0..<rowHeight).map { _ in row } }
        picture.paint(rows, x: centre.x, y: centre.y, module: module, degrees: degrees)
        picture.addNoise(amplitude: 3, seed: 5)
        return picture
    }

    private static func region(_ part: ClosedRange<Double>, degrees: Double, module: Double) -> LocatedRegion {
        let angle = degrees * .pi / 180
        let length = columns * module
        let shift = ((part.lowerBound + part.upperBound) / 2 - 0.5) * length
        return LocatedRegion(
            kind: .bars, centre: Point(x: centre.x + cos(angle) * shift, y: centre.y + sin(angle) * shift),
            direction: angle,
            length: length * (part.upperBound - part.lowerBound), height: 16 * module, module: module, score: 1)
    }

    @Test(arguments: [
        (0.0...1.0, 16.0, 3.0), (0.0...0.5, 16, 3), (0.5...1.0, -20, 3), (0.2...0.8, 40, 3), (0.0...0.6, 16, 1.7),
        (0.3...1.0, -16, 5),
    ])
    func `a turned PDF417 is read from the part of it that was located`(
        part: ClosedRange<Double>, degrees: Double, module: Double
    ) {
        let region = Self.region(part, degrees: degrees, module: module)
        let reader = RegionReader(wanted: DecoderSymbologies([Symbology.pdf417]), readsAddOns: false)
        let pass = RegionLook.zxingStacked.pass(over: .bars)
        #expect(reader.isOfUse(pass, at: region))
        var crowd: FinderCrowd?
        let readings = Self.picture(degrees: degrees, module: module).withPlane {
            reader.read(region, of: $0, by: pass, crowd: &crowd)
        }
        #expect(readings.map(\.bytes) == [Self.text])
        // Where it is, and not where the region is.
        #expect(readings.allSatisfy { $0.corners.centre.distance(to: Self.centre) < 2 * module })
    }

    @Test func `level and upright rows have no such look`() {
        let reader = RegionReader(wanted: DecoderSymbologies([Symbology.pdf417]), readsAddOns: false)
        let pass = RegionLook.zxingStacked.pass(over: .bars)
        for degrees in [0.0, 5, -5, 86, -86] {
            #expect(!reader.isOfUse(pass, at: Self.region(0...1, degrees: degrees, module: 3)))
        }
        let linear = RegionReader(wanted: DecoderSymbologies([Symbology.code128]), readsAddOns: false)
        #expect(!linear.isOfUse(pass, at: Self.region(0...1, degrees: 16, module: 3)))
    }

    @Test(arguments: [14.0, -17, 20])
    func `a turned PDF417 is read in a still`(degrees: Double) {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let symbols = Self.picture(degrees: degrees, module: 3).read(by: engine, effort: .exhaustive)
        #expect(symbols.map(\.bytes) == [Self.text])
        let pass = ReadPlan.stillNumber(of: RegionLook.zxingStacked.pass(over: .bars))
        #expect(symbols.allSatisfy { Int($0.evidence.pass) == pass })
    }

    @Test func `the copy has modules of two to six pixels`() throws {
        for module in [1.2, 1.7, 2.9, 3, 4.9, 5, 7, 12, 30] {
            let frame = try #require(StackFrame(of: Self.region(0...1, degrees: 16, module: module)))
            #expect((2...6).contains(module * frame.scale))
        }
    }

    @Test func `a long region shows less of what is around it, and stripes all over a picture aren't copied`() throws {
        func region(length: Double, height: Double) -> LocatedRegion {
            LocatedRegion(
                kind: .bars, centre: Point(x: 0, y: 0), direction: 0.3, length: length, height: height, module: 4,
                score: 1)
        }
        let short = try #require(StackFrame(of: region(length: 300, height: 80)))
        #expect(short.beyondEnds == 300)
        let long = try #require(StackFrame(of: region(length: 1000, height: 150)))
        #expect(long.beyondEnds < 1000 && long.width * long.height <= 1_000_000 && long.cost <= 1_000_000)
        #expect(StackFrame(of: region(length: 5000, height: 1000)) == nil)
    }

    @Test func `a linear code that was read is no reason to look for a stack`() {
        let region = Self.region(0...1, degrees: 16, module: 3)
        let look = RegionTurn.Look(region: region, pass: RegionLook.zxingStacked.pass(over: .bars))
        var ballot = Ballot(rules: SymbologyRules(DecodeRules(ReadingSettings())))
        #expect(ballot.pays(look))
        ballot.add(
            PassReading(
                symbology: .ean13, bytes: Array("4006381333931".utf8), text: "4006381333931", aim: "",
                corners: region.corners, isInverted: false, decoder: .zxing, strength: 20, pass: 1))
        #expect(!ballot.pays(look))
    }
}
