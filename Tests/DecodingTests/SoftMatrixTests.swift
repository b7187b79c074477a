import Foundation
import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// QR and Data Matrix codes on crumpled paper: waves of more than half a module, which no other decoder follows.
@Suite struct SoftMatrixTests {
    private static let rules = DecodeRules(ReadingSettings())

    /// - Parameter wave: height in modules.
    private static func crumpled(wave: Double) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.qrLink, x: 330, y: 230, module: 6, degrees: 20) { u, v in
            (u + wave * (sin(v / 4 + 1) + 0.4 * sin(u / 3)), v + wave * (sin(u / 4 + 2) + 0.4 * sin(v / 3 + 1)))
        }
        picture.addNoise(amplitude: 6, seed: 2)
        return picture
    }

    private static let picture = crumpled(wave: 0.6)
    private static let flat = crumpled(wave: 0)

    private func ladder(_ picture: DecodingPicture) -> [Symbol] {
        let engine = DecodeEngine(rules: Self.rules)
        var found = picture.read(by: engine, effort: .ladder(.init(round: 0, begins: true)))
        while !engine.isLadderOver {
            found += picture.read(by: engine, effort: .ladder(.init(round: 0, begins: false)))
        }
        return found
    }

    @Test func `a crumpled code is read in a still picture by nobody else, with its own text and place`() throws {
        let flat = try #require(Self.flat.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive).first)
        #expect(flat.evidence.decoder == .zxing)
        let found = Self.picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        #expect(found.map(\.evidence.decoder) == [.soft])
        let symbol = try #require(found.first)
        #expect(symbol.symbology == .qrCode && symbol.aim == flat.aim && symbol.bytes == flat.bytes)
        #expect(symbol.text == flat.text)
        #expect(symbol.evidence.strength >= 16)
        #expect(zip(symbol.corners.points, flat.corners.points).allSatisfy { $0.distance(to: $1) < 0.03 })
    }

    @Test func `and live, when the ladder has time`() throws {
        let found = ladder(Self.picture)
        #expect(Set(found.map(\.evidence.decoder)) == [.soft])
        let flat = try #require(Self.flat.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive).first)
        #expect(Set(found.map(\.bytes)) == [flat.bytes])
    }

    private static func crumpledDataMatrix(wave: Double) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.dataMatrixGS1, x: 330, y: 230, module: 6, degrees: 20) { u, v in
            (u + wave * (sin(v / 3 + 1) + 0.4 * sin(u / 2.5)), v + wave * (sin(u / 3 + 2) + 0.4 * sin(v / 2.5 + 1)))
        }
        picture.addNoise(amplitude: 6, seed: 2)
        return picture
    }

    @Test func `a crumpled Data Matrix is read, too, still and by the ladder`() throws {
        let flat = Self.crumpledDataMatrix(wave: 0).read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        let clear = try #require(flat.first)
        #expect(flat.count == 1 && clear.evidence.decoder == .zxing && clear.symbology == .dataMatrix)
        let crumpled = Self.crumpledDataMatrix(wave: 0.5)
        for found in [
            crumpled.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive), ladder(crumpled),
        ] {
            #expect(Set(found.map(\.evidence.decoder)) == [.soft])
            let symbol = try #require(found.first)
            #expect(symbol.symbology == .dataMatrix && symbol.aim == clear.aim && symbol.bytes == clear.bytes)
            #expect(symbol.evidence.strength >= 16)
            #expect(zip(symbol.corners.points, clear.corners.points).allSatisfy { $0.distance(to: $1) < 0.03 })
        }
    }

    @Test func `nobody looks for it where QR codes aren't asked for`() {
        var settings = ReadingSettings()
        settings.symbologies = [.dataMatrix: SymbologySettings(), .aztec: SymbologySettings()]
        let engine = DecodeEngine(rules: DecodeRules(settings))
        #expect(Self.picture.read(by: engine, effort: .exhaustive).isEmpty)
        #expect(!engine.quickTurns.joined().contains { $0.method == .softMatrix(.qrCode) })
    }
}
