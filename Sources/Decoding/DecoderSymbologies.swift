import CZBar
import CZXing
import SoftReader
import Vocabulary

/// Sets of symbologies in the form that the C interfaces take, and what each decoder is used for.
struct DecoderSymbologies {
    var mask: UInt32

    init(mask: UInt32) { self.mask = mask }

    init(_ symbologies: some Sequence<Symbology>) {
        mask = symbologies.reduce(0) { $0 | 1 << UInt32($1.code) }
    }

    static let dataBar = DecoderSymbologies([.dataBar, .dataBarExpanded, .dataBarLimited])
    static let linear = DecoderSymbologies(Symbology.allCases.filter { $0.isLinear }).subtracting(dataBar)
    static let matrix = DecoderSymbologies(Symbology.allCases.filter { !$0.isLinear })
    static let commonMatrix = DecoderSymbologies([.qrCode, .microQRCode, .rmqrCode, .dataMatrix])
    static let zxing = DecoderSymbologies(mask: CZXing_symbologies())
    static let zbar = DecoderSymbologies(mask: CZBar_symbologies())
    static let retail = DecoderSymbologies([.ean13, .ean8, .upcA, .upcE])

    func subtracting(_ other: DecoderSymbologies) -> DecoderSymbologies {
        DecoderSymbologies(mask: mask & ~other.mask)
    }
    func union(_ other: DecoderSymbologies) -> DecoderSymbologies { DecoderSymbologies(mask: mask | other.mask) }
    func intersection(_ other: DecoderSymbologies) -> DecoderSymbologies {
        DecoderSymbologies(mask: mask & other.mask)
    }
    func contains(_ symbology: Symbology) -> Bool { mask & 1 << UInt32(symbology.code) != 0 }
    var isEmpty: Bool { mask == 0 }
    var symbologies: [Symbology] { Symbology.allCases.filter(contains) }
}

extension ReadPass.Target {
    var symbologies: DecoderSymbologies {
        switch self {
        case .matrix: .matrix
        case .commonMatrix: .commonMatrix
        case .otherMatrix: .matrix.subtracting(.commonMatrix)
        case .linear: .linear
        case .bars: .linear.union(DecoderSymbologies([.pdf417]))
        case .stacked: DecoderSymbologies([.pdf417])
        case .dataBar: .dataBar
        case .all: DecoderSymbologies(Symbology.allCases).subtracting(.dataBar)
        }
    }
}

extension ReadPass {
    /// The part of `wanted` that the pass looks for and its decoder can read.
    func symbologies(of wanted: DecoderSymbologies) -> DecoderSymbologies {
        switch method {
        case .zxing: wanted.intersection(target.symbologies).intersection(.zxing)
        case .zbar: wanted.intersection(target.symbologies).intersection(.zbar)
        case .soft(let family): wanted.intersection(target.symbologies).intersection(family.symbologies)
        case .softMatrix(let family): wanted.intersection(target.symbologies).intersection(family.symbologies)
        }
    }
}

extension BarFamily {
    var symbologies: DecoderSymbologies {
        switch self {
        case .retail: .retail
        case .code128: DecoderSymbologies([.code128])
        case .code39: DecoderSymbologies([.code39])
        // Decoders and rules know it as an ITF.
        case .itf14: DecoderSymbologies([.itf])
        case .code93: DecoderSymbologies([.code93])
        case .codabar: DecoderSymbologies([.codabar])
        }
    }
}
