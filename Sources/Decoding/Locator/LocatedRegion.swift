import Glibc
import Vocabulary

/// A place in a picture that may hold a code: a rectangle in any direction. A guess, made without a decoder.
package struct LocatedRegion: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Parallel bars. `direction` crosses them.
        case bars
        /// Edges in many directions side by side, as in a matrix code; or in print.
        case texture
        /// Finder patterns: three that fit together, a pair, or one alone.
        case finders
    }

    package var kind: Kind
    /// In pixels of the plane; pixel centres lie at .5.
    package var centre: Point
    /// The direction of the longer way across the bars, in radians from the x axis towards the y axis (down), -π/2..<π/2.
    package var direction: Double
    /// Extent along `direction` in pixels: across the bars, without quiet zones.
    package var length: Double
    /// Extent along the bars in pixels.
    package var height: Double
    /// The estimated width of a module in pixels; 0: unknown.
    package var module: Double
    /// The higher, the likelier a code. Comparable within a picture and a kind.
    package var score: Double

    /// Corners, clockwise. An upside-down code begins at the third.
    package var corners: Quad { corners(beyondEnds: 0, beyondSides: 0) }

    /// - Parameters:
    ///   - ends: how much longer at each end, in pixels.
    ///   - sides: how much higher at each side, in pixels.
    func corners(beyondEnds ends: Double, beyondSides sides: Double) -> Quad {
        let (c, s) = (cos(direction), sin(direction))
        func corner(_ u: Double, _ v: Double) -> Point {
            let (along, across) = (u * (length / 2 + ends), v * (height / 2 + sides))
            return Point(x: centre.x + c * along - s * across, y: centre.y + s * along + c * across)
        }
        return Quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
    }

    /// The middles of its left and its right end: a line across all bars.
    var ends: (left: Point, right: Point) {
        let (c, s) = (cos(direction) * length / 2, sin(direction) * length / 2)
        return (Point(x: centre.x - c, y: centre.y - s), Point(x: centre.x + c, y: centre.y + s))
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
}

/// Which regions are one place, and what becomes of them.
extension LocatedRegion {
    /// Where another region's centre lies from this one's: along this one's direction, and across it.
    func place(of other: LocatedRegion) -> (u: Double, v: Double) {
        let (c, s) = (cos(direction), sin(direction))
        let (dx, dy) = (other.centre.x - centre.x, other.centre.y - centre.y)
        return (c * dx + s * dy, c * dy - s * dx)
    }

    /// The widest gap between the rows of a stacked code, in modules and in pixels: what separates them hides three cells of 8 pixels above and
    /// below.
    private static let stackGap = (modules: 8.0, pixels: 44.0)
    /// How far rows of one code may be turned against each other, in radians; how many times larger the one's module may be guessed; the part of
    /// the longer one that they share; and of the shorter one, if they begin or end alike, to within so many modules.
    private static let stacked = (turn: 0.1, module: 1.4, overlap: 0.75, flushOverlap: 0.9, flush: 4.0)
    /// How far bars may be turned against better ones that cover them, in radians; and the part of their length that is covered.
    private static let covered = (turn: 0.35, overlap: 0.8)

    /// Whether both are rows of bars with about the same ends and modules, one right above the other.
    fileprivate func isStacked(on other: LocatedRegion) -> Bool {
        guard abs(Self.folded(direction - other.direction)) < Self.stacked.turn,
            max(module, other.module) <= Self.stacked.module * min(module, other.module)
        else { return false }
        let (u, v) = place(of: other)
        let overlap = min(u + other.length / 2, length / 2) - max(u - other.length / 2, -length / 2)
        let gap = abs(v) - (height + other.height) / 2
        // The last row of a stacked code may be shorter: it begins, or ends, like the others.
        let isFlush = abs(abs(u) - abs(length - other.length) / 2) <= Self.stacked.flush * max(module, other.module)
        return
            (overlap >= Self.stacked.overlap * max(length, other.length)
            || isFlush && overlap >= Self.stacked.flushOverlap * min(length, other.length))
            && gap <= max(Self.stackGap.modules * module, Self.stackGap.pixels)
    }

    /// A rectangle around both, in this one's direction.
    fileprivate func joined(with other: LocatedRegion) -> LocatedRegion {
        let (c, s) = (cos(direction), sin(direction))
        let (u, v) = place(of: other)
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
        guard turn < Self.covered.turn else { return false }
        let (u, v) = other.place(of: self)
        let overlap = min(u + length / 2, other.length / 2) - max(u - length / 2, -other.length / 2)
        return overlap >= Self.covered.overlap * length && abs(v) <= other.height / 2
    }
}

extension [LocatedRegion] {
    /// Best first, without those that a better one covers.
    func withoutRepeats() -> [LocatedRegion] {
        var kept: [LocatedRegion] = []
        for region in sorted(by: { $0.score > $1.score }) where !kept.contains(where: { region.isCovered(by: $0) }) {
            kept.append(region)
        }
        return kept
    }

    /// Upright regions, best first, without those that show the same part of the picture as a better one, or as one of `others`.
    func withoutRepeats(of others: [LocatedRegion]) -> [LocatedRegion] {
        var kept: [LocatedRegion] = []
        for region in sorted(by: { $0.score > $1.score })
        where !kept.contains(where: { $0.shows(region) }) && !others.contains(where: { $0.shows(region) }) {
            kept.append(region)
        }
        return kept
    }

    /// Rows of one stacked code, or of equally long codes one right above the other, become one region.
    func joined() -> [LocatedRegion] {
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
