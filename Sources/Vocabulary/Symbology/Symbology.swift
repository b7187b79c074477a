/// A kind of code. Raw values are the W3C BarcodeDetector names where one exists, and follow their style elsewhere.
package enum Symbology: String, CaseIterable, Hashable, Sendable, Comparable {
    case aztec
    case codabar
    case code39 = "code_39"
    /// Code 39 whose last character is a modulo 43 check character (ISO/IEC 16388, annex A).
    case code39Mod43 = "code_39_mod_43"
    case code93 = "code_93"
    case code128 = "code_128"
    case dataBar = "databar"
    case dataBarExpanded = "databar_expanded"
    case dataBarLimited = "databar_limited"
    case dataMatrix = "data_matrix"
    case ean8 = "ean_8"
    case ean13 = "ean_13"
    case itf
    /// Interleaved 2 of 5 with 14 digits and a GS1 check digit.
    case itf14 = "itf_14"
    case maxiCode = "maxicode"
    case microQRCode = "micro_qr_code"
    case pdf417
    case qrCode = "qr_code"
    case rmqrCode = "rmqr_code"
    case upcA = "upc_a"
    case upcE = "upc_e"

    package static func < (a: Symbology, b: Symbology) -> Bool { a.rawValue < b.rawValue }

    /// Whether the symbology can carry only digits: the phone scanner's list (UPC-E, EAN-8, EAN-13, ITF, ITF-14) and its sibling UPC-A.
    package var isNumericOnly: Bool {
        switch self {
        case .upcA, .upcE, .ean8, .ean13, .itf, .itf14: true
        default: false
        }
    }

    /// Whether it is read along one scan line (bars), as opposed to a matrix or stacked code.
    package var isLinear: Bool {
        switch self {
        case .codabar, .code39, .code39Mod43, .code93, .code128, .dataBar, .dataBarExpanded, .dataBarLimited, .ean8,
            .ean13, .itf, .itf14, .upcA, .upcE:
            true
        case .aztec, .dataMatrix, .maxiCode, .microQRCode, .pdf417, .qrCode, .rmqrCode: false
        }
    }

    /// Whether decoders say where it is: ZXing 1.4 gives a MaxiCode no corners (`ZXingDecoder`), so two looks disagree.
    package var hasKnownPlace: Bool { self != .maxiCode }

    /// Whether error correction may make data of a damaged code that nobody printed: small Aztec and Micro QR codes have few check words, and of
    /// PDF417 decoders take almost as many missing words as there are check words, and try many combinations of the doubtful ones (ZXing-C++ 3.1.1
    /// returned three such texts for 205 pictures of the corpus held in a hand).
    package var correctionMayInvent: Bool {
        switch self {
        case .aztec, .microQRCode, .pdf417: true
        default: false
        }
    }

    /// Whether our own reader restores it where parts are hidden (`SoftReader`'s `MatrixFamily`): then error correction has more to fill in than what decoders leave to it.
    package var isRestorable: Bool { self == .qrCode || self == .dataMatrix }
}
