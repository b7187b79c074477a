import Vocabulary

/// What the patterns of a Codabar say (ANSI/AIM BC3): no check of its own, but for the letters at its ends, which belong to what it says.
struct CodabarText: Hashable {
    /// ASCII.
    let bytes: [UInt8]

    /// `nil` if it doesn't begin and end as a Codabar does.
    /// - Parameter patterns: one for each piece of a layout of Codabar.
    init?(_ patterns: [Int], wide: Int) {
        // Without paper on both sides.
        let symbols = patterns.dropFirst().dropLast()
        let (starts, stops, data) = (
            BarPattern.codabarLetters(wide: wide, isStart: true), BarPattern.codabarLetters(wide: wide, isStart: false),
            BarPattern.codabarData(wide: wide)
        )
        let inner = symbols.dropFirst().dropLast()
        guard let first = symbols.first, let last = symbols.last, starts.contains(first), stops.contains(last),
            inner.count >= Self.least, inner.allSatisfy(data.contains)
        else { return nil }
        func letter(_ index: Int) -> UInt8 { UInt8(ascii: "A") + UInt8(index) }
        bytes =
            [letter(first - starts.lowerBound)] + inner.map { BarPattern.codabarCharacters[$0 - data.lowerBound] }
            + [letter(last - stops.lowerBound)]
    }

    /// Fewer characters between the letters, and anything might be one.
    static let least = 4
}
