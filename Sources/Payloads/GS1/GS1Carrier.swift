import Vocabulary

/// Which symbols carry GS1 element strings.
enum GS1Carrier {
    /// FNC1 between element strings, as decoders transmit it.
    static let separator: UInt8 = 0x1D

    /// By AIM identifier (ISO/IEC 15424). A symbol without one counts if its data starts with a separator: that is how some decoders pass
    /// on FNC1 in first position.
    static func isGS1(_ symbol: Symbol) -> Bool {
        symbol.aim.isEmpty ? symbol.bytes.first == separator : identifiers.contains(symbol.aim)
    }

    /// GS1-128 `]C1`; DataBar and composite `]e0`…`]e3`; GS1 DataMatrix `]d2`, with ECI `]d5`; GS1 QR Code `]Q3`, with ECI
    /// `]Q4`; GS1 DotCode `]J1`, with ECI `]J4`; Aztec with FNC1 in first place `]z1`, with ECI `]z4`.
    private static let identifiers: Set<String> = [
        "]C1", "]e0", "]e1", "]e2", "]e3", "]d2", "]d5", "]Q3", "]Q4", "]J1", "]J4", "]z1", "]z4",
    ]

    /// The symbol's element strings. DataBar carries only a GTIN, and some decoders put its application identifier in front, others don't.
    static func elementStrings(of symbol: Symbol) -> Bytes {
        let isBareGTIN =
            (symbol.symbology == .dataBar || symbol.symbology == .dataBarLimited) && symbol.bytes.count == 14
        return isBareGTIN ? Bytes("01") + symbol.bytes : symbol.bytes[...]
    }
}
