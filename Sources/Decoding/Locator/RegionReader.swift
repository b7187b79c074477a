import CZXing
import Vocabulary

/// Reads one region of a picture by one decoder: linear codes of bars, matrix codes of the others. The rows of a PDF417 are bars, too, but a
/// copy of some of its rows doesn't show where the code is: it would count as a second one.
final class RegionReader {
    private let wanted: DecoderSymbologies
    private let readsAddOns: Bool
    private var zxing = ZXingDecoder()
    private let zbar = ZBarDecoder()

    /// - Parameter wanted: what the rules ask for.
    init(wanted: DecoderSymbologies, readsAddOns: Bool) {
        self.wanted = wanted
        self.readsAddOns = readsAddOns
    }

    /// Whether there is anything that this look may find in such a region.
    func isOfUse(_ look: RegionLook, at kind: LocatedRegion.Kind) -> Bool { !symbologies(look, kind).isEmpty }

    /// - Returns: readings with corners in pixels of `picture`, without a number.
    func read(_ region: LocatedRegion, of picture: LumaPlane, by look: RegionLook) -> [PassReading] {
        let symbologies = symbologies(look, region.kind)
        guard !symbologies.isEmpty, let plane = picture.rectified(region) else { return [] }
        let pass = look.pass(over: region.kind)
        var readings: [PassReading]
        switch pass.method {
        case .zxing(let binarizer):
            readings = zxing.read(
                plane, pass: pass, binarizer: binarizer, symbologies: symbologies, readsAddOns: readsAddOns)
        case .zbar(let density):
            readings = zbar.read(plane, density: density, rotates: pass.rotates, symbologies: symbologies)
        }
        for index in readings.indices { readings[index].takeExtent(in: picture) }
        return readings
    }

    private func symbologies(_ look: RegionLook, _ kind: LocatedRegion.Kind) -> DecoderSymbologies {
        let symbologies = look.pass(over: kind).symbologies(of: wanted)
        return kind == .bars && look != .zbar ? symbologies.union(wanted.and(.dataBar).and(.zxing)) : symbologies
    }
}
