/// Four corners on the upright frame, clockwise from the code's own top left.
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

    package var points: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

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

    /// Each corner through `transform`, in the same order.
    package func mapped(_ transform: (Point) -> Point) -> Quad {
        Quad(transform(topLeft), transform(topRight), transform(bottomRight), transform(bottomLeft))
    }
}
