/// Four corners, clockwise from the code's own top left. On the upright frame, 0…1, unless the declaration says pixels.
package struct Quad: Hashable, Sendable {
    package var topLeft: Point
    package var topRight: Point
    package var bottomRight: Point
    package var bottomLeft: Point

    package init(_ topLeft: Point, _ topRight: Point, _ bottomRight: Point, _ bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// All four corners at one point: a code whose extent nobody knows.
    package init(at point: Point) {
        self.init(point, point, point, point)
    }

    package var points: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The lengths of the sides, from the top one on clockwise.
    package var sides: [Double] {
        let corners = points
        return corners.indices.map { corners[$0].distance(to: corners[($0 + 1) % 4]) }
    }

    package var isPoint: Bool { points.allSatisfy { $0 == topLeft } }

    /// The mean of the corners.
    package var centre: Point {
        Point(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4)
    }

    /// The smallest upright rectangle around the corners.
    package var bounds: Rect {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let left = min(xs[0], xs[1], xs[2], xs[3])
        let top = min(ys[0], ys[1], ys[2], ys[3])
        return Rect(
            x: left, y: top, width: max(xs[0], xs[1], xs[2], xs[3]) - left,
            height: max(ys[0], ys[1], ys[2], ys[3]) - top)
    }

    /// Whether `point` lies inside; edges count. The quad must be convex; in either direction of rotation.
    package func contains(_ point: Point) -> Bool {
        guard !isPoint else { return point == topLeft }
        var sides = (left: false, right: false)
        let corners = points
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % 4]
            let cross = (next.x - corner.x) * (point.y - corner.y) - (next.y - corner.y) * (point.x - corner.x)
            if cross > 0 { sides.left = true }
            if cross < 0 { sides.right = true }
        }
        return !(sides.left && sides.right)
    }

    /// Whether the centre of one lies within the other, as with two readings of one code, or of a part of it.
    package func overlaps(_ other: Quad) -> Bool { contains(other.centre) || other.contains(centre) }

    /// Whether both may be the outline of one thing, measured in two ways: one lies over the other's centre, and neither is twice as long.
    package func isLike(_ other: Quad) -> Bool {
        let (own, others) = (sides.max() ?? 0, other.sides.max() ?? 0)
        return overlaps(other) && own <= 2 * others && others <= 2 * own
    }

    /// Each corner through `transform`, in the same order.
    package func mapped(_ transform: (Point) -> Point) -> Quad {
        Quad(transform(topLeft), transform(topRight), transform(bottomRight), transform(bottomLeft))
    }

    /// From pixels of a frame of this size to 0…1; corners beyond the frame lie on its edge then.
    package func normalised(to size: FrameSize) -> Quad {
        let (width, height) = (Double(size.width), Double(size.height))
        return mapped { Point(x: min(max($0.x / width, 0), 1), y: min(max($0.y / height, 0), 1)) }
    }

    /// Whether two looks at equal data show the same code: the other's centre is within this one's extent.
    ///
    /// Decoders report a linear code as the scan lines that agreed, which may be one line anywhere in it, or some of its
    /// height. A single line counts as somewhere in a code whose height is `assumedAspect` of its width (EAN-13 at its nominal size: 22.85
    /// / 37.29 mm). With `arePartial`, either of the two may be part of the code's height: two decoders or two passes differ by that much
    /// about one code. It may even be just one of the code's ends: ZBar puts a code there that it has read along a single scan line, a
    /// little inside or outside of the other's end. If one look shows it at two places, they are two codes.
    package func isSamePlace(as other: Quad, arePartial: Bool = false) -> Bool {
        let middleLeft = topLeft.middle(to: bottomLeft)
        let middleRight = topRight.middle(to: bottomRight)
        let width = max(middleLeft.squaredDistance(to: middleRight), other.squaredWidth).squareRoot()
        let height = max(squaredHeight, other.squaredHeight).squareRoot()
        let isLine = height < width * Quad.lineAspect
        let assumed = width * Quad.assumedAspect
        let reach = arePartial ? max(height, assumed) : isLine ? assumed : height / 2
        // Two points: without an extent, nothing says that they are ends of two codes.
        guard width > 0 else { return arePartial || centre.squaredDistance(to: other.centre) <= reach * reach }
        // The other centre in this code's own directions: along its rows and across them.
        let rowLength = middleLeft.squaredDistance(to: middleRight).squareRoot()
        let along =
            rowLength > 0
            ? Point(x: (middleRight.x - middleLeft.x) / rowLength, y: (middleRight.y - middleLeft.y) / rowLength)
            : Point(x: 1, y: 0)
        let offset = Point(x: other.centre.x - centre.x, y: other.centre.y - centre.y)
        let rows = abs(offset.x * along.x + offset.y * along.y)
        let columns = abs(offset.y * along.x - offset.x * along.y)
        return rows <= width * (arePartial ? Quad.partialReach : 0.5) && columns <= reach
    }

    private static let lineAspect = 0.05
    private static let assumedAspect = 0.61
    /// Half the width and a tenth more. The near end of an equal code beside this one is farther away, because quiet zones are in between.
    private static let partialReach = 0.6

    private var squaredWidth: Double {
        topLeft.middle(to: bottomLeft).squaredDistance(to: topRight.middle(to: bottomRight))
    }

    private var squaredHeight: Double {
        topLeft.middle(to: topRight).squaredDistance(to: bottomLeft.middle(to: bottomRight))
    }
}
