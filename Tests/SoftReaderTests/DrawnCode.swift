import Glibc
import SoftReader
import Vocabulary

/// A picture of bars: blurred along the line by a Gaussian made of small steps, averaged over pixels, with noise.
struct DrawnCode {
    static let sets = [
        "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011",
        "0100111 0110011 0011011 0100001 0011101 0111001 0000101 0010001 0001001 0010111",
        "1110010 1100110 1101100 1000010 1011100 1001110 1010000 1000100 1001000 1110100",
    ].map { $0.split(separator: " ").map(String.init) }

    /// The modules of an EAN-13 (13 digits), or of an EAN-8 (8 digits).
    static func modules(_ digits: String) -> String {
        let values = digits.compactMap(\.wholeNumberValue)
        let parities = [
            "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
        ]
        let isShort = values.count == 8
        let left = isShort ? values[0..<4] : values[1..<7]
        let parity = isShort ? "AAAA" : parities[values[0]]
        return "101" + zip(left, parity).map { sets[$1 == "A" ? 0 : 1][$0] }.joined() + "01010"
            + values.suffix(isShort ? 4 : 6).map { sets[2][$0] }.joined() + "101"
    }

    /// The modules of a UPC-E with number system 0, by the sets of its check digit.
    static func modulesOfE(_ digits: String, _ parity: String) -> String {
        "101" + zip(digits.compactMap(\.wholeNumberValue), parity).map { sets[$1 == "A" ? 0 : 1][$0] }.joined()
            + "010101"
    }

    /// Pixels a module, and blur as a standard deviation in modules.
    var module = 2.0
    var blur = 0.3
    var noise = 3.0
    /// Modules of paper on each side; what lies beyond is dark.
    var quiet = (left: 10.0, right: 10.0)
    var isMirrored = false
    var height = 40
    var seed: UInt64 = 1
    /// Light of paper, and how much darker ink is.
    var paper = 210.0
    var ink = 160.0
    /// By how much paper is lighter and darker in waves of 45 modules.
    var waves = 0.0
    /// How far each row is shifted against the one above it, in pixels.
    var slant = 0.0
    /// A white frame around the label, upright however slanted the bars are: so far from them, in modules.
    var frame: Double?
    /// How far off the ends are that the reader is told, as a part of the length.
    var off = (left: 0.0, right: 0.0)

    func read(
        _ modules: String, by reader: SoftReader = SoftReader(), as family: BarFamily = .retail
    ) -> SoftReading? {
        let bars = (isMirrored ? String(modules.reversed()) : modules).map { $0 == "1" ? 1.0 : 0 }
        let length = Double(bars.count) * module
        let lead = 24 * module
        let width = Int(length + 2 * lead)
        let steps = 16
        // Darkness in steps of a sixteenth of a module, blurred by three boxes, which is nearly a Gaussian.
        var fine = (0..<(bars.count + 48) * steps).map { index -> Double in
            let place = Double(index) / Double(steps) - 24
            if place < -quiet.left || place > Double(bars.count) + quiet.right { return 1 }
            return place >= 0 && place < Double(bars.count) ? bars[Int(place)] : 0
        }
        let reach = Int((blur * Double(steps)).rounded())
        for _ in 0..<3 {
            var sums = [0.0]
            for value in fine { sums.append((sums.last ?? 0) + value) }
            fine = fine.indices.map { index in
                let (from, to) = (max(0, index - reach), min(fine.count, index + reach + 1))
                return (sums[to] - sums[from]) / Double(to - from)
            }
        }
        var random = seed
        func noiseStep() -> Double {
            var sum = 0.0
            for _ in 0..<4 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sum += Double(random >> 40) / Double(1 << 24) - 0.5
            }
            return sum * noise * 1.7
        }
        func darkness(at x: Double) -> Double {
            let from = min(max(0, Int(x / module * Double(steps))), fine.count - 1)
            let to = min(fine.count, max(from + 1, Int((x + 1) / module * Double(steps))))
            return fine[from..<to].reduce(0, +) / Double(to - from)
        }
        let pixels = (0..<height).flatMap { y -> [UInt8] in
            let shift = slant * (Double(y) + 0.5 - Double(height) / 2)
            return (0..<width).map { x in
                let place = (Double(x) + 0.5) / module - 24
                let isFrame = frame.map { place < -$0 || place > Double(bars.count) + $0 } ?? false
                let light =
                    isFrame
                    ? 240 : paper + waves * sin(place / 45 * 2 * .pi) - ink * darkness(at: Double(x) - shift)
                return UInt8(min(max(light + noiseStep(), 0), 255))
            }
        }
        let line = CodeLine(
            left: Point(x: lead + off.left * length, y: Double(height) / 2),
            right: Point(x: lead + length + off.right * length, y: Double(height) / 2), height: Double(height))
        return pixels.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.flatMap {
                reader.read(
                    LumaSamples(pixels: $0, width: width, height: height, rowStride: width), on: line,
                    as: family)
            }
        }
    }
}

extension SoftReading {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
