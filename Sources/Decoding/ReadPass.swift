import CZXing
import SoftReader

/// One look at a picture: which decoder, for what, on which copy of it.
struct ReadPass: Hashable {
    /// The codes to look for, except those that the rules don't ask for.
    enum Target: Hashable {
        case matrix
        /// The matrix codes that share the search for finder patterns, or that are most common: QR, Micro QR, Data Matrix.
        case commonMatrix
        /// The others.
        case otherMatrix
        case linear
        /// Linear codes, and PDF417, whose rows look like bars.
        case bars
        /// PDF417, with its rows level.
        case stacked
        case dataBar
        case all
    }

    enum Binarizer: UInt8, Hashable {
        case localAverage = 0
        case globalHistogram = 1
        case fixedThreshold = 2
    }

    enum Method: Hashable {
        case zxing(Binarizer)
        /// Every n-th row and column is a scan line.
        case zbar(density: UInt8)
        /// Our own, of bars that are too small or too blurred for the others; only in a region.
        case soft(BarFamily)

        /// Our own, of matrix codes that are bent, crumpled or partly hidden.
        case softMatrix(MatrixFamily)

        var isSoft: Bool {
            switch self {
            case .soft, .softMatrix: true
            case .zxing, .zbar: false
            }
        }

        /// The soft reader's, of bars.
        var isOfBars: Bool { if case .soft = self { true } else { false } }
    }

    var method: Method
    var target: Target
    /// Applied one after the other.
    var treatments: [Treatment] = []
    /// Light codes on dark ground.
    var isInverted = false
    /// Also along columns.
    var rotates = true
    /// Every row, not just some of them.
    var triesHarder = true
    /// Also on smaller copies, which the library makes.
    var downscales = false
    var minLineCount: UInt8 = 2
    /// On copies of the regions of this kind that the locator found, instead of the whole picture (`RegionReader`).
    var region: LocatedRegion.Kind?

    /// It doesn't read all of a picture: it looks at regions, or finds the places to look at itself.
    var isLocated: Bool { if case .softMatrix = method { true } else { region != nil } }
}

extension ReadPass {
    /// Whether it doesn't look where codes have been read (see `SoftMatrixDecoder`).
    var needsPlaces: Bool { method == .softMatrix(.dataMatrix) }

    /// Those that change pixels, and don't only leave some out.
    var wholeTreatments: [Treatment] {
        treatments.filter {
            switch $0 {
            case .part, .tile, .smallTile: false
            default: true
            }
        }
    }

    /// The pass that it votes as. ZBar looks at the same rows of a region as when it looks at these rows of the whole picture: two looks
    /// would be one observation that counts twice. Our own readers of matrix codes look at the same pixels, too, unless the region's copy is treated.
    var vote: ReadPass {
        guard region != nil else { return self }
        switch method {
        case .zbar: return ReadPass(method: method, target: .all)
        case .softMatrix: return treatments.isEmpty ? ReadPass(method: method, target: .matrix) : self
        case .zxing, .soft: return self
        }
    }
}
