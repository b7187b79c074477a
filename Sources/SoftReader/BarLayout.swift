import Vocabulary

/// Which pieces a linear code has, from left to right, and which patterns each may have. What the patterns say, and whether that exists, is asked
/// afterwards, as evidence: the digits of an EAN's left half may be of set A or B in any order, and check characters may be any.
struct BarLayout: Sendable {
    /// The symbology whose rules say what the patterns mean. UPC-A is told from EAN-13 by its first digit.
    enum Kind: Hashable, Sendable {
        case ean13, ean8, upcE, code128, code93
        /// With the steps of its wide bars.
        case code39(wide: Int), itf14(wide: Int), codabar(wide: Int)
    }

    let kind: Kind
    let pieces: [Piece]
    /// Steps of pieces and patterns in a module.
    let resolution: Int
    /// In modules, without quiet zones.
    let modules: Float
    /// The width of the widest piece, in steps.
    let widest: Int
    /// Patterns of a piece for the rough search, at most.
    let mostChoices: Int
    /// The same for the fine search.
    let mostRivals: Int
    /// All that the pieces may have.
    let patterns: [Range<Int>]

    struct Piece: Sendable {
        /// What it is for the rough search; indices in `BarPattern.all`.
        let choices: Range<Int>
        /// What else it might be: that it is one of `choices` all the same is evidence.
        let rivals: Range<Int>
        /// In steps from the code's left end.
        let start: Int
        let width: Int
        var end: Int { start + width }
        /// It might have several patterns: a character, or a start or stop that has rivals.
        var isCharacter: Bool { rivals.count > 1 }
    }

