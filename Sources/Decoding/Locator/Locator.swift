import ReaderProtocol
import Vocabulary

/// Finds places that may hold codes, in about a millisecond, without a decoder. Bounded: whatever the picture shows, it is at most `most` regions.
package struct Locator {
    /// The most regions of a picture; and of each kind, so that print doesn't crowd out bars.
    package static let most = 24
    private static let mostBars = 12
    private static let mostFinders = 12
    private static let mostTextures = 8
    /// Finder patterns without a code around them.
    private static let mostSingles = 2

    /// Larger pictures have no regions: lines that begin beyond an edge must have places in 16.16 fixed point.
    private static let mostSide = 12_000

    /// Differences of neighbouring pixels are looked at: what is out of focus shows its edges on a copy with this many times fewer pixels.
    private static let faintReduction = 3
    /// A larger picture has edges enough.
    private static let mostFaintPixels = 24_000_000

    package init() {}

    /// - Parameter turn: a number that differs from frame to frame: where a picture is so busy that not every row can be searched for finder
    ///   patterns, other rows are.
    /// - Returns: regions in pixels of `luma`: bars, finder patterns, texture; of each kind the best first.
    package func regions(of luma: LumaView, turn: UInt32 = 0) -> [LocatedRegion] {
        guard luma.size.width > 0, luma.size.height > 0, max(luma.size.width, luma.size.height) <= Self.mostSide,
            luma.rowStride >= luma.size.width
        else { return [] }
        return regions(of: LumaPlane(borrowing: luma), turn: turn)
    }

    /// Only the sums over all pixels, for figures of what they cost.
    package func sums(of luma: LumaView) -> Int { TensorField.sums(of: LumaPlane(borrowing: luma)).count }

    func regions(of plane: LumaPlane, turn: UInt32 = 0) -> [LocatedRegion] {
        let field = TensorField(of: plane)
        let coarse = field.halved()
        let bars = bars(in: plane, [field, coarse]).prefix(Self.mostBars)
        let finders = FinderTriples(
            finders: FinderSearch(plane: plane, field: coarse, turn: turn).finders()
        ).regions(mostSingles: Self.mostSingles).prefix(Self.mostFinders)
        // Large modules leave cells without an edge, too.
        let texture = [field, coarse].flatMap { TexturePatches(field: $0).regions() }
            .withoutRepeats(of: Array(bars + finders)).prefix(Self.mostTextures)
        return Array((bars + finders + texture).filter(plane.mayShow).prefix(Self.most))
    }

    /// Bars wider than a cell leave cells without an edge: fields of larger cells bridge them.
    private func bars(in plane: LumaPlane, _ fields: [TensorField]) -> [LocatedRegion] {
        fields.flatMap { field in
            BarPatches(field: field).patches().flatMap { patch in
                BarRuns(patch, in: plane).map { bars in
                    bars.runs.compactMap { LocatedRegion(patch, bars, $0) }
                } ?? []
            }
        }.withoutRepeats().joined()
    }

    /// Codes that are out of focus, or in so little light that they drown in noise. In pixels of `luma`.
    func faintRegions(of luma: LumaView) -> [LocatedRegion] {
        let factor = Self.faintReduction
        guard min(luma.size.width, luma.size.height) / factor >= LumaPlane.shortestSide,
            luma.size.width * luma.size.height <= Self.mostFaintPixels,
            max(luma.size.width, luma.size.height) <= Self.mostSide
        else { return [] }
        let small = LumaPlane(borrowing: luma).reduced(by: factor).stretched()
        return regions(of: small).map { region in
            var region = region
            region.centre = Point(x: region.centre.x * Double(factor), y: region.centre.y * Double(factor))
            region.length *= Double(factor)
            region.height *= Double(factor)
            region.module *= Double(factor)
            return region
        }
    }
}

extension LumaPlane {
    /// Bars that reach beyond an edge may be guessed to have their middle there, or to be longer than any line in the picture.
    fileprivate func mayShow(_ region: LocatedRegion) -> Bool {
        let (width, height) = (Double(width), Double(height))
        return (0...width).contains(region.centre.x) && (0...height).contains(region.centre.y)
            && region.length * region.length <= width * width + height * height
    }
}
