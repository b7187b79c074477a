import Glibc
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

extension LocatedRegion {
    /// Mean width of a bar or space in modules: 1.61 in EAN-13, 1.83 in Code 128, 1.4 to 1.7 in the others.
    private static let modulesPerElement = 1.65
    /// Fewer edges aren't a code: the shortest has 33, but bars of a pixel may blur into each other.
    private static let fewestEdges = 14

    /// `nil` if it can't be bars.
    init?(_ patch: BarPatches.Patch, _ bars: BarRuns, _ run: BarRuns.Run) {
        guard run.edgeCount >= Self.fewestEdges else { return nil }
        let middle = (run.start + run.end) / 2
        let (c, s) = (cos(patch.direction), sin(patch.direction))
        self.init(
            kind: .bars, centre: Point(x: Double(patch.x + c * middle), y: Double(patch.y + s * middle)),
            direction: Self.folded(Double(bars.direction)), length: Double(run.end - run.start),
            height: Double(2 * patch.halfHeight), module: Double(run.element) / Self.modulesPerElement,
            score: Double(bars.likeness) * Double(min(run.edgeCount, 60)))
    }

    /// The same direction in -π/2..<π/2.
    static func folded(_ angle: Double) -> Double {
        angle - (angle / .pi + 0.5).rounded(.down) * .pi
    }

    /// The widest gap between the rows of a stacked code, in modules and in pixels: what separates them hides three cells of 8 pixels above and
    /// below.
    private static let stackGap = (modules: 8.0, pixels: 44.0)

    /// Whether both are rows of bars with about the same ends and modules, one right above the other.
    fileprivate func isStacked(on other: LocatedRegion) -> Bool {
        guard abs(Self.folded(direction - other.direction)) < 0.1,
            max(module, other.module) <= 1.4 * min(module, other.module)
        else { return false }
        let (c, s) = (cos(direction), sin(direction))
        let (dx, dy) = (other.centre.x - centre.x, other.centre.y - centre.y)
        let (u, v) = (c * dx + s * dy, c * dy - s * dx)
        let overlap = min(u + other.length / 2, length / 2) - max(u - other.length / 2, -length / 2)
        let gap = abs(v) - (height + other.height) / 2
        // The last row of a stacked code may be shorter: it begins, or ends, like the others.
        let isFlush = abs(abs(u) - abs(length - other.length) / 2) <= 4 * max(module, other.module)
        return (overlap >= 0.75 * max(length, other.length) || isFlush && overlap >= 0.9 * min(length, other.length))
            && gap <= max(Self.stackGap.modules * module, Self.stackGap.pixels)
    }

    /// A rectangle around both, in this one's direction.
    fileprivate func joined(with other: LocatedRegion) -> LocatedRegion {
        let (c, s) = (cos(direction), sin(direction))
        let (dx, dy) = (other.centre.x - centre.x, other.centre.y - centre.y)
        let (u, v) = (c * dx + s * dy, c * dy - s * dx)
        let (left, right) = (min(-length, 2 * u - other.length) / 2, max(length, 2 * u + other.length) / 2)
        let (top, bottom) = (min(-height, 2 * v - other.height) / 2, max(height, 2 * v + other.height) / 2)
        var whole = self
        let (middle, level) = ((left + right) / 2, (top + bottom) / 2)
        whole.centre = Point(x: centre.x + c * middle - s * level, y: centre.y + s * middle + c * level)
        whole.length = right - left
        whole.height = bottom - top
        return whole
    }

    /// Whether this region's rectangle is at the same place as an upright one, and about as large.
    fileprivate func shows(_ other: LocatedRegion) -> Bool {
        let area = length * height / (other.length * other.height)
        return (0.5...2).contains(area) && corners.contains(other.centre)
    }

    /// Whether most of this region's bars are in `other`.
    fileprivate func isCovered(by other: LocatedRegion) -> Bool {
        let turn = abs(Self.folded(direction - other.direction))
        guard turn < 0.35 else { return false }
        let (c, s) = (cos(other.direction), sin(other.direction))
        let (dx, dy) = (centre.x - other.centre.x, centre.y - other.centre.y)
        let (u, v) = (c * dx + s * dy, c * dy - s * dx)
        let overlap = min(u + length / 2, other.length / 2) - max(u - length / 2, -other.length / 2)
        return overlap >= 0.8 * length && abs(v) <= other.height / 2
    }
}

extension [LocatedRegion] {
    /// Best first, without those that a better one covers.
    fileprivate func withoutRepeats() -> [LocatedRegion] {
        var kept: [LocatedRegion] = []
        for region in sorted(by: { $0.score > $1.score }) where !kept.contains(where: { region.isCovered(by: $0) }) {
            kept.append(region)
        }
        return kept
    }

    /// Upright regions, best first, without those that show the same part of the picture as a better one, or as one of `others`.
    fileprivate func withoutRepeats(of others: [LocatedRegion]) -> [LocatedRegion] {
        var kept: [LocatedRegion] = []
        for region in sorted(by: { $0.score > $1.score })
        where !kept.contains(where: { $0.shows(region) }) && !others.contains(where: { $0.shows(region) }) {
            kept.append(region)
        }
        return kept
    }

    /// Rows of one stacked code, or of equally long codes one right above the other, become one region.
    fileprivate func joined() -> [LocatedRegion] {
        var joined: [LocatedRegion] = []
        for region in self {
            if let index = joined.firstIndex(where: { $0.isStacked(on: region) }) {
                joined[index] = joined[index].joined(with: region)
            } else {
                joined.append(region)
            }
        }
        return joined
    }
}

extension LumaPlane {
    /// With a wider range of levels, a picture has contrast enough; with a narrower one, it shows nothing but noise.
    private static let stretchable = 8...110

    /// A copy in which the 5th percentile becomes 20 and the 95th 220; unchanged if the contrast isn't `stretchable`.
    fileprivate func stretched() -> LumaPlane {
        var samples: [Int16] = []
        for y in stride(from: 0, to: height, by: 4) {
            let line = row(y)
            for x in stride(from: y / 4 % 4, to: width, by: 4) { samples.append(Int16(line[x])) }
        }
        let levels = LightFigures(samples)
        guard Self.stretchable.contains(levels.contrast) else { return self }
        let (dark, contrast) = (levels.dark, levels.contrast)
        let table = (0...255).map { UInt8(min(max(($0 - dark) * 200 / contrast + 20, 0), 255)) }
        return LumaPlane(width: width, height: height, map: map) { out in
            for y in 0..<height {
                let line = row(y)
                for x in 0..<width { out[y * width + x] = table[Int(line[x])] }
            }
        }
    }
}
