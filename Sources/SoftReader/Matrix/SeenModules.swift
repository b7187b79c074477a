/// What was seen of a code's modules and of the edges between them, while it is followed.
struct SeenModules {
    private let plan: FollowPlan
    private var places: [Place]
    private var lights: [Float]
    private var isKnown: [Bool]
    private var mean: Float = 0
    /// Between ink and paper, about.
    private var contrast = leastContrast
    /// Of each module, the edge to the next one in its row, and in its column.
    private var acrossSeen: [BentField.Sighting?]
    private var downSeen: [BentField.Sighting?]

    var acrossEdges: [BentField.Sighting] { acrossSeen.compactMap { $0 } }
    var downEdges: [BentField.Sighting] { downSeen.compactMap { $0 } }

    /// In levels.
    private static let leastContrast: Float = 10
    /// How many modules of a pattern must be known before they tell anything.
    private static let leastOfPattern: Float = 8
    /// The least difference between two modules that is an edge, as a part of what lies between ink and paper.
    private static let leastStep: Float = 0.4
    private static let edgeSamples = 12

    init(_ plan: FollowPlan) {
        self.plan = plan
        let count = plan.count
        places = [Place](repeating: .zero, count: count)
        lights = [Float](repeating: 0, count: count)
        isKnown = [Bool](repeating: false, count: count)
        acrossSeen = [BentField.Sighting?](repeating: nil, count: count)
        downSeen = acrossSeen
    }

    /// Looks at the modules from one distance to another.
    mutating func look(_ samples: LumaSamples, from before: Float, to reach: Float, at place: (Place) -> Place) {
        for index in plan.distances.indices where isBetween(before, reach, index) {
            let place = place(plan.middle(index))
            places[index] = place
            lights[index] = samples.light(at: place)
            isKnown[index] = true
        }
        var (sum, count, deviation): (Float, Float, Float) = (0, 0, 0)
        for index in lights.indices where isKnown[index] {
            sum += lights[index]
            count += 1
        }
        mean = sum / max(1, count)
        for index in lights.indices where isKnown[index] { deviation += abs(lights[index] - mean) }
        // Half of the modules are dark.
        contrast = max(Self.leastContrast, 2 * deviation / max(1, count))
    }

    private func isBetween(_ before: Float, _ reach: Float, _ index: Int) -> Bool {
        plan.distances[index] <= reach && plan.distances[index] >= before
    }

    /// How well what is known of a pattern is seen: 1 as drawn, 0 by chance; `nil`: too little is known.
    func visibility(of pattern: FollowPlan.Pattern) -> Float? {
        var (sum, count): (Float, Float) = (0, 0)
        for module in pattern.modules where isKnown[module.index] {
            let light = min(1, max(-1, 2 * (lights[module.index] - mean) / contrast))
            sum += module.isDark ? -light : light
            count += 1
        }
        return count >= Self.leastOfPattern ? sum / count : nil
    }

    /// Finds the edges between modules from one distance to another.
    /// - Parameter across: how far modules are off where they are taken to be now; `down` likewise.
    mutating func findEdges(
        _ samples: LumaSamples, from before: Float, to reach: Float, across: BentField, down: BentField
    ) {
        for index in plan.distances.indices where isBetween(before, reach, index) {
            let (column, row) = (index % plan.columns, index / plan.columns)
            if column < plan.columns - 1 {
                let modules = Place(Float(column) + 1, Float(row) + 0.5)
                acrossSeen[index] = edge(samples, index, index + 1, at: modules, in: across)
            }
            if row < plan.rows - 1 {
                let modules = Place(Float(column) + 0.5, Float(row) + 1)
                downSeen[index] = edge(samples, index, index + plan.columns, at: modules, in: down)
            }
        }
    }

    private func edge(
        _ samples: LumaSamples, _ first: Int, _ second: Int, at modules: Place, in field: BentField
    ) -> BentField.Sighting? {
        guard isKnown[second] else { return nil }
        let difference = abs(lights[second] - lights[first])
        guard difference >= Self.leastStep * contrast,
            let offset = Self.edge(samples, places[first], places[second], lights[first], lights[second])
        else { return nil }
        return .init(place: modules, value: field(modules) + offset, weight: min(1, difference / contrast))
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
}
