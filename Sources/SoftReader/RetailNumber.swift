import Vocabulary

/// What the patterns of an EAN or UPC code say, if they say something that exists.
struct RetailNumber: Hashable {
    let symbology: Symbology
    /// All digits with the check digit, in ASCII: 13, 12 (UPC-A), or 8.
    let digits: [UInt8]

    /// First digits of EAN-13 by the sets of the left half, one bit a digit from the left, 1 for set B (GS1 General Specifications,
    /// 5.2.1.2.2).
    private static let firstDigits: [Int: UInt8] = [
        0b000000: 0, 0b001011: 1, 0b001101: 2, 0b001110: 3, 0b010011: 4, 0b011001: 5, 0b011100: 6, 0b010101: 7,
        0b010110: 8, 0b011010: 9,
    ]
    /// Check digits of UPC-E with number system 0 (5.2.2.4.1). Number system 1, with the sets exchanged, is in no specification any more, and has
    /// the very bars of an EAN-13 whose right half is covered.
    private static let checkDigits: [Int: UInt8] = [
        0b111000: 0, 0b110100: 1, 0b110010: 2, 0b110001: 3, 0b101100: 4, 0b100110: 5, 0b100011: 6, 0b101010: 7,
        0b101001: 8, 0b100101: 9,
    ]

    /// `nil` if the sets of the left half aren't those of any number.
    /// - Parameter patterns: one for each piece of `layout`.
    /// - Parameter isChecked: Whether the check digit must be right.
    init?(_ patterns: [Int], _ layout: BarLayout, isChecked: Bool = true) {
        let symbols = zip(layout.pieces, patterns).filter(\.0.isCharacter).map(\.1)
        let values = symbols.map { CheckDigit.zero + UInt8($0 % 10) }
        let left = layout.kind == .ean8 ? 4 : 6
        let sets = symbols.prefix(left).reduce(0) { 2 * $0 + ($1 >= 10 ? 1 : 0) }
        switch layout.kind {
        case .code128, .code39, .itf14, .code93, .codabar: return nil
        case .ean8:
            guard sets == 0 else { return nil }
            symbology = .ean8
            digits = values
        case .upcE:
            guard let check = Self.checkDigits[sets] else { return nil }
            symbology = .upcE
            digits = [CheckDigit.zero] + values + [CheckDigit.zero + check]
        case .ean13:
            guard let first = Self.firstDigits[sets] else { return nil }
            symbology = first == 0 ? .upcA : .ean13
            digits = first == 0 ? values : [CheckDigit.zero + first] + values
        }
        guard isChecked else { return }
        let long = symbology == .upcE ? UPCE.expanded(digits) : digits
        guard let long, CheckDigit.isValidGS1Mod10(long) else { return nil }
    }
}
