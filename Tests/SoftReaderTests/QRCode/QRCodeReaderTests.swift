import Foundation
import SoftReader
import TestSupport
import Testing
import Vocabulary

@Suite struct QRCodeReaderTests {
    private func symbol(version: Int = 4, _ level: ErrorCorrectionLevel = .medium) throws -> DrawnSymbol {
        try #require(DrawnSymbol(version: version, level: level))
    }

    @Test(arguments: [1, 2, 5, 7, 12, 20]) func `a flat code is read, with its place`(version: Int) throws {
        let symbol = try symbol(version: version)
        let side = Double(symbol.layout.side)
        let size = Int(side * 4) + 80
        let picture = BentPicture(of: symbol, width: size, height: size) { (($0 - 40) / 4, ($1 - 40) / 4) }
        let found = picture.read()
        #expect(found.map(\.symbol.modules) == [symbol.modules])
        let corners = try #require(found.first).corners
        #expect(corners.topLeft.distance(to: Point(x: 40, y: 40)) < 2)
        #expect(corners.bottomRight.distance(to: Point(x: 40 + 4 * side, y: 40 + 4 * side)) < 4)
    }

    @Test(arguments: [0, 30, 90, 135, 200, 315]) func `a turned code is read, with its corners in its own order`(
        degrees: Int
    ) throws {
        let symbol = try symbol()
        let side = Double(symbol.layout.side)
        let (c, s) = (cos(Double(degrees) * .pi / 180), sin(Double(degrees) * .pi / 180))
        let picture = BentPicture(of: symbol, width: 320, height: 320) { x, y in
            let (dx, dy) = (x - 160, y - 160)
            return ((c * dx + s * dy) / 5 + side / 2, (c * dy - s * dx) / 5 + side / 2)
        }
        let found = try #require(picture.read().first)
        #expect(found.symbol.modules == symbol.modules)
        let half = side / 2 * 5
        let topLeft = Point(x: 160 + (-c + s) * half, y: 160 + (-s - c) * half)
        #expect(found.corners.topLeft.distance(to: topLeft) < 3)
    }

    /// Modules in front look six times as large as behind.
    @Test func `a code whose far end is small is read`() throws {
        let symbol = try symbol(version: 3)
        let half = Double(symbol.layout.side) / 2
        let picture = BentPicture(of: symbol, width: 300, height: 300) { x, y in
            let (u, v) = ((x - 150) / 5, (y - 150) / 5)
            let depth = 1 / (1 + 0.42 / half * u)
            return (u * depth * 1.3 + half, v * depth + half)
        }
        #expect(picture.read().map(\.symbol.modules) == [symbol.modules])
    }

    /// Four times as wide in front as behind, where its modules are two and a half pixels wide and eight high.
    @Test func `a code seen at a flat angle is read`() throws {
        let symbol = try symbol(version: 2)
        let side = Double(symbol.layout.side)
        let picture = BentPicture(of: symbol, width: 260, height: 320) { x, y in
            let depth = 1 / (1 - 0.0022 * (x - 20))
            let u = (x - 20) / 4.2 * depth
            return (u, ((y - 160) * depth / 9) + side / 2)
        }
        #expect(picture.read().map(\.symbol.modules) == [symbol.modules])
    }

    /// A can that shows 90 degrees of the code: modules at its edges are two thirds as wide as in the middle.
    @Test(arguments: [false, true]) func `a code around a can is read`(liesDown: Bool) throws {
        let symbol = try symbol(version: 3)
        let side = Double(symbol.layout.side)
        let radius = 114.0
        let picture = BentPicture(of: symbol, width: 300, height: 300) { x, y in
            let (across, along) = liesDown ? (y - 150, x - 150) : (x - 150, y - 150)
            guard abs(across) < radius else { return (-1, -1) }
            let (bent, straight) = (asin(across / radius) * radius / 6 + side / 2, along / 6 + side / 2)
            return liesDown ? (straight, bent) : (bent, straight)
        }
        #expect(picture.read().map(\.symbol.modules) == [symbol.modules])
    }

