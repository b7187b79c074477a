/// Codabar (ANSI/AIM BC3, table 1): four bars and three spaces, of which two or three are wide. Here with what nearly all of them hold: digits, `-` and `$`, which
/// have two wide ones, between letters, which have three: with the other four characters inside, a code's length wouldn't say how many it has.
extension BarPattern {
    /// Which are wide, from the left.
    private static let codabarData = [
        0b000_0011, 0b000_0110, 0b000_1001, 0b110_0000, 0b001_0010, 0b100_0010, 0b010_0001, 0b010_0100, 0b011_0000,
        0b100_1000, 0b000_1100, 0b001_1000,
    ]
    /// The letters at both ends, A to D.
    private static let codabarLetters = [0b001_1010, 0b010_1001, 0b000_1011, 0b000_1110]
    /// All else that is as wide, of which only four are characters.
    private static let codabarOtherGuards = (0..<1 << 7).filter {
        $0.nonzeroBitCount == 3 && !codabarLetters.contains($0)
    }

    static let codabarCharacters = Array("0123456789-$".utf8)
    private static let codabarGuards = codabarGuardPatterns(wide: wides.lowerBound, isStart: true).count
    private static let codabarTable = codabarData.count + 2 * codabarGuards

    /// For each width of wide elements: characters with the gap that follows; what is at the first end, with it; what is at the last one.
    static let codabar: [BarPattern] = wides.flatMap { wide in
        codabarData.map { BarPattern(codabarWidths($0, wide: wide) + [quarters], beginsWithBar: true) }
            + codabarGuardPatterns(wide: wide, isStart: true) + codabarGuardPatterns(wide: wide, isStart: false)
    }

    /// In steps, of four bars and three spaces.
    private static func codabarWidths(_ bits: Int, wide: Int) -> [Int] {
        (0..<7).map { bits >> (6 - $0) & 1 == 1 ? wide : quarters }
    }

    /// The letters, then what else there may be at an end: that a letter fits better is evidence that nothing is cut.
    private static func codabarGuardPatterns(wide: Int, isStart: Bool) -> [BarPattern] {
        let gap = isStart ? [quarters] : []
        let guards = (codabarLetters + codabarOtherGuards).map {
            BarPattern(codabarWidths($0, wide: wide) + gap, beginsWithBar: true)
        }
        let remains = codabarData.flatMap { bits in
            let character = codabarWidths(bits, wide: wide)
            return codabarRemains(isStart ? character : character.reversed(), wide: wide).map {
                isStart
                    ? BarPattern($0 + gap, beginsWithBar: false) : BarPattern($0.reversed(), beginsWithBar: true)
            }
        }
        return guards + remains
    }

    /// What a cut leaves where a letter would be: a whole character, which is narrower than a letter. Beside it is paper, or what is left of its neighbour's
    /// last bar, and the gap. Such an end may resemble a letter: 8 with its neighbour's bar is D, 3 and 5 are A; 2 alone is B, as wide bars are narrow.
    /// - Parameter character: widths from outside to inside.
    /// - Returns: the same, of spaces and bars in turn.
    private static func codabarRemains(_ character: [Int], wide: Int) -> [[Int]] {
        let missing = wide - quarters
        // There is no room for a bar and the gap beside wide bars of two modules: then the cut goes into the character.
        let beside =
            missing > quarters
            ? [0, missing - quarters, quarters] + character
            : [missing + 1, character[0] - 1] + character.dropFirst()
        return [[missing] + character, beside]
    }

    /// - Parameter wide: one of `wides`.
    static func codabarData(wide: Int) -> Range<Int> {
        let first = codabarFirst + (wide - wides.lowerBound) * codabarTable
        return first..<first + codabarCharacters.count
    }

    /// A to D, with the gap that follows the first one of a code or without one, as the last.
    static func codabarLetters(wide: Int, isStart: Bool) -> Range<Int> {
        let first = codabarData(wide: wide).upperBound + (isStart ? 0 : codabarGuards)
        return first..<first + 4
    }

    /// The letters, and what else there may be.
    static func codabarAnyGuard(wide: Int, isStart: Bool) -> Range<Int> {
        let first = codabarLetters(wide: wide, isStart: isStart).lowerBound
        return first..<first + codabarGuards
    }

    /// The same characters with other wide bars; paper stays paper.
    static func codabar(_ patterns: [Int], wide: Int, as other: Int) -> [Int] {
        patterns.map { paper.contains($0) ? $0 : $0 + codabarTable * (other - wide) }
    }
}
