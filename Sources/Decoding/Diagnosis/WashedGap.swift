import Glibc
import Vocabulary

/// Bars that a reflection cuts in two: the locator finds one region on each side of it.
extension [LocatedRegion] {
    /// Parts with a washed-out gap in between become one region, in the place of the better one.
    func joinedOverGlare(in plane: LumaPlane) -> [LocatedRegion] {
        var joined: [LocatedRegion] = []
        for region in self {
            let partner = joined.firstIndex { region.kind == .bars && $0.isCut(from: region, in: plane) }
            if let partner {
                joined[partner] = joined[partner].spanning(region)
            } else {
                joined.append(region)
            }
        }
        return joined
    }
}

extension LocatedRegion {
    /// How far parts may be off each other: in radians, in heights, and the widest gap in lengths of the longer part.
    private static let cut = (turn: 0.12, side: 0.35, gap: 1.2)
    /// The part of the gap that is saturated.
    private static let washed = 0.35

    fileprivate func isCut(from other: LocatedRegion, in plane: LumaPlane) -> Bool {
        guard kind == .bars, abs(Self.folded(direction - other.direction)) < Self.cut.turn else { return false }
        let (u, v) = place(of: other)
        let gap = abs(u) - (length + other.length) / 2
        guard abs(v) < Self.cut.side * max(height, other.height), gap > 0,
            gap < Self.cut.gap * max(length, other.length)
        else {
            return false
        }
        let (c, s) = (cos(direction), sin(direction))
        let sign = u < 0 ? -1.0 : 1.0
        var samples: [Int16] = []
        for part in [-0.25, 0, 0.25] {
            let (along, across) = (sign * length / 2, part * height)
            let count = 64
            let step = sign * gap / Double(count)
            samples += plane.line(
                x: Float(centre.x + c * along - s * across), y: Float(centre.y + s * along + c * across),
                stepX: Float(c * step), stepY: Float(s * step), count: count)
        }
        return LightFigures(samples).saturated >= Self.washed
    }

    fileprivate func spanning(_ other: LocatedRegion) -> LocatedRegion {
        let (u, v) = place(of: other)
        let (left, right) = (min(-length, 2 * u - other.length) / 2, max(length, 2 * u + other.length) / 2)
        var whole = self
        let (middle, level) = ((left + right) / 2, v / 2)
        whole.centre = Point(
            x: centre.x + cos(direction) * middle - sin(direction) * level,
            y: centre.y + sin(direction) * middle + cos(direction) * level)
        whole.length = right - left
        whole.height = max(height, other.height)
        return whole
    }
}
