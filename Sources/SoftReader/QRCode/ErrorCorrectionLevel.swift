/// How much of a symbol is for error correction: L, M, Q and H of the standard, for about 7, 15, 25 and 30 % of wrong codewords.
package enum ErrorCorrectionLevel: Int, CaseIterable, Hashable, Sendable {
    case low, medium, quartile, high

    /// What the format information says for it (ISO/IEC 18004:2015, table 12).
    var formatBits: Int {
        switch self {
        case .low: 1
        case .medium: 0
        case .quartile: 3
        case .high: 2
        }
    }
}
