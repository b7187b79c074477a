/// A decoder for one region, with its way of telling dark from light.
package enum RegionLook: String, CaseIterable, Sendable {
    case zxingLocalAverage
    case zxingGlobalHistogram
    /// Of matrix codes ZBar reads only QR codes, with other character sets than ZXing: it looks at bars only.
    case zbar

    /// How it looks.
    func pass(over kind: LocatedRegion.Kind) -> ReadPass {
        ReadPass(
            method: method, target: kind == .bars ? .linear : .matrix, rotates: kind != .bars, region: kind)
    }

    /// The pass that it votes as. ZBar looks at the same rows as when it looks at every second row of the whole picture: two looks would be one
    /// observation that counts twice.
    func vote(over kind: LocatedRegion.Kind) -> ReadPass {
        self == .zbar ? ReadPass(method: method, target: .all) : pass(over: kind)
    }

    /// The looks that a region of this kind gets, in turns.
    static func looks(at kind: LocatedRegion.Kind) -> [RegionLook] {
        kind == .bars
            ? [.zxingLocalAverage, .zbar, .zxingGlobalHistogram] : [.zxingLocalAverage, .zxingGlobalHistogram]
    }

    private var method: ReadPass.Method {
        switch self {
        case .zxingLocalAverage: .zxing(.localAverage)
        case .zxingGlobalHistogram: .zxing(.globalHistogram)
        case .zbar: .zbar(density: 2)
        }
    }
}
