/// The bars of one piece of a linear code: a character's or a guard's.
struct BarPattern: Sendable {
    /// In steps of its layout: modules, or quarters of them.
    let width: Int
    /// Where bars begin and end, in steps from the piece's left end, in turn.
    let edges: [Int]

    /// - Parameter widths: of spaces and bars in turn, in steps.
    init(_ widths: [Int], beginsWithBar: Bool) {
        width = widths.reduce(0, +)
        var edges: [Int] = []
        var position = 0
        var isBar = beginsWithBar
        for width in widths {
            if isBar { edges += [position, position + width] }
            position += width
            isBar.toggle()
        }
        self.edges = edges
    }

    /// Those of EAN and UPC, of Code 128, of Code 39, of Interleaved 2 of 5, of Code 93, of Codabar, and paper: pieces name them by their index here.
    static let all: [BarPattern] =
        retail + code128 + code39 + itf + code93 + codabar + [BarPattern([], beginsWithBar: false)]

    /// Beside a code.
    static let paper = all.count - 1..<all.count

    /// No pattern has more edges than this.
    static let mostEdges = 10
    /// The edges of all patterns in one piece, `mostEdges` for each, and how many of them there are.
    static let flatEdges: [Int] = all.flatMap { $0.edges + Array(repeating: 0, count: mostEdges - $0.edges.count) }
    static let edgeCounts: [Int] = all.map(\.edges.count)
}

/// EAN and UPC (ISO/IEC 15420, 4.2).
extension BarPattern {
    /// Widths of the digits of set A, which begin with a space.
    private static let setA = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2], [1, 2, 3, 1], [1, 1, 1, 4],
        [1, 3, 1, 2], [1, 2, 1, 3], [3, 1, 1, 2],
    ]

    /// Digits of set A at 0, of set B at 10, of set C at 20; then the guards.
    private static let retail: [BarPattern] =
        setA.map { BarPattern($0, beginsWithBar: false) }
        + setA.map { BarPattern($0.reversed(), beginsWithBar: false) }
        + setA.map { BarPattern($0, beginsWithBar: true) } + [
            BarPattern([1, 1, 1], beginsWithBar: true), BarPattern([1, 1, 1, 1, 1], beginsWithBar: false),
            BarPattern([1, 1, 1, 1, 1, 1], beginsWithBar: false),
        ]

    static let setsAB = 0..<20
    static let setC = 20..<30
    /// The guard at both ends.
    static let normalGuard = 30..<31
    static let centreGuard = 31..<32
    /// The right guard of UPC-E.
    static let specialGuard = 32..<33
}

