import Foundation
import SoftReader
import TestSupport
import Testing
import Vocabulary

@Suite struct DataMatrixReaderTests {
    @Test(arguments: DrawnDataMatrix.sizes) func `a flat code of every size is read, with its place`(size: Int) throws {
        let drawn = try DrawnDataMatrix(size: size)
        let found = drawn.picture(module: 4).dataMatrices()
        #expect(found.map(\.symbol.modules) == [drawn.modules])
        let corners = try #require(found.first).corners
        #expect(corners.topLeft.distance(to: Point(x: 20, y: 20)) < 3)
        let end = Point(x: Double(20 + 4 * drawn.columns), y: Double(20 + 4 * drawn.rows))
        #expect(corners.bottomRight.distance(to: end) < 4)
    }

    @Test(arguments: [0, 20, 45, 90, 135, 180, 225, 290])
    func `a turned code is read, with its corners in its own order`(
        degrees: Int
    ) throws {
        let drawn = try DrawnDataMatrix(size: 6)
        let half = Double(drawn.columns) / 2
        let (c, s) = (cos(Double(degrees) * .pi / 180), sin(Double(degrees) * .pi / 180))
        let picture = drawn.picture(width: 240, height: 240) { x, y in
            let (dx, dy) = (x - 120, y - 120)
            return ((c * dx + s * dy) / 5 + half, (c * dy - s * dx) / 5 + half)
        }
        let found = try #require(picture.dataMatrices().first)
        #expect(found.symbol.modules == drawn.modules)
        let topLeft = Point(x: 120 + (-c + s) * half * 5, y: 120 + (-s - c) * half * 5)
        #expect(found.corners.topLeft.distance(to: topLeft) < 4)
    }

    /// Four times as wide in front as behind.
    @Test func `a code seen at a flat angle is read`() throws {
        let drawn = try DrawnDataMatrix(size: 6)
        let side = Double(drawn.columns)
        let picture = drawn.picture(width: 300, height: 320) { x, y in
            let depth = 1 / (1 - 0.0022 * (x - 40))
            return ((x - 40) / 4.2 * depth, ((y - 160) * depth / 9) + side / 2)
        }
        #expect(picture.dataMatrices().map(\.symbol.modules) == [drawn.modules])
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `a code on crumpled paper is read`(seed: UInt64) throws {
        let drawn = try DrawnDataMatrix(size: 7)
        var random = SplitMix64(seed: seed)
        let phases = (0..<4).map { _ in Double.random(in: 0..<6.28, using: &random) }
        var picture = drawn.picture(width: 240, height: 240) { x, y in
            let (u, v) = ((x - 50) / 6, (y - 50) / 6)
            return (
                u + 0.5 * sin(v / 5 + phases[0]) + 0.2 * sin(u / 4 + phases[1]),
                v + 0.5 * sin(u / 5 + phases[2]) + 0.2 * sin(v / 4 + phases[3])
            )
        }
        picture.addNoise(levels: 10, using: &random)
        #expect(picture.dataMatrices().map(\.symbol.modules) == [drawn.modules])
    }

    /// As needles mark metal: dark discs with light between them, also along the solid borders.
    @Test(arguments: [2, 5, 8, 27]) func `a code of dots is read`(size: Int) throws {
        let drawn = try DrawnDataMatrix(size: size)
        var picture = drawn.picture(width: 280, height: 280) { x, y in
            let (u, v) = ((x - 50) / 6, (y - 50) / 6)
            let (du, dv) = (u - u.rounded(.down) - 0.5, v - v.rounded(.down) - 0.5)
            return du * du + dv * dv < 0.12 ? (u, v) : (-1, -1)
        }
        picture.blur(spread: 1)
        #expect(picture.dataMatrices().map(\.symbol.modules) == [drawn.modules])
    }

    /// Readers that follow its solid borders find none.
    @Test(arguments: [5, 7]) func `a code with gaps in its solid borders is read`(size: Int) throws {
        var drawn = try DrawnDataMatrix(size: size)
        let printed = drawn.modules
        for step in stride(from: 3, to: drawn.columns - 2, by: 5) {
            drawn.modules[step * drawn.columns] = false
            drawn.modules[(drawn.rows - 1) * drawn.columns + step] = false
        }
        #expect(drawn.picture(module: 5).dataMatrices().map(\.symbol.modules) == [printed])
    }

    @Test func `a code out of focus is read`() throws {
        let drawn = try DrawnDataMatrix(size: 4)
        var picture = drawn.picture(module: 6)
        picture.blur(spread: 3)
        #expect(picture.dataMatrices().map(\.symbol.modules) == [drawn.modules])
    }

    @Test func `both of two codes are read, each once, and one that is known isn't looked at`() throws {
        let drawn = try DrawnDataMatrix(size: 4)
        let picture = drawn.picture(width: 300, height: 160) { x, y in
            (x < 150 ? (x - 30) / 5 : (x - 180) / 5, (y - 30) / 5)
        }
        let found = picture.dataMatrices()
        #expect(found.map(\.symbol.modules) == [drawn.modules, drawn.modules])
        let rest = picture.pixels.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map {
                let samples = LumaSamples(pixels: $0, width: 300, height: 160, rowStride: 300)
                return DataMatrixReader().read(samples) { $0.x < 150 }
            }
        }
        #expect(rest?.count == 1)
        #expect(rest?.first.map { $0.corners.centre.x > 150 } == true)
    }

