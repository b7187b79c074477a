import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// ZBar keeps the half of an EAN until the other half comes. A number that is put together of two codes is a wrong price whose check digit fits.
@Suite struct HalvesTests {
    /// The left half of 4006381333931, and the right one of a number that ends with 123457: together 4006381123457, whose check digit fits.
    private static let rows: [String] = {
        let left = DecodingFixtures.ean13[0].flatMap { digit in
            let bits = String(digit.hexDigitValue ?? 0, radix: 2)
            return String(repeating: "0", count: 4 - bits.count) + bits
        }
        let right = ["1100110", "1101100", "1000010", "1011100", "1001110", "1000100"].joined() + "101"
        return [DecodingPicture.row(left.prefix(45) + "01010" + right)]
    }()

    /// Where the code stands: in the middle, or so that the picture's edge cuts it beside the guard in its middle, which ZBar wants to see.
    private enum Part: Double {
        case right = 10.5
        case whole = 320
        case left = 632.5
    }

    private func picture(_ parts: [(Part, y: Double)]) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 480)
        for (part, y) in parts { picture.paint(Self.rows, x: part.rawValue, y: y, barHeight: 30) }
        picture.addNoise(amplitude: 3, seed: 11)
        return picture
    }

    private func efforts(_ engine: DecodeEngine) -> [ReadEffort] {
        [.exhaustive] + (0..<24).flatMap { [.quick(turn: $0), .thorough(turn: $0)] }
    }

    @Test func inOneLineTheyAreANumber() {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        #expect(picture([(.whole, 240)]).read(by: engine, effort: .exhaustive).map(\.text) == ["4006381123457"])
    }

    @Test func halvesOfTwoPicturesAreNoNumber() {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let pictures = [picture([(.right, 240)]), picture([(.left, 240)])]
        for effort in efforts(engine) {
            for picture in pictures + pictures.reversed() {
                #expect(picture.read(by: engine, effort: effort).isEmpty, "\(effort)")
            }
        }
    }

    @Test func halvesOneAboveTheOtherAreNoNumber() {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        for halves in [[(Part.right, y: 140.0), (.left, 340)], [(.left, 140), (.right, 340)]] {
            let picture = picture(halves)
            for effort in efforts(engine) {
                #expect(picture.read(by: engine, effort: effort).isEmpty, "\(effort)")
            }
        }
    }
}
