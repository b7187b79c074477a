import Vocabulary

/// What the patterns of a code say, by the rules of its symbology.
struct BarContent {
    let symbology: Symbology
    /// In ASCII; a Code 128 in ISO 8859-1.
    let bytes: [UInt8]
    var isGS1 = false
    /// Whether only paper on both sides tells that it isn't a part of something longer.
    var mayBePart = false

    /// `nil` if no code of that kind says this.
    /// - Parameters:
    ///   - patterns: one for each piece of `layout`.
    ///   - isChecked: whether the check digit or character must be right.
    init?(_ patterns: [Int], _ layout: BarLayout, isChecked: Bool = true) {
        switch layout.kind {
        case .code128:
            guard let text = Code128Text(patterns, isChecked: isChecked) else { return nil }
            (symbology, bytes, isGS1) = (.code128, text.bytes, text.isGS1)
        case .code39(let wide):
            guard let text = Code39Text(patterns, wide: wide) else { return nil }
            // Without a check character, a character that something has cut may pass for the first one.
            (symbology, bytes, mayBePart) = (.code39, text.bytes, true)
        case .code93:
            guard let text = Code93Text(patterns, isChecked: isChecked) else { return nil }
            (symbology, bytes) = (.code93, text.bytes)
        case .codabar(let wide):
            guard let text = CodabarText(patterns, wide: wide) else { return nil }
            (symbology, bytes, mayBePart) = (.codabar, text.bytes, true)
        case .itf14(let wide):
            guard let digits = ITF14Number(patterns, wide: wide, isChecked: isChecked) else { return nil }
            (symbology, bytes, mayBePart) = (.itf, digits.bytes, true)
        case .ean13, .ean8, .upcE:
            guard let number = RetailNumber(patterns, layout, isChecked: isChecked) else { return nil }
            // The bars of UPC-E are also half of an EAN-13.
            (symbology, bytes, mayBePart) = (number.symbology, number.digits, number.symbology == .upcE)
        }
    }
}
