import CZXing
import Vocabulary

/// Reads one region of a picture by one decoder: linear codes of bars, matrix codes of the others. The rows of a PDF417 are bars, too, but a
/// copy of some of its rows doesn't show where the code is: it would count as a second one, and only copies with all of them are read for it.
final class RegionReader {
    private let wanted: DecoderSymbologies
    private let readsAddOns: Bool
    private let zxing = ZXingDecoder()
    private let softMatrix = SoftMatrixDecoder()
    let soft = SoftRegionReader()

    /// - Parameter wanted: what the rules ask for.
    init(wanted: DecoderSymbologies, readsAddOns: Bool) {
        self.wanted = wanted
        self.readsAddOns = readsAddOns
    }

    /// Whether there is anything that a pass may find in such a region.
    func isOfUse(_ pass: ReadPass, at region: LocatedRegion) -> Bool {
        pass.region == region.kind && !symbologies(pass).isEmpty && (!pass.method.isOfBars || soft.isOfUse(at: region))
            && (!pass.treatments.contains(.magnified) || region.magnification != nil)
            && (pass.target != .stacked || region.isTurned && StackFrame(of: region) != nil)
    }

    /// - Parameter crowd: what the picture's finder patterns have cost; `nil`: nobody counts.
    /// - Returns: readings with corners in pixels of `picture`, without a number.
    func read(
        _ region: LocatedRegion, of picture: LumaPlane, by pass: ReadPass, crowd: inout FinderCrowd?
    ) -> [PassReading] {
        let symbologies = symbologies(pass)
        guard !symbologies.isEmpty else { return [] }
        var readings: [PassReading]
        switch pass.method {
        case .soft(let family):
            readings = [soft.read(region, of: picture, as: family)].compactMap { $0 }
        case .zxing(let binarizer):
            guard let plane = copy(of: region, from: picture, for: pass) else { return [] }
            readings = FinderCrowd.looks(at: plane, for: symbologies, in: &crowd).flatMap {
                zxing.read(
                    $0.plane, pass: pass, binarizer: binarizer, symbologies: $0.symbologies, readsAddOns: readsAddOns)
            }
        case .softMatrix(let family):
            guard let plane = copy(of: region, from: picture, for: pass) else { return [] }
            readings = softMatrix.read(plane, as: family)
        case .zbar(let density):
            guard let plane = copy(of: region, from: picture, for: pass) else { return [] }
            let symbologies = crowd?.symbologies(forZBar: symbologies, on: plane) ?? symbologies
            guard !symbologies.isEmpty else { return [] }
            // A new one for each place: ZBar keeps the left half of an EAN or UPC until a right half comes, were it that of another code in
            // another picture.
            readings = ZBarDecoder()
                .read(plane, density: density, rotates: pass.rotates, symbologies: symbologies)
        }
        for index in readings.indices {
            if pass.isInverted { readings[index].isInverted.toggle() }
            if pass.treatments.contains(.magnified), readings[index].symbology.isLinear {
                // Lines of an enlarged copy that lie within one row of the picture are one line.
                readings[index].strength = max(1, readings[index].strength / (region.magnification ?? 1))
            }
            readings[index].takeExtent(in: picture)
        }
        return readings.filter { $0.isWhole(on: picture) && (!pass.isUnturnedZBar || isBelievable($0, picture)) }
    }

    /// Of rows that cross bars at an angle, ZBar makes numbers that fit their check digit, again and again, on as many as 17 rows: the soft reader must
    /// see the same.
    private func isBelievable(_ reading: PassReading, _ picture: LumaPlane) -> Bool {
        guard DecoderSymbologies.retail.contains(reading.symbology) else { return true }
        if case .agrees = soft.opinion(on: reading, of: picture) { return true }
        return false
    }

    private func copy(of region: LocatedRegion, from picture: LumaPlane, for pass: ReadPass) -> LumaPlane? {
        let copy = RegionCopy(of: region, from: picture)
        var plane: LumaPlane?
        switch pass.target {
        case .bars: plane = pass.isUnturnedZBar ? copy.wholeAndAround() : copy.whole()
        case .stacked: plane = copy.stacked()
        default: plane = copy.rectified()
        }
        for treatment in pass.treatments { plane = plane.flatMap(treatment.applied(to:)) }
        return pass.isInverted ? plane.map { PlaneFilter(of: $0).inverted() } : plane
    }

    /// What nothing vouches for, when glare has washed a part of it away.
    private static let unchecked = DecoderSymbologies([.itf, .itf14, .code39, .codabar] as [Symbology])

    private func symbologies(_ pass: ReadPass) -> DecoderSymbologies {
        let symbologies = pass.symbologies(of: wanted)
        if pass.isUnturnedZBar { return symbologies.subtracting(Self.unchecked) }
        guard pass.region == .bars, pass.target != .stacked, case .zxing = pass.method else { return symbologies }
        return symbologies.union(wanted.intersection(.dataBar).intersection(.zxing))
    }
}

extension ReadPass {
    fileprivate var isUnturnedZBar: Bool {
        if case .zbar = method { target == .bars } else { false }
    }
}
