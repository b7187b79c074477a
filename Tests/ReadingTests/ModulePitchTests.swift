import Testing
import Vocabulary

@testable import Reading

@Suite("How many pixels a module has")
struct ModulePitchTests {
    /// A picture of `rows` of modules, dark where there is a #, with a quiet zone of two modules, and the code's corners in it.
    private func code(_ rows: [String], module: Double, _ symbology: Symbology) -> (TestPicture, Symbol) {
        let (width, height) = (rows[0].count, rows.count)
        let quiet = 2 * module
        var picture = TestPicture(
            width: Int(Double(width) * module + 2 * quiet) + 1, height: Int(Double(height) * module + 2 * quiet) + 1)
        // Each pixel is the mean of sixteen points, as a sensor's is.
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                var dark = 0
                for step in 0..<16 {
                    let column = (Double(x) + (Double(step % 4) + 0.5) / 4 - quiet) / module
                    let row = (Double(y) + (Double(step / 4) + 0.5) / 4 - quiet) / module
                    guard column >= 0, row >= 0, column < Double(width), row < Double(height) else { continue }
                    let line = rows[Int(row)]
                    if line[line.index(line.startIndex, offsetBy: Int(column))] == "#" { dark += 1 }
                }
                picture[x, y] = UInt8(220 - dark * 12)
            }
        }
        func point(_ x: Double, _ y: Double) -> Point {
            Point(
                x: (quiet + x * module) / Double(picture.size.width),
                y: (quiet + y * module) / Double(picture.size.height))
        }
        let (right, bottom) = (Double(width), Double(height))
        let corners = Quad(point(0, 0), point(right, 0), point(right, bottom), point(0, bottom))
        return (picture, Symbol(symbology: symbology, aim: "", bytes: [], text: "", corners: corners))
    }

    private func pitch(_ picture: TestPicture, _ symbol: Symbol, _ orientation: Orientation = .upright) -> Double? {
        picture.pixels.withUnsafeBufferPointer { pixels in
            pixels.baseAddress.flatMap { ModulePitch.of(symbol, on: $0, picture.size, orientation) }
        }
    }

    /// Bars and spaces in turns, by their widths.
    private func bars(_ widths: [Int], rows: Int = 20) -> [String] {
        let line = widths.enumerated().map { String(repeating: $0.offset % 2 == 0 ? "#" : ".", count: $0.element) }
        return Array(repeating: line.joined(), count: rows)
    }

    private static let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]

    /// Finder patterns and nothing but noise of modules between them.
    private var qrCode: [String] {
        (0..<21).map { y in
            String(
                (0..<21).map { x -> Character in
                    for (left, top) in [(0, 0), (14, 0), (0, 14)]
                    where x >= left && x < left + 7 && y >= top && y < top + 7 {
                        return Array(Self.finder[y - top])[x - left]
                    }
                    let isBeside = (x < 8 && y < 8) || (x > 12 && y < 8) || (x < 8 && y > 12)
                    return !isBeside && (x * 7 + y * 5) % 3 == 0 ? "#" : "."
                })
        }
    }

    /// Solid at the left and below, in turns above and at the right.
    private var dataMatrix: [String] {
        (0..<14).map { y in
            String(
                (0..<14).map { x -> Character in
                    if x == 0 || y == 13 { return "#" }
                    if y == 0 { return x % 2 == 0 ? "#" : "." }
                    if x == 13 { return y % 2 == 1 ? "#" : "." }
                    return (x * 5 + y * 3) % 4 < 2 ? "#" : "."
                })
        }
    }

    private var aztec: [String] {
        (0..<15).map { y in
            String(
                (0..<15).map { x -> Character in
                    let ring = max(abs(x - 7), abs(y - 7))
                    return ring <= 5 ? (ring % 2 == 0 ? "#" : ".") : (x + y) % 3 == 0 ? "#" : "."
                })
        }
    }

    private func example(_ symbology: Symbology) -> [String] {
        switch symbology {
        case .qrCode: qrCode
        case .dataMatrix: dataMatrix
        case .aztec: aztec
        case .pdf417: bars([8, 1, 1, 1, 1, 1, 1, 3, 5, 1, 2, 1, 3, 2, 1, 2, 7, 1, 1, 3, 1, 1, 1, 2, 1])
        case .code128: bars([2, 1, 1, 2, 1, 4, 1, 2, 3, 1, 2, 2, 2, 3, 3, 1, 1, 1, 2])
        case .code93: bars([1, 1, 1, 1, 4, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1, 4, 1, 1])
        case .code39: bars([1, 3, 1, 1, 3, 1, 3, 1, 1, 1, 3, 1, 1, 3, 1, 1, 1, 1, 3])
        default: bars(Array(repeating: 1, count: 95))
        }
    }

    private static let kinds: [Symbology] = [.qrCode, .dataMatrix, .aztec, .pdf417, .code128, .code93, .code39, .ean13]

    @Test("It is measured at the pattern that each kind begins with", arguments: kinds)
    func patterns(symbology: Symbology) throws {
        for module in [2.2, 3.0, 4.7, 9.0] {
            let (picture, symbol) = code(example(symbology), module: module, symbology)
            let found = try #require(pitch(picture, symbol), "\(module)")
            #expect(abs(found - module) < 0.06 * module, "\(found), not \(module)")
        }
    }

    @Test("A turned or mirrored camera changes nothing", arguments: kinds)
    func orientations(symbology: Symbology) throws {
        let (picture, symbol) = code(example(symbology), module: 3, symbology)
        for rotation in Orientation.Rotation.allCases {
            for isMirrored in [false, true] {
                let orientation = Orientation(rotation: rotation, isMirrored: isMirrored)
                var upright = symbol
                upright.corners = symbol.corners.mapped(orientation.upright(fromDelivered:))
                #expect(pitch(picture, upright, orientation) == pitch(picture, symbol))
            }
        }
    }

    @Test("Where there is no code, or half of one, it is no figure", arguments: kinds.filter { $0 != .ean13 })
    func nothing(symbology: Symbology) {
        let symbol = code(example(symbology), module: 3, symbology).1
        #expect(pitch(TestPicture(), symbol) == nil)
        var outside = symbol
        outside.corners = symbol.corners.mapped { Point(x: $0.x * 3 - 1, y: $0.y * 3 - 1) }
        _ = pitch(TestPicture.gradient(width: 60, height: 40), outside)
        outside.corners = symbol.corners.mapped { _ in Point(x: 0.5, y: 0.5) }
        #expect(pitch(TestPicture(), outside) == nil)
    }

    @Test("The smallest code counts")
    func least() throws {
        let (picture, symbol) = code(example(.qrCode), module: 4, .qrCode)
        var unknown = symbol
        unknown.symbology = .maxiCode
        var wide = symbol
        wide.symbology = .upcE
        let least = picture.pixels.withUnsafeBufferPointer { pixels in
            pixels.baseAddress.flatMap {
                ModulePitch.least(of: [unknown, symbol, wide], on: $0, picture.size, .upright)
            }
        }
        #expect(abs(try #require(least) - 21 * 4.0 / 51) < 0.05)
    }
}
