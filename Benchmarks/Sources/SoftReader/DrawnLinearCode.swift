import SoftReader

/// A linear code to draw, and how to tell that a reader read it.
protocol DrawnLinearCode {
    /// 1 is a bar.
    var modules: [UInt8] { get }
    /// Entries of `modules` that are one module wide.
    var entriesPerModule: Int { get }
    var meaning: String { get }
    func isSaid(by text: String) -> Bool
}

extension DrawnLinearCode {
    var entriesPerModule: Int { 1 }
}

extension RetailCode: DrawnLinearCode {}

extension BarFamily {
    var name: String {
        switch self {
        case .retail: "EAN-13"
        case .code128: "Code 128"
        case .code39: "Code 39"
        case .itf14: "ITF-14"
        case .code93: "Code 93"
        case .codabar: "Codabar"
        }
    }

    /// What the curves are drawn of.
    func randomCode(by random: inout SplitMix) -> any DrawnLinearCode {
        switch self {
        case .retail: RetailCode.random(.ean13, by: &random)
        case .code128: Code128Code.random(by: &random)
        case .code39: Code39Code.random(by: &random)
        case .itf14: ITFCode.random(by: &random)
        case .code93: Code93Code.random(by: &random)
        case .codabar: CodabarCode.random(by: &random)
        }
    }

    /// What ZXing is asked for.
    var peerSymbologies: [Int] {
        switch self {
        case .retail: PeerDecoders.retail
        case .code128: PeerDecoders.code128
        case .code39: PeerDecoders.code39
        case .itf14: PeerDecoders.interleaved
        case .code93: PeerDecoders.code93
        case .codabar: PeerDecoders.codabar
        }
    }
}
