import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// ZBar keeps the half of an EAN until the other half comes. A number that is put together of two codes is a wrong price whose check digit fits.
@Suite struct HalvesTests {
    /// The left half of 4006381333931, and the right one of a number that ends with 123457: together 4006381123457, whose check digit fits.
    private enum Part {
        case left, right, whole

        /// As `DecodingPicture.paint` takes modules, in hexadecimal.
        var rows: [String] {
            let left = DecodingFixtures.ean13[0].flatMap { digit in
                let bits = String(digit.hexDigitValue ?? 0, radix: 2)
                return String(repeating: "0", count: 4 - bits.count) + bits
            }
            let first = String(left.prefix(45))
            let middle = "01010"
            let last = ["1100110", "1101100", "1000010", "1011100", "1001110", "1000100"].joined() + "101"
            switch self {
            case .left: return [Self.hexadecimal(first + middle)]
            case .right: return [Self.hexadecimal(middle + last)]
            case .whole: return [Self.hexadecimal(first + middle + last)]
            }
        }

        private static func hexadecimal(_ bits: String) -> String {
            let padded = Array(bits + String(repeating: "0", count: (4 - bits.count % 4) % 4))
            return stride(from: 0, to: padded.count, by: 4)
                .map { String(Int(String(padded[$0..<$0 + 4]), radix: 2) ?? 0, radix: 16, uppercase: true) }.joined()
        }
    }

    private func picture(_ halves: [(Part, y: Double)]) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 480)
        for (half, y) in halves { picture.paint(half.rows, x: 320, y: y, barHeight: 30) }
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
