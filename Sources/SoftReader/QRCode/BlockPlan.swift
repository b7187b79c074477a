/// How the codewords of a symbol make blocks, each with its own error correction (ISO/IEC 18004:2015, table 9). They are interleaved, so that a
/// stain hurts every block a little.
package struct BlockPlan: Sendable {
    /// Codewords for error correction, of each block.
    package let parity: Int
    /// For each block, where its codewords are in the symbol's order; data first.
    package let blocks: [[Int]]

    package init(_ layout: SymbolLayout, _ level: ErrorCorrectionLevel) {
        let index = layout.version - 1
        let (parities, counts) = Self.table(level)
        let (parity, count) = (parities[index], counts[index])
        let total = layout.codewordCount
        // The last blocks have one data codeword more, if the count doesn't come out even.
        let shortData = total / count - parity
        let shortBlocks = count - total % count
        let dataCount = total - parity * count
        self.parity = parity
        blocks = (0..<count).map { block in
            (0..<shortData).map { $0 * count + block }
                + (block < shortBlocks ? [] : [shortData * count + block - shortBlocks])
                + (0..<parity).map { dataCount + $0 * count + block }
        }
    }

    /// For versions 1 to 40: codewords for error correction in each block, and blocks.
    private static func table(_ level: ErrorCorrectionLevel) -> (parities: [Int], counts: [Int]) {
        switch level {
        case .low: (lowParities, lowCounts)
        case .medium: (mediumParities, mediumCounts)
        case .quartile: (quartileParities, quartileCounts)
        case .high: (highParities, highCounts)
        }
    }

    private static let lowParities = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
        28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let mediumParities = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
        26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let quartileParities = [
        13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
        28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let highParities = [
        17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
        30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let lowCounts = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
        8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]
    private static let mediumCounts = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
        17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]
    private static let quartileCounts = [
        1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
        23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ]
    private static let highCounts = [
        1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
        25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ]
}
