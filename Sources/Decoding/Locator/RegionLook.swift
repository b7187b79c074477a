/// A decoder for one region, with its way of telling dark from light.
package enum RegionLook: String, CaseIterable, Sendable {
    case zxingLocalAverage
    case zxingGlobalHistogram
    /// Of matrix codes ZBar reads only QR codes, with other character sets than ZXing: it looks at bars only.
    case zbar

    /// What it is in the plan of passes: its number is its vote.
    func pass(over kind: LocatedRegion.Kind) -> ReadPass {
        ReadPass(
            method: method, target: kind == .bars ? .linear : .matrix, rotates: kind != .bars, region: kind)
    }

    /// The looks that a region of this kind gets, in turns.
    static func looks(at kind: LocatedRegion.Kind) -> [RegionLook] {
        kind == .bars ? [.zxingLocalAverage, .zbar, .zxingGlobalHistogram] : [.zxingLocalAverage, .zxingGlobalHistogram]
    }

    private var method: ReadPass.Method {
        switch self {
        case .zxingLocalAverage: .zxing(.localAverage)
        case .zxingGlobalHistogram: .zxing(.globalHistogram)
        case .zbar: .zbar(density: 1)
        }
    }
}
