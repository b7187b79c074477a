/// A decoder for one region, with its way of telling dark from light.
package enum RegionLook: String, CaseIterable, Sendable {
    case zxingLocalAverage
    case zxingGlobalHistogram
    /// Looks at bars only: QR codes are the only matrix codes that ZBar reads, and with other character sets than ZXing.
    case zbar
    /// Bars only: unturned. A turned copy is softer, and of narrow bars often only a few rows can be read.
    case zbarWhole
    /// Bars only: EAN and UPC.
    case softRetail
    /// Bars only: Code 128, Code 39, ITF-14, Code 93, Codabar. No quick turn has time for them: the ladder has, and a session where bars are short.
    case softCode128
    case softCode39
    case softITF14
    case softCode93
    case softCodabar
    /// Bars only: all of them, unturned; for narrow bars, and for PDF417, whose rows look like bars.
    case zxingWhole
    /// Bars only: PDF417 that is turned. ZXing follows rows that climb by up to 9 degrees.
    case zxingStacked
    /// Matrix codes only: small modules.
    case zxingMagnified
    /// Matrix codes only: uneven light.
    case zxingNormalised
    /// Matrix codes only: both.
    case zxingMagnifiedNormalised
    /// Matrix codes only: bars that sharpening invents have check digits, too.
    case zxingSharpened
    /// Matrix codes only: out of focus.
    case zxingDeblurred
    /// Matrix codes only.
    case zxingInverted
    /// QR codes only. The ladder has time for it, and a session.
    case softQRCode
    /// Data Matrix only, which have no finder patterns; likewise.
    case softDataMatrix
    /// Data Matrix only: out of focus.
    case softDataMatrixDeblurred

    /// How it looks.
    func pass(over kind: LocatedRegion.Kind) -> ReadPass {
        let (method, treatments) = means
        return ReadPass(
            method: method, target: target(at: kind),
            treatments: treatments, isInverted: self == .zxingInverted, rotates: kind != .bars || isUnturned,
            minLineCount: self == .zxingWhole ? Self.leastMagnifiedLines : 2, region: kind)
    }

    private func target(at kind: LocatedRegion.Kind) -> ReadPass.Target {
        if self == .zxingStacked { return .stacked }
        return isUnturned ? .bars : kind == .bars ? .linear : .matrix
    }

    private var isUnturned: Bool { self == .zxingWhole || self == .zbarWhole }

    /// Lines of a copy that is enlarged three times which show at least two rows of the picture.
    private static let leastMagnifiedLines: UInt8 = 5

    /// Whether a pass is one of these looks, and not one that only stills and the ladder take, as of codes on cans.
    static func isOfTurns(_ pass: ReadPass) -> Bool {
        pass.region.map { kind in looks(at: kind).contains { $0.pass(over: kind) == pass } } ?? false
    }

    /// The looks that a region of this kind gets, in turns.
    static func looks(at kind: LocatedRegion.Kind) -> [RegionLook] {
        switch kind {
        case .bars:
            [
                .zxingLocalAverage, .zbar, .zxingGlobalHistogram, .zbarWhole, .softRetail, .zxingWhole, .zxingStacked,
                .softCode128, .softCode39, .softITF14, .softCode93, .softCodabar,
            ]
        case .finders:
            [
                .zxingLocalAverage, .zxingMagnified, .softQRCode, .zxingDeblurred, .zxingNormalised, .zxingSharpened,
                .zxingMagnifiedNormalised, .zxingGlobalHistogram, .zxingInverted,
            ]
        case .texture:
            [
                .zxingLocalAverage, .zxingMagnified, .softDataMatrix, .softQRCode, .zxingDeblurred, .zxingNormalised,
                .softDataMatrixDeblurred, .zxingSharpened, .zxingMagnifiedNormalised, .zxingGlobalHistogram,
                .zxingInverted,
            ]
        }
    }

    private var means: (ReadPass.Method, [ReadPass.Treatment]) {
        switch self {
        case .zxingLocalAverage, .zxingStacked, .zxingInverted: (.zxing(.localAverage), [])
        case .zxingGlobalHistogram: (.zxing(.globalHistogram), [])
        case .zbar, .zbarWhole: (.zbar(density: 2), [])
        case .softRetail: (.soft(.retail), [])
        case .softCode128: (.soft(.code128), [])
        case .softCode39: (.soft(.code39), [])
        case .softITF14: (.soft(.itf14), [])
        case .softCode93: (.soft(.code93), [])
        case .softCodabar: (.soft(.codabar), [])
        case .softQRCode: (.softMatrix(.qrCode), [])
        case .softDataMatrix: (.softMatrix(.dataMatrix), [])
        case .softDataMatrixDeblurred: (.softMatrix(.dataMatrix), [.deblurred])
        case .zxingSharpened: (.zxing(.localAverage), [.sharpened(radius: 2, amount: 2)])
        case .zxingDeblurred: (.zxing(.localAverage), [.deblurred])
        case .zxingWhole, .zxingMagnified: (.zxing(.localAverage), [.magnified])
        case .zxingNormalised: (.zxing(.fixedThreshold), [.normalised(radius: 8)])
        case .zxingMagnifiedNormalised: (.zxing(.fixedThreshold), [.magnified, .normalised(radius: 16)])
        }
    }
}
