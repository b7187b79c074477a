import Vocabulary

/// An EAN or UPC code to draw: its modules, by the standard's tables. Written apart from the reader's, so that a mistake in one of them shows.
struct RetailCode {
    let symbology: Symbology
    /// In ASCII: 13, 8 or 8.
    let digits: [UInt8]
    /// 1 is a bar.
    let modules: [UInt8]

    private static let sets = [
        "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011",
        "0100111 0110011 0011011 0100001 0011101 0111001 0000101 0010001 0001001 0010111",
        "1110010 1100110 1101100 1000010 1011100 1001110 1010000 1000100 1001000 1110100",
    ].map { $0.split(separator: " ").map { $0.utf8.map { $0 - 48 } } }
    private static let parities = [
        "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
    ]
    private static let parityOfE = [
        "BBBAAA", "BBABAA", "BBAABA", "BBAAAB", "BABBAA", "BAABBA", "BAAABB", "BABABA", "BABAAB", "BAABAB",
    ]

    /// - Parameter digits: 13 of EAN-13, 8 of EAN-8, 8 of UPC-E (with number system and check digit); the check digit is drawn as it is.
    init(_ symbology: Symbology, _ digits: [UInt8]) {
        self.symbology = symbology
        self.digits = digits
        let values = digits.map { Int($0) - 48 }
        func half(_ values: some Sequence<Int>, _ parity: String) -> [UInt8] {
            zip(values, parity).flatMap { value, set in Self.sets[set == "A" ? 0 : set == "B" ? 1 : 2][value] }
        }
        let normal: [UInt8] = [1, 0, 1]
        let centre: [UInt8] = [0, 1, 0, 1, 0]
        switch symbology {
        case .ean8:
            modules = normal + half(values[0..<4], "AAAA") + centre + half(values[4..<8], "CCCC") + normal
        case .upcE:
            let parity = Self.parityOfE[values[7]]
            let flipped = String(parity.map { $0 == "A" ? "B" : "A" })
            modules = normal + half(values[1..<7], values[0] == 0 ? parity : flipped) + [0, 1, 0, 1, 0, 1]
        default:
            modules =
                normal + half(values[1..<7], Self.parities[values[0]]) + centre + half(values[7..<13], "CCCCCC")
                + normal
        }
    }

    /// With a right check digit, or with any.
    static func random(_ symbology: Symbology, isChecked: Bool = true, by random: inout SplitMix) -> RetailCode {
        var digits = (0..<(symbology == .ean13 ? 13 : 8)).map { _ in UInt8.random(in: 48...57, using: &random) }
        if symbology == .upcE { digits[0] = UInt8.random(in: 48...49, using: &random) }
        if isChecked {
            if symbology == .upcE {
                digits[7] = UPCE.completed(Array(digits.dropLast()))?.last ?? 48
            } else {
                digits[digits.count - 1] = CheckDigit.gs1Mod10(digits.dropLast()) ?? 48
            }
        }
        return RetailCode(symbology, digits)
    }

    /// What readers say, as one: UPC-A as EAN-13, UPC-E as it is.
    var meaning: String { String(decoding: digits, as: UTF8.self) }

    /// `text` of a reader that may write UPC-A with 12 digits and UPC-E with 8 or 12 or 13.
    func isSaid(by text: String) -> Bool {
        if text == meaning { return true }
        if symbology == .upcE, let long = UPCE.expanded(digits) {
            let long = String(decoding: long, as: UTF8.self)
            return text == long || text == "0" + long
        }
        return meaning == "0" + text
    }
}