    @Test func `codes of the other way round and inside out are left to others`() throws {
        let drawn = try DrawnDataMatrix(size: 6)
        let mirrored = drawn.picture(width: 200, height: 200) { ((160 - $0) / 5, ($1 - 40) / 5) }
        let inverted = drawn.picture(width: 200, height: 200, ink: 210, paper: 40) { (($0 - 40) / 5, ($1 - 40) / 5) }
        #expect(mirrored.dataMatrices().isEmpty)
        #expect(inverted.dataMatrices().isEmpty)
    }

    @Test(arguments: [1, 2, 5, 25]) func `borders around modules that say nothing give no code`(size: Int) throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<20 {
            var drawn = try DrawnDataMatrix(size: size)
            try drawn.scramble(using: &random)
            #expect(drawn.picture(module: 5).dataMatrices().isEmpty)
        }
    }

    /// Paper without a module is zeros, of which error correction finds nothing wrong.
    @Test(arguments: [1, 4, 10]) func `borders around nothing give no code`(size: Int) throws {
        var drawn = try DrawnDataMatrix(size: size)
        let layout = try drawn.layout()
        for index in layout.borders.indices where layout.borders[index] == nil { drawn.modules[index] = false }
        #expect(drawn.picture(module: 5).dataMatrices().isEmpty)
    }

    /// Hatching has a run in every third column of each row, and all of it is one patch.
    @Test func `a picture full of hatching gives no code`() {
        let (width, height) = (2000, 1500)
        let pixels = (0..<(width * height)).map { UInt8(($0 % width + $0 / width) % 3 == 0 ? 20 : 220) }
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let samples = LumaSamples(pixels: start, width: width, height: height, rowStride: width)
            #expect(DataMatrixReader().read(samples).isEmpty)
        }
    }

    @Test func `a chessboard is no code`() throws {
        var drawn = try DrawnDataMatrix(size: 6)
        for index in drawn.modules.indices {
            drawn.modules[index] = (index % drawn.columns + index / drawn.columns) % 2 == 0
        }
        #expect(drawn.picture(module: 6).dataMatrices().isEmpty)
    }

    @Test(arguments: [(0, 0), (1, 1), (1, 400), (400, 1), (15, 15), (16, 16), (63, 64), (65, 300), (300, 65)])
    func `noise of any size gives no code`(width: Int, height: Int) {
        var random = SplitMix64(seed: 5)
        for isGrey in [true, false] {
            let pixels = (0..<max(1, width * height)).map { _ in
                isGrey ? UInt8.random(in: 0...255, using: &random) : Bool.random(using: &random) ? 255 : 0
            }
            pixels.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                let samples = LumaSamples(pixels: start, width: width, height: height, rowStride: width)
                #expect(DataMatrixReader().read(samples).isEmpty)
            }
        }
    }
}
