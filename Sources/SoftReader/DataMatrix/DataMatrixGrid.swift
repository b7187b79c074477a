extension BentGrid {
    /// Rounds of placing borders: how they are bent says which of their modules is where.
    private static let borderRounds = 3

    /// From a flat code's place, and how far its borders are bent inwards.
    init(_ flat: Homography, _ borders: SeenBorders, _ layout: DataMatrixLayout, stiffness: Float) {
        let plan = FollowPlan.dataMatrix(layout)
        self.init(flat, Anchors(), plan: plan, stiffness: stiffness)
        for _ in 0..<(borders.isBent ? Self.borderRounds : 1) {
            let anchors = borders.anchors(layout) { self.bend(at: $0) }
            self.init(flat, anchors, plan: plan, stiffness: stiffness)
        }
    }
}

extension SeenBorders {
    /// How much what is seen of borders counts, beside an edge between two modules.
    private static let weight: Float = 0.3
    /// Of looking for the module that lies at a place.
    private static let rounds = 4

    /// - Parameter bend: how far off a module is from where a flat code would have it.
    fileprivate func anchors(_ layout: DataMatrixLayout, bend: (Place) -> Place) -> BentGrid.Anchors {
        let (right, bottom) = (Float(layout.columns) + 1, Float(layout.rows) + 1)
        var anchors = BentGrid.Anchors()
        /// - Parameters:
        ///   - along: which coordinate goes along the border.
        ///   - place: of a module of the border, by where it lies along it.
        func sightings(
            _ depths: [Depth], sign: Float, end: Float, along: Int, place: (Float) -> Place
        ) -> [BentField.Sighting] {
            depths.compactMap { depth in
                var module = depth.along + 1
                for _ in 0..<Self.rounds { module = depth.along + 1 - bend(place(module))[along] }
                guard (1...end).contains(module) else { return nil }
                return .init(place: place(module), value: sign * depth.inwards, weight: Self.weight)
            }
        }
        anchors.down += sightings(depths[0], sign: 1, end: right, along: 0) { Place($0, 1) }
        anchors.across += sightings(depths[1], sign: -1, end: bottom, along: 1) { Place(right, $0) }
        anchors.down += sightings(depths[2], sign: -1, end: right, along: 0) { Place($0, bottom) }
        anchors.across += sightings(depths[3], sign: 1, end: bottom, along: 1) { Place(1, $0) }
        guard timing.count == 2 else { return anchors }
        for (index, along) in timing[0].enumerated() {
            let module = Float(index) + 1
            anchors.across.append(.init(place: Place(1 + module, 1.5), value: along - module, weight: Self.weight))
        }
        for (index, along) in timing[1].enumerated() {
            let module = Float(index) + 1
            anchors.down.append(
                .init(place: Place(right - 0.5, 1 + module), value: along - module, weight: Self.weight))
        }
        return anchors
    }
}

extension Homography {
    /// Where modules would be if a code was flat, with a ring of one module around it.
    /// - Parameter corners: upper left, upper right, lower right, lower left.
    init?(_ layout: DataMatrixLayout, corners: [Place]) {
        let (right, bottom) = (Float(layout.columns) + 1, Float(layout.rows) + 1)
        let modules = [Place(1, 1), Place(right, 1), Place(right, bottom), Place(1, bottom)]
        self.init(zip(modules, corners).map { ($0, $1) })
    }
}