    /// Waves of three quarters of a module, which no plane and no can fits.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `a code on crumpled paper is read`(seed: UInt64) throws {
        let symbol = try symbol(version: 4)
        var random = SplitMix64(seed: seed)
        let phases = (0..<4).map { _ in Double.random(in: 0..<6.28, using: &random) }
        var picture = BentPicture(of: symbol, width: 300, height: 300) { x, y in
            let (u, v) = ((x - 50) / 6, (y - 50) / 6)
            return (
                u + 0.75 * sin(v / 5 + phases[0]) + 0.3 * sin(u / 4 + phases[1]),
                v + 0.75 * sin(u / 5 + phases[2]) + 0.3 * sin(v / 4 + phases[3])
            )
        }
        picture.addNoise(levels: 12, using: &random)
        #expect(picture.read().map(\.symbol.modules) == [symbol.modules])
    }

    /// Without erasures it would be lost: more codewords are hidden than could be corrected as errors.
    @Test func `a code under a streak of glare is read`() throws {
        let symbol = try symbol(version: 5, .quartile)
        var picture = BentPicture(of: symbol, width: 280, height: 280) { (($0 - 40) / 5, ($1 - 40) / 5) }
        picture.glare(width: 56) { x, y in x - 136 - (y - 136) * 0.15 }
        let found = try #require(picture.read().first)
        #expect(found.symbol.modules == symbol.modules)
        #expect(found.symbol.erasures > 0)
    }

    @Test func `both of two codes are read, each once`() throws {
        let first = try symbol(version: 2)
        let side = Double(first.layout.side)
        let picture = BentPicture(of: first, width: 400, height: 200) { x, y in
            (x < 200 ? (x - 40) / 5 : (x - 240) / 5, (y - 40) / 5)
        }
        let found = picture.read()
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.symbol.modules == first.modules })
        let middles = found.map { $0.corners.centre.x }.sorted()
        #expect(zip(middles, [40 + side * 2.5, 240 + side * 2.5]).allSatisfy { abs($0 - $1) < 3 })
    }

    @Test func `codes of the other way round and inside out are left to others`() throws {
        let symbol = try symbol(version: 2)
        let mirrored = BentPicture(of: symbol, width: 200, height: 200) { ((160 - $0) / 5, ($1 - 40) / 5) }
        let inverted = BentPicture(of: symbol, width: 200, height: 200, ink: 210, paper: 40) {
            (($0 - 40) / 5, ($1 - 40) / 5)
        }
        #expect(mirrored.read().isEmpty)
        #expect(inverted.read().isEmpty)
    }

    @Test func `modules of three patterns that say nothing give no code`() throws {
        var symbol = try symbol(version: 3)
        var random = SplitMix64(seed: 9)
        for _ in 0..<20 {
            symbol.scramble(using: &random)
            let picture = BentPicture(of: symbol, width: 260, height: 260) { (($0 - 40) / 6, ($1 - 40) / 6) }
            #expect(picture.read().isEmpty)
        }
    }

    /// Sums over eight megapixels of white don't fit into 32 bits.
    @Test func `a large white picture with a code in its last corner is read`() throws {
        let symbol = try symbol(version: 1)
        let picture = BentPicture(of: symbol, width: 3600, height: 2600, paper: 255) {
            (($0 - 3450) / 5, ($1 - 2450) / 5)
        }
        #expect(picture.read().map(\.symbol.modules) == [symbol.modules])
    }

    @Test(arguments: [(0, 0), (1, 1), (1, 400), (400, 1), (63, 63), (64, 64), (65, 300)])
    func `noise of any size gives no code`(width: Int, height: Int) {
        var random = SplitMix64(seed: 5)
        let pixels = (0..<max(1, width * height)).map { _ in UInt8.random(in: 0...255, using: &random) }
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let samples = LumaSamples(pixels: start, width: width, height: height, rowStride: width)
            #expect(QRCodeReader().read(samples).isEmpty)
        }
    }
}

extension BentPicture {
    fileprivate init(
        of symbol: DrawnSymbol, width: Int, height: Int, ink: Double = 40, paper: Double = 210,
        at place: (Double, Double) -> (Double, Double)
    ) {
        self.init(
            of: symbol.modules, columns: symbol.layout.side, width: width, height: height, ink: ink, paper: paper,
            at: place)
    }

    fileprivate func read() -> [QRCodeReading] {
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return [] }
            return QRCodeReader().read(LumaSamples(pixels: start, width: width, height: height, rowStride: width))
        }
    }
}
