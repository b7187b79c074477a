/// An upright rectangle; normalised 0…1 wherever a frame is meant.
public struct Rect: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole frame.
    public static let unit = Rect(x: 0, y: 0, width: 1, height: 1)

    public var right: Double { x + width }
    public var bottom: Double { y + height }
    public var centre: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Edges count as inside.
    public func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= right && point.y >= y && point.y <= bottom
    }
}
