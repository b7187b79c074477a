import Glibc
import ReaderProtocol
import Reading
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Decoding

/// An Interleaved 2 of 5 that is cut is a shorter number, and no check digit says so.
@Suite struct InterleavedEndsTests {
    /// Bars and spaces in turn, in modules.
    private struct Code {
        /// Narrow or wide, for five bars or spaces a digit (ISO/IEC 16390).
        private static let digits: [Character: [Int]] = [
            "0": [1, 1, 3, 3, 1], "1": [3, 1, 1, 1, 3], "2": [1, 3, 1, 1, 3], "3": [3, 3, 1, 1, 1],
            "4": [1, 1, 3, 1, 3],
            "5": [3, 1, 3, 1, 1], "6": [1, 3, 3, 1, 1], "7": [1, 1, 1, 3, 3], "8": [3, 1, 1, 3, 1],
            "9": [1, 3, 1, 3, 1],
        ]
        private(set) var elements = [1, 1, 1, 1]

        init(_ text: String) {
            let digits = text.compactMap { Self.digits[$0] }
            for pair in stride(from: 0, to: digits.count, by: 2) {
                for (bar, space) in zip(digits[pair], digits[pair + 1]) { elements += [bar, space] }
            }
            elements += [3, 1, 1]
        }

        var modules: Int { elements.reduce(0, +) }

        var rows: [String] {
            [DecodingPicture.row(elements.enumerated().flatMap { repeatElement($0 % 2 == 0 ? "1" : "0", count: $1) })]
        }

        /// After this many modules, somebody who sees no more sees whole pairs of digits and a stop pattern, whose last bar may be the
        /// beginning of a wide one; or paper behind it, as far as the next bar.
        var falseEnds: Set<Int> {
            let pairs = stride(from: 4 + 10, to: elements.count - 3, by: 10)
            return Set(
                pairs.filter { elements[$0] == 3 && elements[$0 + 1] == 1 }.flatMap { wide in
                    let start = elements[..<(wide + 2)].reduce(0, +)
                    return start + 1...start + (elements[wide + 2] == 1 ? 1 + elements[wide + 3] : 2)
                })
        }
    }

    private static let text = "580730215736"
    private static let code = Code(text)
    private static let module = 2
    private static let left = 40

    private func picture(degrees: Double = 0) -> DecodingPicture {
        var picture = DecodingPicture(width: 400, height: 200 + (degrees == 0 ? 0 : 200))
        let shown = Double(Self.code.rows[0].count * 4 * Self.module)
        picture.paint(
            Self.code.rows, x: degrees == 0 ? Double(Self.left) + shown / 2 : 200, y: Double(picture.height / 2),
            module: Double(Self.module), degrees: degrees, barHeight: 30)
        picture.addNoise(amplitude: 3, seed: 5)
        return picture
    }

    private let engine: DecodeEngine = {
        var settings = ReadingSettings()
        // What a cut leaves is to be seen, however short it is.
        settings.symbologies[.itf] = SymbologySettings(minLength: 2)
        return DecodeEngine(rules: DecodeRules(settings))
    }()

    private static let efforts: [ReadEffort] = [
        .exhaustive, .thorough(turn: 0), .thorough(turn: 1), .quick(turn: 0), .quick(turn: 3),
    ]

    @Test(arguments: [0.0, 2, -4, 30, 90, 135, 180]) func aWholeOneIsRead(degrees: Double) {
        let picture = picture(degrees: degrees)
        #expect(picture.read(by: engine, effort: .exhaustive).map(\.text) == [Self.text])
    }

    @Test(arguments: efforts) func whatThePicturesEdgeCutsIsNotRead(effort: ReadEffort) {
        let picture = picture()
        for modules in 20..<Self.code.modules {
            let cut = Self.left + modules * Self.module
            let right = picture.cropped(x: 0, y: 0, width: cut, height: 200)
            #expect(right.read(by: engine, effort: effort).isEmpty, "cut after \(modules) modules")
            let left = picture.cropped(
                x: cut - 20 * Self.module, y: 0, width: 400 - cut + 20 * Self.module, height: 200)
            #expect(left.read(by: engine, effort: effort).isEmpty, "cut before \(modules - 20) modules")
        }
    }

    @Test(arguments: efforts) func whatSomethingDarkCoversIsNotRead(effort: ReadEffort) {
        for modules in 20..<Self.code.modules - 1 {
            var picture = picture()
            let cut = Self.left + modules * Self.module
            picture.fill(x: cut, y: 40, width: 400 - cut, height: 120, 90)
            #expect(picture.read(by: engine, effort: effort).isEmpty, "covered from \(modules) modules on")
        }
    }

