import Vocabulary

/// What the patterns of a Code 39 say (ISO/IEC 16388): it has no check of its own, but for the character that begins and ends it: fewer than three
/// characters give nothing.
struct Code39Text: Hashable {
    /// ASCII.
    let bytes: [UInt8]

    /// `nil` if it doesn't begin and end as a Code 39 does.
    /// - Parameter patterns: one for each piece of a layout of Code 39.
    init?(_ patterns: [Int], wide: Int) {
        // Without paper on both sides.
        let symbols = patterns.dropFirst().dropLast()
        let (first, last) = (
            BarPattern.code39First(wide: wide, hasGap: true), BarPattern.code39First(wide: wide, hasGap: false)
        )
        let asterisk = BarPattern.code39Symbols - 1
        guard symbols.count >= 5, symbols.first == first + asterisk, symbols.last == last + asterisk else { return nil }
        bytes = symbols.dropFirst().dropLast().map { CheckDigit.code39Characters[$0 - first] }
    }
}
