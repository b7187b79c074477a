import CLocator
import Testing

/// The vector code and the plain C beside it give the same sums.
@Suite struct LocatorSumsTests {
    /// Odd sizes, sizes of whole blocks, and planes too small for a block.
    static let sizes = [(1, 1), (2, 1), (1, 9), (16, 8), (17, 9), (33, 7), (47, 23), (64, 64), (131, 67)]

    private func sums(
        _ pixels: [UInt8], _ width: Int, _ height: Int, stride: Int,
        _ search: (UnsafePointer<UInt8>?, Int32, Int32, Int, UnsafeMutablePointer<CLocator_Sums>?) -> Void
    ) -> [[Int64]] {
        let count = Int(CLocator_columns(Int32(width)) * CLocator_rows(Int32(height)))
        var sums = [CLocator_Sums](repeating: CLocator_Sums(uu: 1, vv: 1, uv: 1), count: count)
        search(pixels, Int32(width), Int32(height), stride, &sums)
        return sums.map { [Int64($0.uu), Int64($0.vv), Int64($0.uv)] }
    }

    @Test(arguments: sizes, [0, 1, 5]) func `twins are equal`(size: (Int, Int), padding: Int) {
        let (width, height) = size
        let stride = width + padding
        var random = SystemRandomNumberGenerator()
        for isBlackAndWhite in [false, true] {
            let pixels = (0..<stride * height).map { _ -> UInt8 in
                isBlackAndWhite ? (Bool.random(using: &random) ? 255 : 0) : UInt8.random(in: 0...255, using: &random)
            }
            let plain = sums(pixels, width, height, stride: stride, CLocator_sums_plain)
            #expect(sums(pixels, width, height, stride: stride, CLocator_sums) == plain)
        }
    }

    @Test func `sums are those of the slopes on the diagonals`() {
        let (width, height) = (21, 13)
        let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 37 &+ $0 / 7) }
        var expected = [[Int64]](repeating: [0, 0, 0], count: 2 * 2)
        for y in 0..<height - 1 {
            for x in 0..<width - 1 {
                func pixel(_ dx: Int, _ dy: Int) -> Int64 { Int64(pixels[(y + dy) * width + x + dx]) }
                let (u, v) = (pixel(1, 1) - pixel(0, 0), pixel(1, 0) - pixel(0, 1))
                let block = y / 8 * 2 + x / 16
                expected[block] = [expected[block][0] + u * u, expected[block][1] + v * v, expected[block][2] + u * v]
            }
        }
        #expect(sums(pixels, width, height, stride: width, CLocator_sums) == expected)
    }

    @Test func `this machine has vector code`() {
        #expect(["SSE2", "NEON"].contains(String(cString: CLocator_instructions())))
    }
}
