import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Bars that are too blurred for readers that look for edges.
@Suite struct SoftRegionTests {
    private static let rules = DecodeRules(ReadingSettings())
    private static let picture: DecodingPicture = {
        var picture = DecodingPicture(width: 480, height: 240)
        picture.paint(DecodingFixtures.ean13, x: 240, y: 120, module: 2)
        picture.blurAcross(radius: 3, times: 2)
        picture.addNoise(amplitude: 2, seed: 1)
        return picture
    }()

    @Test func `a blurred EAN-13 that no other decoder reads is read live`() {
        let engine = DecodeEngine(rules: Self.rules)
        var decoders: Set<Evidence.Decoder> = []
        var contents: Set<[UInt8]> = []
        for turn in 0..<UInt32(engine.quickTurnCount) {
            for symbol in Self.picture.read(by: engine, effort: .quick(turn: turn)) {
                decoders.insert(symbol.evidence.decoder)
                contents.insert(symbol.bytes)
            }
        }
        #expect(decoders == [.soft])
        #expect(contents == [Array("4006381333931".utf8)])
    }

    @Test func `and in a still picture`() throws {
        let symbols = Self.picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        #expect(symbols.map(\.bytes) == [Array("4006381333931".utf8)])
        let corners = try #require(symbols.first?.corners)
        #expect(abs(corners.centre.x - 0.5) < 0.02 && abs(corners.centre.y - 0.5) < 0.1)
    }

    @Test func `it isn't looked for where the rules don't ask for it`() {
        var rules = Self.rules
        rules.symbologies = rules.symbologies.filter { $0.key == .code128 }
        #expect(Self.picture.read(by: DecodeEngine(rules: rules), effort: .exhaustive).isEmpty)
    }
}
