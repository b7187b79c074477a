import CZBar
import CZXing
import ReaderProtocol
import Vocabulary

extension DecodeEngine {
    /// What the decoders that this process is linked with read.
    package static func capabilities() -> [DecoderCapability] {
        [
            DecoderCapability(
                library: "ZXing-C++", version: String(cString: CZXing_version()),
                symbologies: DecoderSymbologies.zxing.withVariants),
            DecoderCapability(
                library: "ZBar", version: String(cString: CZBar_version()),
                symbologies: DecoderSymbologies.zbar.withVariants),
        ]
    }
}

extension DecoderSymbologies {
    /// With the symbologies that the decoders don't know, but that our rules derive from theirs (by a check digit, a length).
    fileprivate var withVariants: [Symbology] {
        let read = Set(symbologies)
        let variants: [(Symbology, of: Symbology)] = [(.code39Mod43, .code39), (.itf14, .itf), (.upcA, .ean13)]
        return Array(read.union(variants.filter { read.contains($0.of) }.map(\.0)))
    }
}
