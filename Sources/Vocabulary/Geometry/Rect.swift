/// An upright rectangle; normalised 0…1 when it refers to a frame.
package struct Rect: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole frame.
    package static let unit = Rect(x: 0, y: 0, width: 1, height: 1)

    package var right: Double { x + width }
    package var bottom: Double { y + height }
    package var centre: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Edges count as inside.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= right && point.y >= y && point.y <= bottom
    }
}
