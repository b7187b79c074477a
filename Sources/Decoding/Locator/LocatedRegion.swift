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
