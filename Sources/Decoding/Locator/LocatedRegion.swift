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
}
