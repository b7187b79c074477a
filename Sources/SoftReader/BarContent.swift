import Vocabulary

/// What the patterns of a code say, by the rules of its symbology.
struct BarContent {
    let symbology: Symbology
    /// In ASCII.
    let bytes: [UInt8]
    let isGS1: Bool

    /// `nil` if no code of that kind says this.
    /// - Parameters:
    ///   - patterns: one for each piece of `layout`.
    ///   - isChecked: whether the check digit or character must be right.
    init?(_ patterns: [Int], _ layout: BarLayout, isChecked: Bool = true) {
        if layout.kind == .code128 {
            guard let text = Code128Text(patterns, isChecked: isChecked) else { return nil }
            (symbology, bytes, isGS1) = (.code128, text.bytes, text.isGS1)
        } else {
            guard let number = RetailNumber(patterns, layout, isChecked: isChecked) else { return nil }
            (symbology, bytes, isGS1) = (number.symbology, number.digits, false)
        }
    }
}
