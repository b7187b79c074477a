import Vocabulary

/// Places that may each be a Data Matrix: dark patches with paper around them.
struct OutlineSearch {
    /// One for each place, the largest first.
    private(set) var groups: [OutlineGroup] = []

    /// Copies of half the size, and a quarter: what is light between a patch's dark pixels is known in pixels, not in modules.
    private static let levels = 3
    private static let shortestSide = 16
    /// Pixels that may be light within a patch.
    private static let gaps = [3, 1]

    init(_ samples: LumaSamples) {
        samples.forEachHalving(levels: Self.levels, shortestSide: Self.shortestSide) { look($0, scale: Float($1)) }
        groups.sort { $0.area > $1.area }
    }

    /// - Parameter scale: pixels of the picture to one of this copy of it.
    private mutating func look(_ samples: LumaSamples, scale: Float) {
        for gap in Self.gaps {
            for hull in DarkPatches(samples, gap: gap).hulls {
                guard let corners = ConvexHull.quad(around: hull)?.map({ $0 * scale }) else { continue }
                if let same = groups.firstIndex(where: { $0.isPlace(of: corners) }) {
                    groups[same].add(corners)
                } else {
                    groups.append(OutlineGroup(corners))
                }
            }
        }
    }
}

/// Outlines of one place: where a patch's dark pixels are joined over wider gaps, more belongs to it.
struct OutlineGroup {
    /// Of each outline the four corners, clockwise as seen in the picture; in pixels.
    private(set) var corners: [[Place]]

    /// How near a corner of the same outline is, as a part of its circumference.
    private static let nearness: Float = 0.005

    fileprivate init(_ corners: [Place]) { self.corners = [corners] }

    fileprivate mutating func add(_ other: [Place]) {
        let near = Self.nearness * Self.circumference(other)
        let isKnown = corners.contains { known in
            (0..<4).contains { turn in (0..<4).allSatisfy { (known[$0] - other[($0 + turn) % 4]).length <= near } }
        }
        if !isKnown { corners.append(other) }
    }

    /// Whether the middle of each is within the other.
    fileprivate func isPlace(of other: [Place]) -> Bool {
        corners.contains { known in
            Self.quad(known).contains(Self.middle(other)) && Self.quad(other).contains(Self.middle(known))
        }
    }

    /// Whether the middle of an outline is somewhere, in pixels.
    func isWithin(where isThere: (Point) -> Bool) -> Bool { corners.contains { isThere(Self.middle($0)) } }

    /// Of the largest, in pixels.
    var area: Float { corners.map { abs(($0[2] - $0[0]).cross($0[3] - $0[1])) / 2 }.max() ?? 0 }

    private static func circumference(_ corners: [Place]) -> Float {
        (0..<4).reduce(0) { $0 + (corners[($1 + 1) % 4] - corners[$1]).length }
    }

    private static func middle(_ corners: [Place]) -> Point { (corners.reduce(.zero, +) / 4).point(times: 1) }

    private static func quad(_ corners: [Place]) -> Quad {
        let points = corners.map { $0.point(times: 1) }
        return Quad(points[0], points[1], points[2], points[3])
    }
}
