/// A point: x to the right, y down. On the upright frame, 0…1, unless the declaration says pixels.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func squaredDistance(to other: Point) -> Double {
        (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
    }

    package func distance(to other: Point) -> Double { squaredDistance(to: other).squareRoot() }

    package func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}
