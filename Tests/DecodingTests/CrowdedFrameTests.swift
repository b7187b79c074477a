import Foundation
import ReaderProtocol
import Reading
import Settings
import Testing

@testable import Decoding

/// Frames full of small codes.
@Suite struct CrowdedFrameTests {
    static let texts = (0..<80).map { "CODE-\($0)" }

    /// Eighty QR codes of three pixels per module, ten in a row, on 1280x720.
    private static let frame: DecodingPicture = {
        var picture = DecodingPicture(width: 1280, height: 720)
        for (index, text) in texts.enumerated() {
            picture.paint(
                SmallQRCode.rows(text), x: Double(index % 10) * 128 + 64, y: Double(index / 10) * 90 + 45)
        }
        picture.addNoise(amplitude: 4, seed: 1)
        return picture
    }()

    private let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))

    @Test func aRoundOfCheapTurnsReadsAllOfThem() {
        let round = engine.quickTurns.indices.flatMap {
            Self.frame.read(by: engine, effort: .quick(turn: UInt32($0)))
        }
        #expect(Set(round.compactMap(\.text)) == Set(Self.texts))
    }

    @Test func eachThoroughTurnReadsAllOfThemWithinTheLimit() {
        for turn: UInt32 in 0..<2 {
            let symbols = Self.frame.read(by: engine, effort: .thorough(turn: turn))
            #expect(Set(symbols.compactMap(\.text)) == Set(Self.texts))
            #expect(symbols.count <= ReaderLimits.maxSymbolsPerFrame)
        }
    }

    @Test(arguments: [(90.0, 80.0), (1190, 80), (90, 640), (1190, 640), (640, 80), (640, 640), (90, 360), (1190, 360)])
    func oneSmallCodeAnywhereIsReadInARound(x: Double, y: Double) {
        var picture = DecodingPicture(width: 1280, height: 720)
        picture.paint(SmallQRCode.rows("CORNER"), x: x, y: y, module: 2)
        picture.addNoise(amplitude: 4, seed: 1)
        let round = engine.quickTurns.indices.flatMap {
            picture.read(by: engine, effort: .quick(turn: UInt32($0)))
        }
        #expect(round.contains { $0.text == "CORNER" })
    }

    @Test func aStationScansEachOfThemOnceWithinASecond() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let header = Data("P5\n\(Self.frame.width) \(Self.frame.height)\n255\n".utf8)
        try (header + Data(Self.frame.pixels)).write(to: folder.appendingPathComponent("crowd.pgm"))
        var live = LiveScene()
        live.folder = folder.path
        let scans = try live.show(["crowd.pgm"]).flatMap(\.scans)
        #expect(scans.sorted() == Self.texts.map { "qr_code \($0)" }.sorted())
    }
}