    /// - Parameter rivals: by choices, where there are others.
    private init(
        _ kind: Kind, _ choices: [Range<Int>], rivals: [Range<Int>: Range<Int>] = [:], resolution: Int = 1
    ) {
        var pieces: [Piece] = []
        var start = 0
        for range in choices {
            let width = BarPattern.all[range.lowerBound].width
            pieces.append(Piece(choices: range, rivals: rivals[range] ?? range, start: start, width: width))
            start += width
        }
        self.kind = kind
        self.pieces = pieces
        self.resolution = resolution
        modules = Float(start) / Float(resolution)
        widest = pieces.map(\.width).max() ?? 0
        mostChoices = pieces.map(\.choices.count).max() ?? 0
        mostRivals = pieces.map(\.rivals.count).max() ?? 0
        patterns = choices.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func characters(_ count: Int, _ set: Range<Int>) -> [Range<Int>] {
        Array(repeating: set, count: count)
    }

    static let ean13 = BarLayout(
        .ean13,
        [BarPattern.normalGuard] + characters(6, BarPattern.setsAB) + [BarPattern.centreGuard]
            + characters(6, BarPattern.setC) + [BarPattern.normalGuard])
    static let ean8 = BarLayout(
        .ean8,
        [BarPattern.normalGuard] + characters(4, BarPattern.setsAB) + [BarPattern.centreGuard]
            + characters(4, BarPattern.setC) + [BarPattern.normalGuard])
    static let upcE = BarLayout(
        .upcE, [BarPattern.normalGuard] + characters(6, BarPattern.setsAB) + [BarPattern.specialGuard])

    /// - Parameter symbols: with start, check and stop, 4 and more.
    static func code128(symbols: Int) -> BarLayout {
        BarLayout(
            .code128,
            [BarPattern.paper, BarPattern.code128Starts] + characters(symbols - 2, BarPattern.code128Data)
                + [BarPattern.code128Stop, BarPattern.code128LastBar],
            rivals: [
                BarPattern.code128Starts: BarPattern.code128Symbols, BarPattern.code128Stop: BarPattern.code128Symbols,
            ])
    }

    /// - Parameters:
    ///   - symbols: with the asterisks at both ends, 3 and more.
    ///   - wide: one of `BarPattern.wides`.
    static func code39(symbols: Int, wide: Int) -> BarLayout {
        let (first, last) = (
            BarPattern.code39First(wide: wide, hasGap: true), BarPattern.code39First(wide: wide, hasGap: false)
        )
        let (others, count) = (BarPattern.code39Symbols - 1, BarPattern.code39Symbols)
        let (start, stop) = (first + others..<first + count, last + others..<last + count)
        return BarLayout(
            .code39(wide: wide),
            [BarPattern.paper, start] + characters(symbols - 2, first..<first + others) + [stop, BarPattern.paper],
            rivals: [start: first..<first + count, stop: last..<last + count],
            resolution: BarPattern.quarters)
    }

    /// Seven pairs, the last digit a check digit: nothing else tells a whole Interleaved 2 of 5 from a part of a longer one.
    /// - Parameter wide: one of `BarPattern.wides`.
    static func itf14(wide: Int) -> BarLayout {
        let first = BarPattern.itfFirst(wide: wide)
        let stop = BarPattern.itfStop(wide: wide)
        return BarLayout(
            .itf14(wide: wide),
            [BarPattern.paper, BarPattern.itfStart] + characters(7, first..<first + BarPattern.itfPairs)
                + [stop, BarPattern.paper],
            rivals: [BarPattern.itfStart: BarPattern.itfAnyStart, stop: BarPattern.itfAnyStop(wide: wide)],
            resolution: BarPattern.quarters)
    }

    /// - Parameter symbols: with start, both check characters and stop, 5 and more.
    static func code93(symbols: Int) -> BarLayout {
        BarLayout(
            .code93,
            [BarPattern.paper, BarPattern.code93Asterisk] + characters(symbols - 2, BarPattern.code93Data)
                + [BarPattern.code93Asterisk, BarPattern.code93LastBar],
            rivals: [BarPattern.code93Asterisk: BarPattern.code93Symbols])
    }

    /// - Parameters:
    ///   - symbols: with the letters at both ends.
    ///   - wide: one of `BarPattern.wides`.
    static func codabar(symbols: Int, wide: Int) -> BarLayout {
        let start = BarPattern.codabarLetters(wide: wide, isStart: true)
        let stop = BarPattern.codabarLetters(wide: wide, isStart: false)
        return BarLayout(
            .codabar(wide: wide),
            [BarPattern.paper, start] + characters(symbols - 2, BarPattern.codabarData(wide: wide))
                + [stop, BarPattern.paper],
            rivals: [
                start: BarPattern.codabarAnyGuard(wide: wide, isStart: true),
                stop: BarPattern.codabarAnyGuard(wide: wide, isStart: false),
            ],
            resolution: BarPattern.quarters)
    }

    /// Steps of wide bars, where they may have several.
    var wide: Int? {
        switch kind {
        case .code39(let wide), .itf14(let wide), .codabar(let wide): wide
        case .ean13, .ean8, .upcE, .code128, .code93: nil
        }
    }

    /// The same code, and what is in it, with other wide bars; `nil` if they can't be other ones.
    func widened(_ patterns: [Int], to other: Int) -> (layout: BarLayout, patterns: [Int])? {
        guard BarPattern.wides.contains(other) else { return nil }
        switch kind {
        case .code39(let wide):
            return (.code39(symbols: pieces.count - 2, wide: other), BarPattern.code39(patterns, wide: wide, as: other))
        case .itf14(let wide): return (.itf14(wide: other), BarPattern.itf(patterns, wide: wide, as: other))
        case .codabar(let wide):
            return (
                .codabar(symbols: pieces.count - 2, wide: other), BarPattern.codabar(patterns, wide: wide, as: other)
            )
        case .ean13, .ean8, .upcE, .code128, .code93: return nil
        }
    }

    /// Whether the pieces that are the same in all codes of its kind, such as start and stop, are what they must be.
    func isFramed(_ patterns: [Int]) -> Bool {
        zip(pieces, patterns).allSatisfy { $0.choices.contains($1) }
    }

    /// Where bars begin and end, in turn, in modules from the code's left end.
    func edges(of patterns: [Int]) -> [Float] {
        var edges: [Float] = []
        edges.reserveCapacity(BarPattern.mostEdges * pieces.count)
        let step = 1 / Float(resolution)
        for (piece, pattern) in zip(pieces, patterns) {
            for edge in BarPattern.all[pattern].edges { edges.append(Float(piece.start + edge) * step) }
        }
        return edges
    }
}
