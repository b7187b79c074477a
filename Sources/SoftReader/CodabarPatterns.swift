/// Codabar (ANSI/AIM BC3, table 1): four bars and three spaces, of which two or three are wide. Here with what nearly all of them hold: digits, `-` and `$`, which
/// have two wide ones, between letters, which have three: with the other four characters inside, a code's length wouldn't say how many it has.
extension BarPattern {
    /// Which are wide, from the left: 12 characters.
    private static let codabarWide = """
        0000011 0000110 0001001 1100000 0010010 1000010 0100001 0100100 0110000 1001000 0001100 0011000
        """
    /// The letters at both ends, A to D.
    private static let codabarLetters = [0b001_1010, 0b010_1001, 0b000_1011, 0b000_1110]
    /// All else that is as wide, of which only four are characters.
    private static let codabarOtherGuards = (0..<1 << 7).filter {
        $0.nonzeroBitCount == 3 && !codabarLetters.contains($0)
    }

    /// The letters, then what else there may be at an end: that a letter fits better is evidence that nothing is cut.
    private static func codabarGuardWidths(wide: Int) -> [[Int]] {
        func widths(_ guards: [Int]) -> [[Int]] {
            guards.map { bits in (0..<7).map { bits >> (6 - $0) & 1 == 1 ? wide : quarters } }
        }
        let letters = widths(codabarLetters)
        return letters + widths(codabarOtherGuards) + letters.flatMap { split($0, wide: wide) }
    }

    /// A digit, with the gap and the bar of its neighbour, is a letter but for a narrow bar or space within a wide one: 8 is D, 3 and 5 are A.
    private static func split(_ letter: [Int], wide: Int) -> [[Int]] {
        letter.indices.filter { letter[$0] == wide }.flatMap { place in
            [[quarters, quarters, wide - 2 * quarters], [wide - 2 * quarters, quarters, quarters]].map {
                Array(letter[..<place]) + $0 + Array(letter[(place + 1)...])
            }
        }
    }

    static let codabarCharacters = Array("0123456789-$".utf8)
    private static let codabarGuards = codabarGuardWidths(wide: wides.lowerBound).count
    private static let codabarTable = codabarCharacters.count + 2 * codabarGuards

    /// For each width of wide elements: characters with the gap that follows; the guards with it, then without.
    static let codabar: [BarPattern] = wides.flatMap { wide in
        let characters = codabarWide.split(whereSeparator: \.isWhitespace).map {
            $0.map { $0 == "1" ? wide : quarters }
        }
        let guards = codabarGuardWidths(wide: wide)
        return (characters + guards).map { BarPattern($0 + [quarters], beginsWithBar: true) }
            + guards.map { BarPattern($0, beginsWithBar: true) }
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
