/// A decoder for one region, with its way of telling dark from light.
package enum RegionLook: String, CaseIterable, Sendable {
    case zxingLocalAverage
    case zxingGlobalHistogram
    /// Of matrix codes ZBar reads only QR codes, with other character sets than ZXing: it looks at bars only.
    case zbar
    /// Bars only: EAN and UPC.
    case soft
    /// Matrix codes only: bars that sharpening invents have check digits, too.
    case zxingSharpened
    case zxingEnlarged
    /// Matrix codes only.
    case zxingInverted

    /// How it looks.
    func pass(over kind: LocatedRegion.Kind) -> ReadPass {
        let (method, treatments) = means
        return ReadPass(
            method: method, target: kind == .bars ? .linear : .matrix, treatments: treatments,
            isInverted: self == .zxingInverted, rotates: kind != .bars, region: kind)
    }

    /// The looks that a region of this kind gets, in turns.
    static func looks(at kind: LocatedRegion.Kind) -> [RegionLook] {
        kind == .bars
            ? [.zxingLocalAverage, .zbar, .zxingGlobalHistogram, .soft]
            : [.zxingLocalAverage, .zxingSharpened, .zxingGlobalHistogram, .zxingEnlarged, .zxingInverted]
    }

    private var means: (ReadPass.Method, [ReadPass.Treatment]) {
        switch self {
        case .zxingLocalAverage, .zxingInverted: (.zxing(.localAverage), [])
        case .zxingGlobalHistogram: (.zxing(.globalHistogram), [])
        case .zbar: (.zbar(density: 2), [])
        case .soft: (.soft, [])
        case .zxingSharpened: (.zxing(.localAverage), [.sharpened(radius: 2, amount: 2)])
        case .zxingEnlarged: (.zxing(.globalHistogram), [.enlarged(200)])
        }
    }
}
