extension FollowPlan {
    /// From three finder patterns outwards.
    /// - Parameter side: of the code, in modules.
    static func qrCode(side: Int) -> FollowPlan {
        let far = Float(side) - 3.5
        let distances = (0..<(side * side)).map { index in
            let (x, y) = (Float(index % side) + 0.5, Float(index / side) + 0.5)
            let (left, top) = (abs(x - 3.5), abs(y - 3.5))
            return min(max(left, top), max(abs(x - far), top), max(left, abs(y - far)))
        }
        let row = 6
        let timing = (8..<(side - 8)).flatMap { place in
            [row * side + place, place * side + row].map { Pattern.Module(index: $0, isDark: place % 2 == 0) }
        }
        // What was read had 0.55 and more. The module that is farthest from every pattern is opposite the corner's.
        return FollowPlan(
            columns: side, rows: side, distances: distances, farthest: Float(side) - 7, firstReach: 5,
            patterns: [Pattern(modules: timing, least: (0.1, 0.3))])
    }
}

extension BentGrid {
    /// How much a finder pattern's corner counts.
    private static let anchorWeight: Float = 2

    init(_ flat: Homography, _ triple: FinderTriple, side: Int, stiffness: Float) {
        var anchors = Anchors()
        for (frame, middle) in triple.patterns(ofSide: side) {
            for x: Float in [-3, -1, 1, 3] {
                for y: Float in [-3, -1, 1, 3] {
                    let modules = middle + Place(x, y)
                    let off = flat.modules(at: frame.place(Place(x, y))) - modules
                    anchors.across.append(.init(place: modules, value: off.x, weight: Self.anchorWeight))
                    anchors.down.append(.init(place: modules, value: off.y, weight: Self.anchorWeight))
                }
            }
        }
        self.init(flat, anchors, plan: .qrCode(side: side), stiffness: stiffness)
    }
}
