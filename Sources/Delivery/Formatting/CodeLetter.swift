import Vocabulary

/// Code id letters: scan engines put them in front of a code, for hosts that tell kinds apart by one character.
///
/// There is no standard. The letters are those that Honeywell's engines send ("Symbology Charts" of the Xenon and 3820 user's
/// guides), which are one character each; Zebra's need three for matrix codes.
///
/// | letter | symbology | letter | symbology | letter | symbology |
/// |---|---|---|---|---|---|
/// | `a` | Codabar | `d` | EAN-13 | `s` | QR, Micro QR, rMQR |
/// | `b` | Code 39 | `D` | EAN-8 | `w` | Data Matrix |
/// | `i` | Code 93 | `c` | UPC-A | `z` | Aztec |
/// | `j` | Code 128 | `E` | UPC-E | `r` | PDF417 |
/// | `I` | GS1-128 | `e` | ITF, ITF-14 | `x` | MaxiCode |
/// | `y` | DataBar | `{` | DataBar Limited | `}` | DataBar Expanded |
package enum CodeLetter {
    /// The letter of a symbol, in ASCII.
    package static func letter(of symbol: Symbol) -> UInt8 {
        let letter: Unicode.Scalar =
            switch symbol.symbology {
            case .aztec: "z"
            case .codabar: "a"
            case .code39, .code39Mod43: "b"
            case .code93: "i"
            case .code128: symbol.aim == "]C1" ? "I" : "j"
            case .dataBar: "y"
            case .dataBarExpanded: "}"
            case .dataBarLimited: "{"
            case .dataMatrix: "w"
            case .ean8: "D"
            case .ean13: "d"
            case .itf, .itf14: "e"
            case .maxiCode: "x"
            case .microQRCode, .qrCode, .rmqrCode: "s"
            case .pdf417: "r"
            case .upcA: "c"
            case .upcE: "E"
            }
        return UInt8(ascii: letter)
    }
}
