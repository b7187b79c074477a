import Testing
import Vocabulary

@testable import SoftReader

/// Sums that slide over a picture must say what sums over each square say.
@Suite struct DarkPixelsTests {
    private let width = 23
    private let height = 17
    private let pixels: [UInt8]

    init() {
        var random = SplitMix64(seed: 5)
        pixels = (0..<(23 * 17)).map { _ in UInt8(truncatingIfNeeded: random.next() >> 7) }
    }

    private func isDark(column: Int, row: Int, reach: Int) -> Bool {
        var (sum, count) = (0, 0)
        for y in max(0, row - reach)...min(height - 1, row + reach) {
            for x in max(0, column - reach)...min(width - 1, column + reach) {
                sum += Int(pixels[y * width + x])
                count += 1
            }
        }
        return (Int(pixels[row * width + column]) + 5) * count <= sum
    }

    @Test(arguments: [0, 1, 4, 40], [1, 2, 5])
    func `a pixel is dark when it is darker than the mean around it, at every border`(reach: Int, step: Int) {
        pixels.withUnsafeBufferPointer { buffer in
            var found = DarkPixels(
                LumaSamples(pixels: buffer.baseAddress!, width: width, height: height, rowStride: width), reach: reach)
            var dark = [Bool](repeating: false, count: width)
            for row in stride(from: 0, to: height, by: step) {
                found.look(atRow: row, into: &dark)
                #expect(dark == (0..<width).map { isDark(column: $0, row: row, reach: reach) })
            }
        }
    }
}
