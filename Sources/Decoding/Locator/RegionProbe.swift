import ReaderProtocol
import Vocabulary

/// Reads one region by one decoder, for the benchmarks: what a locator is worth is what is read of its regions. No ballot over several looks.
package final class RegionProbe {
    /// A decoder, with its way of telling dark from light.
    package enum Look: String, CaseIterable, Sendable {
        case zxingLocalAverage
        case zxingGlobalHistogram
        case zbar

        fileprivate var method: ReadPass.Method {
            switch self {
            case .zxingLocalAverage: .zxing(.localAverage)
            case .zxingGlobalHistogram: .zxing(.globalHistogram)
            case .zbar: .zbar(density: 1)
            }
        }
    }

    private let rules: SymbologyRules
    private let wanted: DecoderSymbologies
    private var zxing = ZXingDecoder()

    package init(rules: DecodeRules) {
        self.rules = SymbologyRules(rules)
        wanted = DecoderSymbologies(self.rules.decoderSymbologies)
    }

    /// - Returns: symbols with corners normalised to `luma`, 0…1: linear codes and PDF417 of a region of bars, matrix codes of
    ///   the others.
    package func read(_ luma: LumaView, _ region: LocatedRegion, by look: Look) -> [Symbol] {
        let picture = LumaPlane(borrowing: luma)
        let isBars = region.kind == .bars
        // Of matrix codes ZBar reads only QR codes, with other character sets than ZXing.
        guard isBars || look != .zbar, let plane = picture.rectified(region) else { return [] }
        let target: ReadPass.Target = isBars ? .linear : .matrix
        let pass = ReadPass(method: look.method, target: target, rotates: !isBars)
        var symbologies = pass.symbologies(of: wanted)
        // The rows of a PDF417 are bars, too.
        if isBars, look != .zbar {
            symbologies = symbologies.union(wanted.and(.dataBar.union(DecoderSymbologies([.pdf417]))).and(.zxing))
        }
        var readings: [PassReading]
        switch pass.method {
        case .zxing(let binarizer):
            readings = zxing.read(plane, pass: pass, binarizer: binarizer, symbologies: symbologies, readsAddOns: false)
        case .zbar(let density):
            readings = ZBarDecoder().read(plane, density: density, rotates: !isBars, symbologies: symbologies)
        }
        var ballot = Ballot(rules: rules)
        for index in readings.indices { readings[index].takeExtent(in: picture) }
        for reading in readings where reading.hasAgreeingLines { ballot.add(reading) }
        return ballot.winners(demandsAgreement: false).map {
            Symbol($0, content: 0, width: picture.width, height: picture.height)
        }
    }

    /// The cost of the copy alone, for figures: how many pixels a region's upright copy has.
    package func pixels(_ luma: LumaView, _ region: LocatedRegion) -> Int {
        LumaPlane(borrowing: luma).rectified(region)?.pixelCount ?? 0
    }
}
