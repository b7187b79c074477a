extension Quad {
    /// The area that both cover, as a part of the smaller one's: 0 to 1; in either direction of rotation. 0 where one has no area, or isn't convex.
    package func shared(with other: Quad) -> Double {
        let (own, others) = (Polygon(points), Polygon(other.points))
        let smaller = min(own.area, others.area)
        guard smaller > 0, own.isConvex, others.isConvex else { return 0 }
        return min(1, own.clipped(by: others).area / smaller)
    }
}

/// Convex, its corners counter-clockwise where y points up.
private struct Polygon {
    var corners: [Point]

    init(_ corners: [Point]) {
        self.corners = Self.signedArea(corners) < 0 ? corners.reversed() : corners
    }

    var area: Double { max(0, Self.signedArea(corners)) }

    var isConvex: Bool {
        for index in corners.indices {
            let (next, last) = (corners[(index + 1) % corners.count], corners[(index + 2) % corners.count])
            if Self.side(last, of: corners[index], next) < 0 { return false }
        }
        return true
    }

    /// Twice the area of the triangle that a point makes with a line; positive on the inner side of an edge.
    private static func side(_ point: Point, of start: Point, _ end: Point) -> Double {
        let (alongX, alongY) = (end.x - start.x, end.y - start.y)
        let (x, y) = (point.x - start.x, point.y - start.y)
        return alongX * y - alongY * x
    }

    private static func signedArea(_ corners: [Point]) -> Double {
        var sum = 0.0
        for index in corners.indices {
            let (here, next) = (corners[index], corners[(index + 1) % corners.count])
            sum += here.x * next.y - next.x * here.y
        }
        return sum / 2
    }

    /// What of it lies within another one (Sutherland and Hodgman, Reentrant polygon clipping, 1974).
    func clipped(by other: Polygon) -> Polygon {
        var rest = corners
        for (index, start) in other.corners.enumerated() {
            let end = other.corners[(index + 1) % other.corners.count]
            let all = rest
            rest = []
            for (index, point) in all.enumerated() {
                let next = all[(index + 1) % all.count]
                let (here, there) = (Self.side(point, of: start, end), Self.side(next, of: start, end))
                if here >= 0 { rest.append(point) }
                guard here < 0 && there > 0 || here > 0 && there < 0 else { continue }
                let part = here / (here - there)
                rest.append(Point(x: point.x + part * (next.x - point.x), y: point.y + part * (next.y - point.y)))
            }
            if rest.isEmpty { break }
        }
        var clipped = self
        clipped.corners = rest
        return clipped
    }
}
