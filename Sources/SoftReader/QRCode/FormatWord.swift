/// The format information: level and mask, as 15 bits of a BCH code of distance 5 (ISO/IEC 18004:2015, annex C).
struct FormatWord: Sendable {
    let level: ErrorCorrectionLevel
    let mask: Int
    /// As they are drawn, 1 for dark.
    let bits: Int

    init(_ level: ErrorCorrectionLevel, mask: Int) {
        let data = level.formatBits << 3 | mask
        self.level = level
        self.mask = mask
        // So that no word is all light.
        bits = BinaryCode.word(data, generator: 0b101_0011_0111, parity: 10) ^ 0b101_0100_0001_0010
    }

    static let all = ErrorCorrectionLevel.allCases.flatMap { level in (0..<8).map { FormatWord(level, mask: $0) } }

    /// At most so many words are tried. Where one copy is under a stain, the right one is rarely further back.
    private static let mostLikely = 4
    /// Part of the best word's correlation that the others must have. Undamaged, it is a third at most: both copies differ in 5 of 15 bits.
    private static let leastPart: Float = 0.4

    /// What both copies may say, the likeliest first.
    /// - Parameter values: -1 for dark to 1 for light, for each module of `layout`.
    static func likely(_ values: [Float], _ layout: SymbolLayout) -> [FormatWord] {
        let ranked = all.map { (word: $0, score: BinaryCode.correlation($0.bits, values, layout.formatModules)) }
            .sorted { $0.score > $1.score }
        let least = (ranked.first?.score ?? 0) * leastPart
        return ranked.prefix(mostLikely).filter { $0.score >= least }.map(\.word)
    }
}
