/// The smallest polygon without dents around places.
enum ConvexHull {
    /// Its corners, clockwise as seen in a picture, where y goes down (Andrew's monotone chain).
    static func corners(of places: [Place]) -> [Place] {
        let sorted = places.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        let (upper, lower) = (chain(sorted), chain(sorted.reversed()))
        return upper.dropLast() + lower.dropLast()
    }

    private static func chain(_ places: [Place]) -> [Place] {
        var chain: [Place] = []
        for place in places {
            while chain.count > 1,
                (chain[chain.count - 1] - chain[chain.count - 2]).cross(place - chain[chain.count - 1]) <= 0
            {
                chain.removeLast()
            }
            chain.append(place)
        }
        return chain
    }

    /// Four corners around a hull: its sides are left out one by one, each time the one that adds least area, and its neighbours are prolonged. `nil`: there is
    /// no such.
    static func quad(around hull: [Place]) -> [Place]? {
        var corners = hull
        while corners.count > 4 {
            var best: (side: Int, corner: Place, area: Float)?
            for side in corners.indices {
                let count = corners.count
                let (first, second) = (corners[side], corners[(side + 1) % count])
                let (before, after) = (
                    first - corners[(side + count - 1) % count], second - corners[(side + 2) % count]
                )
                let cross = before.cross(after)
                // They meet beyond the side.
                guard cross < 0 else { continue }
                let along = (second - first).cross(after) / cross
                guard along > 0 else { continue }
                let corner = first + before * along
                let area = abs((second - first).cross(corner - first)) / 2
                if area < best?.area ?? .infinity { best = (side, corner, area) }
            }
            guard let best else { return nil }
            let next = (best.side + 1) % corners.count
            corners[best.side] = best.corner
            corners.remove(at: next)
        }
        return corners.count == 4 ? corners : nil
    }
}
