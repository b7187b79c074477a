import Vocabulary

/// Paints known codes over, so that a decoder finds others.
struct CodeCover {
    let plane: LumaPlane

    /// How far to paint beyond a code's corners, so that no sliver of its bars is left: as a fraction of its height…
    private static let margin = 0.06
    /// …and in pixels.
    private static let edge = 2.0

    /// A copy in which each quad (convex, in the plane's pixels) has the colour of its ground, taken from its lighter pixels, so that no edge
    /// is left that looks like a bar.
    func covering(_ quads: [Quad]) -> LumaPlane {
        let (width, height) = (plane.width, plane.height)
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height { (out + y * width).update(from: plane.row(y), count: width) }
            for quad in quads {
                let quad = quad.widened(fraction: Self.margin, pixels: Self.edge)
                let spans = spans(of: quad)
                let level = ground(under: spans)
                for (y, columns) in spans {
                    (out + y * width + columns.lowerBound).update(repeating: level, count: columns.count)
                }
            }
        }
    }

    /// The ninth decile of the pixels.
    private func ground(under spans: [(y: Int, columns: Range<Int>)]) -> UInt8 {
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        for (y, columns) in spans {
            let line = plane.row(y)
            for x in columns { counts[Int(line[x])] += 1 }
            total += columns.count
        }
        var seen = 0
        for (level, count) in counts.enumerated() {
            seen += count
            if seen * 10 >= total * 9 { return UInt8(level) }
        }
        return 255
    }

    /// For each row, the columns that lie within a quad.
    private func spans(of quad: Quad) -> [(y: Int, columns: Range<Int>)] {
        let bounds = quad.bounds
        let (top, bottom) = (max(0, Int(bounds.y.rounded(.down))), min(plane.height, Int(bounds.bottom.rounded(.up))))
        guard top < bottom else { return [] }
        let corners = quad.points
        return (top..<bottom).compactMap { row in
            let y = Double(row) + 0.5
            var (left, right) = (Double.infinity, -Double.infinity)
            for (index, a) in corners.enumerated() {
                let b = corners[(index + 1) % 4]
                guard min(a.y, b.y) <= y, max(a.y, b.y) >= y, a.y != b.y else { continue }
                let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
                left = min(left, x)
                right = max(right, x)
            }
            guard left < right else { return nil }
            let (first, end) = (max(0, Int(left.rounded(.down))), min(plane.width, Int(right.rounded(.up))))
            // The margin around a tilted code may have rows beyond the picture's side.
            return first < end ? (row, first..<end) : nil
        }
    }
}

extension Quad {
    /// Moves each corner away from its two neighbours.
    fileprivate func widened(fraction: Double, pixels: Double) -> Quad {
        func away(_ corner: Point, _ beside: Point, _ opposite: Point) -> Point {
            let across = corner.distance(to: opposite)
            let along = corner.distance(to: beside)
            let up = across > 0 ? (fraction * across + pixels) / across : 0
            let out = along > 0 ? pixels / along : 0
            return Point(
                x: corner.x + (corner.x - opposite.x) * up + (corner.x - beside.x) * out,
                y: corner.y + (corner.y - opposite.y) * up + (corner.y - beside.y) * out)
        }
        return Quad(
            away(topLeft, topRight, bottomLeft), away(topRight, topLeft, bottomRight),
            away(bottomRight, bottomLeft, topRight), away(bottomLeft, bottomRight, topLeft))
    }
}
