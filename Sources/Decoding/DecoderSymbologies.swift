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
    static let linear = DecoderSymbologies(Symbology.allCases.filter { $0.isLinear }).without(dataBar)
    static let matrix = DecoderSymbologies(Symbology.allCases.filter { !$0.isLinear })
    static let commonMatrix = DecoderSymbologies([.qrCode, .microQRCode, .rmqrCode, .dataMatrix])
    static let zxing = DecoderSymbologies(mask: CZXing_symbologies())
    static let zbar = DecoderSymbologies(mask: CZBar_symbologies())
    static let retail = DecoderSymbologies([.ean13, .ean8, .upcA, .upcE])

    func without(_ other: DecoderSymbologies) -> DecoderSymbologies { DecoderSymbologies(mask: mask & ~other.mask) }
    func union(_ other: DecoderSymbologies) -> DecoderSymbologies { DecoderSymbologies(mask: mask | other.mask) }
    func and(_ other: DecoderSymbologies) -> DecoderSymbologies { DecoderSymbologies(mask: mask & other.mask) }
    var isEmpty: Bool { mask == 0 }
    var symbologies: [Symbology] { Symbology.allCases.filter { mask & 1 << UInt32($0.code) != 0 } }
}

extension ReadPass.Target {
    var symbologies: DecoderSymbologies {
        switch self {
        case .matrix: .matrix
        case .commonMatrix: .commonMatrix
        case .otherMatrix: .matrix.without(.commonMatrix)
        case .linear: .linear
        case .bars: .linear.union(DecoderSymbologies([.pdf417]))
        case .dataBar: .dataBar
        case .all: DecoderSymbologies(Symbology.allCases).without(.dataBar)
        }
    }
}

extension ReadPass {
    /// The part of `wanted` that the pass looks for and its decoder can read.
    func symbologies(of wanted: DecoderSymbologies) -> DecoderSymbologies {
        switch method {
        case .zxing: wanted.and(target.symbologies).and(.zxing)
        case .zbar: wanted.and(target.symbologies).and(.zbar)
        case .soft(let family): wanted.and(target.symbologies).and(family.symbologies)
        }
    }
}

extension BarFamily {
    var symbologies: DecoderSymbologies {
        switch self {
        case .retail: .retail
        case .code128: DecoderSymbologies([.code128])
        case .code39: DecoderSymbologies([.code39])
        case .itf: DecoderSymbologies([.itf])
        }
    }
}
