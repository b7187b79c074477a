/// A small number for each symbology, for the C interfaces and for messages between station and reader. The numbers are
/// part of those formats: never reuse one.
extension Symbology {
    /// 1…31, so that a set of them fits 32 bits as `1 << code`.
    package var code: UInt8 {
        switch self {
        case .aztec: 1
        case .codabar: 2
        case .code39: 3
        case .code39Mod43: 4
        case .code93: 5
        case .code128: 6
        case .dataBar: 7
        case .dataBarExpanded: 8
        case .dataBarLimited: 9
        case .dataMatrix: 10
        case .ean8: 11
        case .ean13: 12
        case .itf: 13
        case .itf14: 14
        case .maxiCode: 15
        case .microQRCode: 16
        case .pdf417: 17
        case .qrCode: 18
        case .rmqrCode: 19
        case .upcA: 20
        case .upcE: 21
        }
    }

    /// `nil` for a number that no symbology has.
    package init?(code: UInt8) {
        guard let symbology = Symbology.byCode[code] else { return nil }
        self = symbology
    }

    private static let byCode = Dictionary(allCases.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
