/// Where the modules of a bent code lie: as in a flat code seen at an angle, and beside that as edges between modules show. It is followed from the finder
/// patterns outwards, a few modules at a time, so that no edge is taken for that of a neighbour.
struct BentGrid {
    let side: Int
    private let flat: Homography
    private var across: BentField
    private var down: BentField

    /// What bending costs, beside one edge that is off by a module: folds, and smooth bends, where what was seen of edges counts for more.
    static let stiffnesses: [Float] = [0.1, 1]

    /// Modules between two nodes.
    private static let spacing: Float = 4
    private let stiffness: Float
    /// Where the finder patterns are.
    private var anchors: (across: [BentField.Sighting], down: [BentField.Sighting]) = ([], [])
    private static let anchorWeight: Float = 2
    /// From the centre of a finder pattern, in modules: as far as a code is flat enough.
    private static let firstReach: Float = 5
    private static let reachStep: Float = 1
    /// Of conjugate gradients, from where modules were before.
    private static let steps = 20
    private static let lastSteps = 40
    /// In levels.
    private static let leastContrast: Float = 10
    /// How many modules of the timing patterns must be known before they tell anything, and how well they must be seen then.
    private static let leastTimed: Float = 8
    private static let leastTiming: Float = 0.1
    /// Rounds of looking at edges once all of the code is known.
    private static let lastRounds = 4
    /// The least difference between two modules that is an edge, as a part of what lies between ink and paper.
    private static let leastStep: Float = 0.4
    private static let edgeSamples = 12

    init(_ flat: Homography, _ triple: FinderTriple, side: Int, stiffness: Float) {
        (self.flat, self.side) = (flat, side)
        self.stiffness = stiffness
        across = BentField(side: side, spacing: Self.spacing)
        down = across
        let far = Float(side) - 3.5
        for (frame, middle) in [
            (triple.corner, Place(3.5, 3.5)), (triple.right, Place(far, 3.5)), (triple.below, Place(3.5, far)),
        ] {
            for x: Float in [-3, -1, 1, 3] {
                for y: Float in [-3, -1, 1, 3] {
                    let modules = middle + Place(x, y)
                    let off = flat.modules(at: frame.place(Place(x, y))) - modules
                    anchors.across.append(.init(place: modules, value: off.x, weight: Self.anchorWeight))
                    anchors.down.append(.init(place: modules, value: off.y, weight: Self.anchorWeight))
                }
            }
        }
        across.fit(anchors.across, stiffness: stiffness, steps: Self.lastSteps)
        down.fit(anchors.down, stiffness: stiffness, steps: Self.lastSteps)
    }

    /// The place of a point of the code in the picture.
    func place(_ modules: Place) -> Place { flat(modules + Place(across(modules), down(modules))) }

    /// Follows the modules through the whole code.
    /// - Returns: `false` where the timing patterns show something else: another number of modules, or no code.
    mutating func follow(_ samples: LumaSamples) -> Bool {
        // The module that is farthest from every pattern is opposite the corner's.
        let whole = Float(side) - 7
        var reach = Self.firstReach
        while reach < whole {
            guard step(samples, reach: reach, steps: Self.steps) else { return false }
            reach += Self.reachStep
        }
        for _ in 0...Self.lastRounds {
            guard step(samples, reach: whole, steps: Self.lastSteps) else { return false }
        }
        return true
    }

    /// Modules no farther than `reach` from a finder pattern's middle.
    private func isKnown(_ index: Int, reach: Float) -> Bool {
        let (x, y) = (Float(index % side) + 0.5, Float(index / side) + 0.5)
        let far = Float(side) - 3.5
        let (left, top) = (abs(x - 3.5), abs(y - 3.5))
        return max(left, top) <= reach || max(abs(x - far), top) <= reach || max(left, abs(y - far)) <= reach
    }

    /// What modules look like with what is known of their places.
    private struct Sight {
        var places: [Place]
        var lights: [Float]
        var isKnown: [Bool]
        var mean: Float = 0
        /// Between ink and paper, about.
        var contrast: Float = 0
    }

