import Vocabulary

/// Which pieces an EAN or UPC code has, from left to right, and which patterns each may have. The digits of the left half may be of set A
/// or B in any order: whether the order exists is asked afterwards, as evidence.
struct RetailLayout: Sendable {
    /// UPC-A is told from EAN-13 by its first digit, afterwards.
    let symbology: Symbology
    let pieces: [Piece]
    /// In modules, without quiet zones.
    let moduleCount: Int

    struct Piece: Sendable {
        /// Indices in `BarPattern.all`.
        let choices: Range<Int>
        /// In modules from the code's left end.
        let start: Int
        let width: Int
        var isDigit: Bool { choices.count > 1 }
    }

    private init(_ symbology: Symbology, _ choices: [Range<Int>]) {
        var pieces: [Piece] = []
        var start = 0
        for range in choices {
            let width = BarPattern.all[range.lowerBound].width
            pieces.append(Piece(choices: range, start: start, width: width))
            start += width
        }
        self.symbology = symbology
        self.pieces = pieces
        moduleCount = start
    }

    private static func digits(_ count: Int, _ set: Range<Int>) -> [Range<Int>] { Array(repeating: set, count: count) }

    static let ean13 = RetailLayout(
        .ean13,
        [BarPattern.normalGuard] + digits(6, BarPattern.setsAB) + [BarPattern.centreGuard]
            + digits(6, BarPattern.setC) + [BarPattern.normalGuard])
    static let ean8 = RetailLayout(
        .ean8,
        [BarPattern.normalGuard] + digits(4, BarPattern.setsAB) + [BarPattern.centreGuard]
            + digits(4, BarPattern.setC) + [BarPattern.normalGuard])
    static let upcE = RetailLayout(
        .upcE, [BarPattern.normalGuard] + digits(6, BarPattern.setsAB) + [BarPattern.specialGuard])

    /// Where bars begin and end, in turn, in modules from the code's left end.
    func edges(of patterns: [Int]) -> [Int] {
        var edges: [Int] = []
        edges.reserveCapacity(2 * pieces.count * 2)
        for (piece, pattern) in zip(pieces, patterns) {
            for edge in BarPattern.all[pattern].edges { edges.append(piece.start + edge) }
        }
        return edges
    }
}
