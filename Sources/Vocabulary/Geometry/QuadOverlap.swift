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
        corners.indices.allSatisfy { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let c = corners[(index + 2) % corners.count]
            return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) >= 0
        }
    }

    private static func signedArea(_ corners: [Point]) -> Double {
        corners.indices.reduce(0) { sum, index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return sum + (a.x * b.y - b.x * a.y) / 2
        }
    }

    /// What of it lies within another one (Sutherland and Hodgman, Reentrant polygon clipping, 1974).
    func clipped(by other: Polygon) -> Polygon {
        var rest = corners
        for (index, start) in other.corners.enumerated() {
            let end = other.corners[(index + 1) % other.corners.count]
            func side(_ point: Point) -> Double {
                (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
            }
            let all = rest
            rest = []
            for (index, point) in all.enumerated() {
                let next = all[(index + 1) % all.count]
                let (here, there) = (side(point), side(next))
                if here >= 0 { rest.append(point) }
                if here < 0 && there > 0 || here > 0 && there < 0 {
                    let part = here / (here - there)
                    rest.append(
                        Point(x: point.x + part * (next.x - point.x), y: point.y + part * (next.y - point.y)))
                }
            }
            if rest.isEmpty { break }
        }
        var clipped = self
        clipped.corners = rest
        return clipped
    }
}