    /// As light as paper, it can't be told from paper, where what is left has a stop pattern.
    @Test(arguments: efforts) func whatPaperCoversIsNotReadButBehindAStopPattern(effort: ReadEffort) {
        var read: Set<Int> = []
        for modules in 20..<Self.code.modules - 1 {
            var picture = picture()
            let cut = Self.left + modules * Self.module
            picture.fill(x: cut, y: 40, width: 400 - cut, height: 120, 220)
            if !picture.read(by: engine, effort: effort).isEmpty { read.insert(modules) }
        }
        let ends = Self.code.falseEnds
        #expect(read.isSubset(of: ends), "\(read.sorted()) of \(ends.sorted())")
    }

    /// Bars that a bright spot has washed away; where it begins, they can still be seen.
    @Test(arguments: efforts) func whatGlareCoversIsNotRead(effort: ReadEffort) {
        for modules in stride(from: 20, to: Self.code.modules - 2, by: 2) {
            var picture = picture()
            let start = Self.left + modules * Self.module
            for y in 0..<200 {
                for x in start..<400 {
                    let light = min(255, 5 * (x - start))
                    let index = y * picture.rowStride + x
                    picture.pixels[index] = UInt8(min(255, Int(picture.pixels[index]) + light))
                }
            }
            let texts = Set(picture.read(by: engine, effort: effort).map(\.text))
            #expect(texts.isSubset(of: [Self.text]), "washed away from \(modules) modules on")
        }
    }

    /// On brown cardboard before a white wall: the edge of the cardboard is no bar.
    @Test(arguments: efforts.filter { $0 != .thorough(turn: 1) })
    func whatIsLighterThanItsPaperMayLieAroundIt(effort: ReadEffort) {
        var picture = picture()
        picture.pixels = picture.pixels.map { $0 / 2 }
        let right = Self.left + Self.code.modules * Self.module
        picture.fill(x: 0, y: 0, width: Self.left - 25, height: 200, 240)
        picture.fill(x: right + 25, y: 0, width: 400 - right - 25, height: 200, 240)
        #expect(Set(picture.read(by: engine, effort: effort).map(\.text)) == [Self.text])
    }

    /// A scan line enters or leaves the bars of a slanted one in the middle. What it sees may have a start and a stop pattern.
    @Test(arguments: [(2.2, 9), (3, 0)]) func aPartOfASlantedOneIsNotRead(slant: Double, leastWholes: Int) {
        let elements = Self.code.elements
        let line = elements.enumerated().flatMap { repeatElement($0 % 2 == 0, count: $1) }
        let (columns, rows, size) = (line.count, 30, 520)
        let modules = (0..<rows).flatMap { _ in line }
        var wholes = 0
        for turn in 0..<12 {
            let angle = Double(turn) * .pi / 6
            let bent = BentPicture(of: modules, columns: columns, width: size, height: size, ink: 40, paper: 190) {
                let (x, y) = (($0 - 260) / 3, ($1 - 260) / 3)
                let (u, v) = (cos(angle) * x + sin(angle) * y, cos(angle) * y - sin(angle) * x)
                let depth = 1 + (slant - 1) / (slant + 1) / (Double(columns) / 2) * u
                guard depth > 0.1 else { return (-1, -1) }
                return (u / depth + Double(columns) / 2, v / depth + Double(rows) / 2)
            }
            var picture = DecodingPicture(width: size, height: size)
            picture.pixels = bent.pixels
            picture.addNoise(amplitude: 3, seed: 5)
            for effort in [ReadEffort.quick(turn: 0), .quick(turn: 3), .thorough(turn: 0)] {
                let texts = Set(picture.read(by: engine, effort: effort).map(\.text))
                #expect(texts.isSubset(of: [Self.text]), "\(texts) by \(effort) at \(30 * turn) degrees")
                if !texts.isEmpty { wholes += 1 }
            }
        }
        #expect(wholes >= leastWholes)
    }

    /// The sun on its other end: bars there are lighter than the paper here.
    @Test(arguments: efforts) func whatIsLeftInTheShadeIsNotRead(effort: ReadEffort) {
        for modules in stride(from: 20, to: Self.code.modules - 2, by: 2) {
            var picture = picture()
            let start = Self.left + modules * Self.module
            for y in 0..<200 {
                for x in 0..<400 {
                    let index = y * picture.rowStride + x
                    let luma = Int(picture.pixels[index])
                    picture.pixels[index] = UInt8(x < start ? luma / 3 : min(248, luma + 70))
                }
            }
            let texts = Set(picture.read(by: engine, effort: effort).map(\.text))
            #expect(texts.isSubset(of: [Self.text]), "in the sun from \(modules) modules on")
        }
    }

    @Test(arguments: [0.0, 30]) func aFrameAndTextBesideItDoNoHarm(degrees: Double) {
        var picture = picture(degrees: degrees)
        if degrees == 0 {
            let right = Self.left + Self.code.modules * Self.module
            picture.fill(x: Self.left - 20, y: 60, width: 5, height: 80, 30)
            picture.fill(x: right + 15, y: 60, width: 5, height: 80, 30)
        }
        picture.fill(x: 10, y: 10, width: 4, height: 30, 30)
        #expect(picture.read(by: engine, effort: .exhaustive).map(\.text) == [Self.text])
    }
}