    private func sight(_ samples: LumaSamples, reach: Float) -> Sight {
        var sight = Sight(
            places: [Place](repeating: .zero, count: side * side), lights: [Float](repeating: 0, count: side * side),
            isKnown: (0..<side * side).map { isKnown($0, reach: reach) })
        var (sum, count): (Float, Float) = (0, 0)
        for index in 0..<side * side where sight.isKnown[index] {
            let place = place(Place(Float(index % side) + 0.5, Float(index / side) + 0.5))
            let light = samples.light(at: place)
            sight.places[index] = place
            sight.lights[index] = light
            sum += light
            count += 1
        }
        sight.mean = sum / max(1, count)
        var deviation: Float = 0
        for index in 0..<side * side where sight.isKnown[index] { deviation += abs(sight.lights[index] - sight.mean) }
        // Half of the modules are dark.
        sight.contrast = max(Self.leastContrast, 2 * deviation / max(1, count))
        return sight
    }

    /// How well what is known of the timing patterns is seen: 1 as drawn, 0 by chance; `nil`: too little is known.
    private func timing(_ sight: Sight) -> Float? {
        let row = 6
        var (sum, count): (Float, Float) = (0, 0)
        for place in 8..<(side - 8) {
            let sign: Float = place % 2 == 0 ? -1 : 1
            for index in [row * side + place, place * side + row] where sight.isKnown[index] {
                sum += sign * min(1, max(-1, 2 * (sight.lights[index] - sight.mean) / sight.contrast))
                count += 1
            }
        }
        return count >= Self.leastTimed ? sum / count : nil
    }

    /// Moves modules to where edges are, wherever they are known.
    private mutating func step(_ samples: LumaSamples, reach: Float, steps: Int) -> Bool {
        let sight = sight(samples, reach: reach)
        if let timing = timing(sight), timing < Self.leastTiming { return false }
        var acrossSeen = anchors.across
        var downSeen = anchors.down
        func offset(_ first: Int, _ second: Int) -> (offset: Float, weight: Float)? {
            guard sight.isKnown[first], sight.isKnown[second] else { return nil }
            let (one, other) = (sight.lights[first], sight.lights[second])
            let difference = abs(other - one)
            guard difference >= Self.leastStep * sight.contrast,
                let offset = Self.edge(samples, sight.places[first], sight.places[second], one, other)
            else { return nil }
            return (offset, min(1, difference / sight.contrast))
        }
        for row in 0..<side {
            for column in 0..<side {
                let index = row * side + column
                if column < side - 1, let seen = offset(index, index + 1) {
                    let modules = Place(Float(column) + 1, Float(row) + 0.5)
                    acrossSeen.append(.init(place: modules, value: across(modules) + seen.offset, weight: seen.weight))
                }
                if row < side - 1, let seen = offset(index, index + side) {
                    let modules = Place(Float(column) + 0.5, Float(row) + 1)
                    downSeen.append(.init(place: modules, value: down(modules) + seen.offset, weight: seen.weight))
                }
            }
        }
        across.fit(acrossSeen, stiffness: stiffness, steps: steps)
        down.fit(downSeen, stiffness: stiffness, steps: steps)
        return true
    }

    /// How far the edge between two modules is from the middle between their centres, in modules; `nil`: there are several.
    private static func edge(
        _ samples: LumaSamples, _ first: Place, _ second: Place, _ firstLight: Float, _ secondLight: Float
    ) -> Float? {
        let threshold = (firstLight + secondLight) / 2
        let rises = secondLight > firstLight
        var last = firstLight
        var found: Float?
        for index in 1...edgeSamples {
            let part = Float(index) / Float(edgeSamples)
            let light = index == edgeSamples ? secondLight : samples.light(at: first + (second - first) * part)
            if (light > threshold) != (last > threshold) {
                if (light > threshold) == rises {
                    guard found == nil else { return nil }
                    found = (Float(index - 1) + (threshold - last) / (light - last)) / Float(edgeSamples)
                } else {
                    return nil
                }
            }
            last = light
        }
        return found.map { $0 - 0.5 }
    }

    /// How light each module is in its middle: the mean of nine places.
    func lights(_ samples: LumaSamples) -> [Float] {
        var lights: [Float] = []
        lights.reserveCapacity(side * side)
        for row in 0..<side {
            for column in 0..<side {
                var sum: Float = 0
                for dy: Float in [-0.2, 0, 0.2] {
                    for dx: Float in [-0.2, 0, 0.2] {
                        sum += samples.light(at: place(Place(Float(column) + 0.5 + dx, Float(row) + 0.5 + dy)))
                    }
                }
                lights.append(sum / 9)
            }
        }
        return lights
    }
}
