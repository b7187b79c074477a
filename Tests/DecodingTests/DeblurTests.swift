import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Matrix codes before a lens that isn't in focus.
@Suite struct DeblurTests {
    private static let rules = DecodeRules(ReadingSettings())

    /// - Parameter radius: see `DecodingPicture.blur`; 0 is sharp, 1 spreads a point by 1.41 pixels, 2 by 2.45, 3 by 3.46.
    private static func picture(_ rows: [String], module: Double, radius: Int, degrees: Double = 9) -> DecodingPicture {
        var picture = DecodingPicture(width: 400, height: 320)
        picture.paint(rows, x: 200.3, y: 160.6, module: module, degrees: degrees)
        if radius > 0 { picture.blur(radius: radius) }
        picture.addNoise(amplitude: 3, seed: 5)
        return picture
    }

    /// With one decoder, as it is.
    private static func plain(_ picture: DecodingPicture, _ symbology: Symbology) -> Int {
        let pass = ReadPass(method: .zxing(.localAverage), target: .matrix)
        return picture.withPlane {
            ZXingDecoder().read(
                $0, pass: pass, binarizer: .localAverage, symbologies: DecoderSymbologies([symbology]),
                readsAddOns: false
            ).count
        }
    }

    @Test(arguments: [(1, 1.41, 4.0), (2, 2.45, 5), (3, 3.46, 8)] as [(Int, Float, Double)])
    func `the spread is told from the picture's own edges`(radius: Int, spread: Float, module: Double) throws {
        let blurred = Self.picture(DecodingFixtures.qrLink, module: module, radius: radius)
        let seen = try #require(blurred.withPlane { Deblur.spread(of: $0) })
        #expect(seen > 0.8 * spread && seen < 1.25 * spread, "\(seen)")
    }

    @Test func `a sharp picture, an empty one and one too small to filter are left alone`() {
        #expect(Self.picture(DecodingFixtures.qrLink, module: 4, radius: 0).withPlane { Deblur.sharpened($0) } == nil)
        #expect(DecodingPicture(width: 200, height: 200).withPlane { Deblur.sharpened($0) } == nil)
        #expect(DecodingPicture(width: 4, height: 4).withPlane { Deblur.sharpened($0) } == nil)
    }

    @Test func `noise alone gives no codes`() {
        var noise = DecodingPicture(width: 300, height: 300)
        for index in noise.pixels.indices { noise.pixels[index] = 128 }
        noise.addNoise(amplitude: 127, seed: 3)
        noise.blur(radius: 2)
        #expect(noise.withPlane { Deblur.sharpened($0) } != nil)
        #expect(noise.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive).isEmpty)
    }

    @Test func `a copy that is narrower than the filter is filtered`() throws {
        var edge = DecodingPicture(width: 30, height: 40)
        for index in edge.pixels.indices { edge.pixels[index] = index % edge.rowStride < 15 ? 30 : 220 }
        edge.blur(radius: 3)
        let spread = try #require(edge.withPlane { Deblur.spread(of: $0) })
        let sharp = try #require(edge.withPlane { Deblur.sharpened($0) })
        #expect(sharp.width == 30 && spread > 2.8)
        #expect(try #require(Deblur.spread(of: sharp)) < 0.8 * spread)
        #expect(abs(Int(sharp.row(20)[2]) - 30) < 12 && abs(Int(sharp.row(20)[26]) - 220) < 12)
    }

    private static let blurred: [(rows: [String], module: Double, radius: Int, symbology: Symbology)] = [
        (DecodingFixtures.qrLink, 4, 2, .qrCode),
        (DecodingFixtures.dataMatrixGS1, 4.2, 2, .dataMatrix),
        (DecodingFixtures.dataMatrixGS1, 2.5, 1, .dataMatrix),
        (SmallQRCode.rows("out of focus"), 8.4, 4, .qrCode),
    ]

    @Test(arguments: blurred.indices)
    func `a code whose modules melt into each other is read in a still and by the ladder, where it is`(index: Int)
        throws
    {
        let (rows, module, radius, symbology) = Self.blurred[index]
        let picture = Self.picture(rows, module: module, radius: radius)
        #expect(Self.plain(Self.picture(rows, module: module, radius: 0), symbology) == 1)
        #expect(Self.plain(picture, symbology) == 0)
        let symbol = try #require(picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive).first)
        #expect(symbol.symbology == symbology)
        #expect(Int(symbol.evidence.pass) == ReadPlan.stillNumber(of: RegionLook.zxingDeblurred.pass(over: .texture)))
        // The middle of its rows with what fills up their last digit.
        let centre = symbol.corners.centre
        let miss = Point(x: centre.x * 400, y: centre.y * 320).distance(to: Point(x: 200.3, y: 160.6))
        #expect(miss < 2 * module, "\(miss) pixels")
        let engine = DecodeEngine(rules: Self.rules)
        var found: Set<Symbology> = []
        for order in 0..<60 {
            let effort = ReadEffort.ladder(.init(round: 0, begins: order == 0))
            found.formUnion(picture.read(by: engine, effort: effort).map(\.symbology))
        }
        #expect(found == [symbology])
    }

    @Test(arguments: [LocatedRegion.Kind.finders, .texture])
    func `it is a look at regions of matrix codes, and what it costs keeps large ones out of quick turns`(
        kind: LocatedRegion.Kind
    ) {
        let pass = RegionLook.zxingDeblurred.pass(over: kind)
        #expect(
            RegionLook.looks(at: kind).contains(.zxingDeblurred)
                && !RegionLook.looks(at: .bars).contains(.zxingDeblurred))
        func look(side: Double) -> RegionTurn.Look {
            RegionTurn.Look(
                region: LocatedRegion(
                    kind: kind, centre: Point(x: 300, y: 300), direction: 0, length: side, height: side, module: 3,
                    score: 1),
                pass: pass)
        }
        #expect(!RegionTurn.isLeftToLadder(look(side: 100)) && RegionTurn.isLeftToLadder(look(side: 400)))
    }
}
