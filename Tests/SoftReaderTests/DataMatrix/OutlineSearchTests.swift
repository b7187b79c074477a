import TestSupport
import Testing
import Vocabulary

@testable import SoftReader

@Suite struct OutlineSearchTests {
    @Test func `a square whose corner is cut off has its corner back`() throws {
        let hull = [Place(0, 0), Place(90, 0), Place(100, 10), Place(100, 100), Place(0, 100)]
        for first in hull.indices {
            let turned = Array(hull[first...] + hull[..<first])
            let quad = try #require(ConvexHull.quad(around: turned))
            for corner in [Place(0, 0), Place(100, 0), Place(100, 100), Place(0, 100)] {
                #expect(quad.contains { ($0 - corner).length < 0.01 })
            }
        }
    }

    @Test func `a hull goes round clockwise, without what lies within it or on its sides`() {
        let places = [Place(1, 1), Place(0, 0), Place(2, 2), Place(0, 2), Place(1, 0), Place(2, 0)]
        #expect(ConvexHull.corners(of: places) == [Place(0, 0), Place(2, 0), Place(2, 2), Place(0, 2)])
        #expect(ConvexHull.quad(around: [Place(0, 0), Place(1, 0), Place(0, 1)]) == nil)
        #expect(ConvexHull.quad(around: []) == nil)
    }

    /// Squares of 12 dark pixels, as far apart as the argument says: in a row, and one below the other.
    @Test(arguments: [(2, 1), (3, 1), (4, 4), (6, 4)]) func `dark pixels belong together over gaps`(
        distance: Int, patches: Int
    ) {
        let pitch = 12 + distance
        let size = 2 * pitch + 60
        let pixels = (0..<(size * size)).map { index -> UInt8 in
            let (x, y) = (index % size - 30, index / size - 30)
            let isDark = (0..<2).contains(x / pitch) && (0..<2).contains(y / pitch) && x >= 0 && y >= 0
            return isDark && x % pitch < 12 && y % pitch < 12 ? 30 : 220
        }
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            let samples = LumaSamples(pixels: start, width: size, height: size, rowStride: size)
            #expect(DarkPatches(samples, gap: 3).hulls.count == patches)
        }
    }

    /// A comb: two of its teeth meet only in the last row, from the right to the left.
    @Test func `what joins late is one patch`() throws {
        let (width, height) = (100, 60)
        let pixels = (0..<(width * height)).map { index -> UInt8 in
            let (x, y) = (index % width, index / width)
            let isTooth = (20..<50).contains(y) && [25, 45, 65].contains { ($0..<($0 + 8)).contains(x) }
            return isTooth || (50..<54).contains(y) && (25..<73).contains(x) ? 20 : 220
        }
        try pixels.withUnsafeBufferPointer { buffer in
            let start = try #require(buffer.baseAddress)
            let hulls = DarkPatches(
                LumaSamples(pixels: start, width: width, height: height, rowStride: width), gap: 1
            ).hulls
            #expect(hulls.count == 1)
            let corners = try #require(hulls.first)
            for corner in [Place(25, 20), Place(73, 20), Place(73, 54), Place(25, 54)] {
                #expect(corners.contains { ($0 - corner).length < 1.5 })
            }
        }
    }
}
