import ReaderProtocol
import Reading
import Settings
import Testing

@testable import Decoding

/// Pictures full of finder patterns that don't belong to codes, made to take minutes.
@Suite(.timeLimit(.minutes(5))) struct FinderCrowdTests {
    private static let finder = ["FE", "82", "BA", "BA", "BA", "82", "FE"]

    /// Patterns of two pixels per module, 32 pixels apart, with a strip left free at the top.
    private static func crowd(columns: Int, rows: Int) -> DecodingPicture {
        var picture = DecodingPicture(width: max(320, columns * 32), height: 160 + rows * 32)
        for y in 0..<rows {
            for x in 0..<columns {
                picture.paint(finder, x: Double(x) * 32 + 16, y: Double(y) * 32 + 176, module: 2)
            }
        }
        return picture
    }

    private let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))

    /// Without the limits, every look takes a quarter of a minute.
    @Test func aCodeBesideTheCrowdIsReadInAMomentOfWork() {
        var picture = Self.crowd(columns: 40, rows: 22)
        picture.paint(SmallQRCode.rows("BESIDE"), x: 200, y: 70)
        let symbols = picture.read(by: engine, effort: .exhaustive)
        #expect(symbols.contains { $0.text == "BESIDE" })
    }

    @Test func aSheetOfEightyCodesIsReadWithoutLeavingAnythingOut() {
        var picture = DecodingPicture(width: 1280, height: 720)
        for index in 0..<80 {
            picture.paint(
                SmallQRCode.rows("CODE-\(index)"), x: Double(index % 10) * 128 + 64, y: Double(index / 10) * 90 + 45)
        }
        let symbols = picture.read(by: engine, effort: .exhaustive)
        #expect(!engine.leftOutCrowds)
        #expect(Set(symbols.compactMap(\.text)).count == 80)
    }

    @Test func looksStayWithinThePicturesCostLimit() throws {
        let everything = DecoderSymbologies.matrix
        let few = try #require(Self.plane(Self.crowd(columns: 5, rows: 4)))
        var crowd = FinderCrowd()
        let whole = crowd.looks(at: few, for: everything)
        #expect(whole.map(\.symbologies.mask) == [everything.mask] && !crowd.leftOut)
        // If no code with finder patterns is wanted, they aren't counted.
        let many = try #require(Self.plane(Self.crowd(columns: 40, rows: 22)))
        #expect(crowd.looks(at: many, for: .linear).map(\.symbologies.mask) == [DecoderSymbologies.linear.mask])

        // Tile by tile at first; once the picture has cost enough, without QR codes.
        var rounds = 0
        while !crowd.leftOut, rounds < 10_000 {
            let looks = crowd.looks(at: many, for: everything)
            #expect(looks.first?.symbologies.intersection(FinderCrowd.codes).isEmpty == true)
            rounds += 1
        }
        #expect((1..<10_000).contains(rounds))
        #expect(crowd.symbologies(forZBar: .zbar, on: many).intersection(FinderCrowd.codes).isEmpty)
        #expect(crowd.symbologies(forZBar: .zbar, on: few).mask == DecoderSymbologies.zbar.mask)
    }

    /// A plane that owns its samples.
    private static func plane(_ picture: DecodingPicture) -> LumaPlane? {
        guard picture.rowStride == picture.width else { return nil }
        return LumaPlane(width: picture.width, height: picture.height, map: .identity) { target in
            target.update(from: picture.pixels, count: picture.pixels.count)
        }
    }
}