/// Code 128 (ISO/IEC 15417, table 1).
extension BarPattern {
    /// Widths of bars and spaces by symbol character value: 103 for data and check, the three starts, the stop but for its last bar.
    private static let code128Widths = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
        123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
        232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
        111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
        111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 233111
        """

    /// The symbol characters, then the bar that ends the stop.
    private static let code128: [BarPattern] =
        code128Widths.split(whereSeparator: \.isWhitespace)
        .map { BarPattern($0.compactMap(\.wholeNumberValue), beginsWithBar: true) } + [
            BarPattern([2], beginsWithBar: true)
        ]

    /// The pattern of symbol character value 0.
    static let code128First = retail.count
    static let code128Data = code128First..<code128First + 103
    /// All symbol characters.
    static let code128Symbols = code128First..<code128First + 107
    static let code128Starts = code128First + 103..<code128First + 106
    static let code128Stop = code128First + 106..<code128First + 107
    static let code128LastBar = code128First + 107..<code128First + 108
}

/// Symbologies with two widths: wide bars and spaces are 2 to 3 modules, the same in all of a code. Their steps are quarters of a module.
extension BarPattern {
    /// Steps in a module.
    static let quarters = 4

    /// Steps of a wide bar or space.
    static let wides = 2 * quarters...3 * quarters
}

/// Code 39 (ISO/IEC 16388, table 1).
extension BarPattern {
    /// Which of the five bars and four spaces are wide, from the left: 43 characters, then the one at both ends.
    private static let code39Wide = """
        000110100 100100001 001100001 101100000 000110001 100110000 001110000 000100101 100100100 001100100 100001001
        001001001 101001000 000011001 100011000 001011000 000001101 100001100 001001100 000011100 100000011 001000011
        101000010 000010011 100010010 001010010 000000111 100000110 001000110 000010110 110000001 011000001 111000000
        010010001 110010000 011010000 010000101 110000100 011000100 010101000 010100010 010001010 000101010 010010100
        """
    static let code39Symbols = 44

    /// For each width of wide elements: characters with the gap that follows, then without.
    private static let code39: [BarPattern] = wides.flatMap { wide in
        let characters = code39Wide.split(whereSeparator: \.isWhitespace)
            .map { $0.map { $0 == "1" ? wide : quarters } }
        return characters.map { BarPattern($0 + [quarters], beginsWithBar: true) }
            + characters.map { BarPattern($0, beginsWithBar: true) }
    }

    private static let code39First = retail.count + code128.count

    /// The pattern of the first character of a table.
    /// - Parameter wide: one of `wides`.
    static func code39First(wide: Int, hasGap: Bool) -> Int {
        let tables = 2 * (wide - wides.lowerBound) + (hasGap ? 0 : 1)
        return code39First + tables * code39Symbols
    }

    /// The same characters with other wide bars; paper stays paper.
    static func code39(_ patterns: [Int], wide: Int, as other: Int) -> [Int] {
        let shift = 2 * code39Symbols * (other - wide)
        return patterns.map { paper.contains($0) ? $0 : $0 + shift }
    }
}

/// Interleaved 2 of 5 (ISO/IEC 16390, table 1): a piece is a pair of digits, the bars of the first one and the spaces of the second.
extension BarPattern {
    /// Which of a digit's five bars or spaces are wide, from the left.
    private static let itfWide = [
        "00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010",
    ]
    static let itfPairs = 100

    /// The start and the stop are so short that parts of pairs resemble them: that they fit better than any others whose bars begin and end on this
    /// grid, in steps, is evidence that nothing is cut.
    private static let itfGrid = 4

    /// A piece of these widths, then all others of its width whose bars begin and end on the grid.
    private static func withOthers(_ widths: [Int]) -> [BarPattern] {
        let own = BarPattern(widths, beginsWithBar: true)
        let cells = own.width / itfGrid
        let others = (0..<1 << cells).map { bits in
            // From the right; the first cell has what is left over.
            let dark = (0..<cells).map { bits >> (cells - 1 - $0) & 1 == 1 }
            var runs: [Int] = []
            for (cell, isDark) in dark.enumerated() {
                let width = cell == 0 ? own.width - (cells - 1) * itfGrid : itfGrid
                if cell > 0, isDark == dark[cell - 1] { runs[runs.count - 1] += width } else { runs.append(width) }
            }
            return BarPattern(runs, beginsWithBar: dark.first ?? false)
        }
        return [own] + others.filter { $0.edges != own.edges }
    }

    private static let itfStarts = withOthers([quarters, quarters, quarters, quarters])
    private static let itfStops = wides.map { withOthers([$0, quarters, quarters]) }

    /// The starts; then for each width of wide elements the pairs, in order, and the stops.
    private static let itf: [BarPattern] =
        itfStarts
        + zip(wides, itfStops).flatMap { wide, stops in
            let digits = itfWide.map { $0.map { $0 == "1" ? wide : quarters } }
            let pairs = digits.flatMap { first in
                digits.map { second in BarPattern(zip(first, second).flatMap { [$0, $1] }, beginsWithBar: true) }
            }
            return pairs + stops
        }

    private static let itfBase = retail.count + code128.count + code39.count
    static let code93First = itfBase + itf.count
    static let codabarFirst = code93First + code93.count
    static let itfStart = itfBase..<itfBase + 1
    /// The start, and what else there may be.
    static let itfAnyStart = itfBase..<itfBase + itfStarts.count

    /// The pattern of the pair 00.
    /// - Parameter wide: one of `wides`.
    static func itfFirst(wide: Int) -> Int {
        itfStops.prefix(wide - wides.lowerBound).reduce(itfAnyStart.upperBound) { $0 + itfPairs + $1.count }
    }

    static func itfStop(wide: Int) -> Range<Int> {
        let stop = itfFirst(wide: wide) + itfPairs
        return stop..<stop + 1
    }

    /// The stop, and what else there may be.
    static func itfAnyStop(wide: Int) -> Range<Int> {
        let stop = itfStop(wide: wide).lowerBound
        return stop..<stop + itfStops[wide - wides.lowerBound].count
    }

    /// The same pairs, and the stop, with other wide bars; start and paper stay what they are.
    static func itf(_ patterns: [Int], wide: Int, as other: Int) -> [Int] {
        let shift = itfFirst(wide: other) - itfFirst(wide: wide)
        return patterns.map { paper.contains($0) || itfStart.contains($0) ? $0 : $0 + shift }
    }
}
