/// Where the modules of a bent code lie: as in a flat code seen at an angle, and beside that as edges between modules show. It is followed from where the code
/// is known outwards, a few modules at a time, so that no edge is taken for that of a neighbour.
struct BentGrid {
    let plan: FollowPlan
    private let flat: Homography
    private let anchors: Anchors
    private var across: BentField
    private var down: BentField

    /// Modules whose place is known from the beginning: how far they are off, as a flat code would have them.
    struct Anchors {
        var across: [BentField.Sighting] = []
        var down: [BentField.Sighting] = []
    }

    /// What bending costs, beside one edge that is off by a module: folds, and smooth bends, where what was seen of edges counts for more.
    static let stiffnesses: [Float] = [0.1, 1]

    /// Modules between two nodes.
    private static let spacing: Float = 4
    /// Modules that were looked at so far, each once a step.
    private(set) var work = 0
    private static let reachStep: Float = 0.7
    /// How far behind the farthest modules edges are looked at again, as their neighbours tell more.
    private static let band: Float = 3
    /// Of conjugate gradients, from where modules were before.
    private static let steps = 20
    private static let lastSteps = 40
    /// Rounds of looking at edges once all of the code is known.
    private static let lastRounds = 4

    init(_ flat: Homography, _ anchors: Anchors, plan: FollowPlan, stiffness: Float) {
        (self.flat, self.anchors, self.plan) = (flat, anchors, plan)
        across = BentField(size: plan.size, spacing: Self.spacing, stiffness: stiffness)
        down = across
        across.fit(anchors.across, steps: Self.lastSteps)
        down.fit(anchors.down, steps: Self.lastSteps)
    }

    /// The place of a point of the code in the picture.
    func place(_ modules: Place) -> Place { flat(modules + bend(at: modules)) }

    /// How far off a module is from where a flat code would have it, in modules.
    func bend(at modules: Place) -> Place { Place(across(modules), down(modules)) }

    /// Follows the modules through the whole code.
    /// - Returns: `false` where the code's patterns show something else: another number of modules, or no code.
    mutating func follow(_ samples: LumaSamples) -> Bool {
        let whole = plan.farthest
        var seen = SeenModules(plan)
        var reach = plan.firstReach
        while reach < whole {
            guard step(samples, &seen, from: reach - Self.band, to: reach, steps: Self.steps) else { return false }
            reach += Self.reachStep
        }
        for _ in 0...Self.lastRounds {
            guard step(samples, &seen, from: 0, to: whole, steps: Self.lastSteps) else { return false }
        }
        return true
    }

    /// Moves modules to where edges are, as far as they are known.
    /// - Parameters:
    ///   - seen: what earlier steps saw.
    ///   - reach: from where the code is known, in modules. What is nearer than `before` isn't looked at again.
    private mutating func step(
        _ samples: LumaSamples, _ seen: inout SeenModules, from before: Float, to reach: Float, steps: Int
    ) -> Bool {
        work += plan.count
        seen.look(samples, from: before, to: reach) { place($0) }
        let part = reach / plan.farthest
        for pattern in plan.patterns {
            let least = pattern.least.first + part * (pattern.least.last - pattern.least.first)
            if let visibility = seen.visibility(of: pattern), visibility < least { return false }
        }
        seen.findEdges(samples, from: before, to: reach, across: across, down: down)
        across.fit(anchors.across + seen.acrossEdges, steps: steps)
        down.fit(anchors.down + seen.downEdges, steps: steps)
        return true
    }

    /// How light each module is in its middle: the mean of nine places; not a number where the picture has ended.
    func lights(_ samples: LumaSamples) -> [Float] {
        var lights: [Float] = []
        lights.reserveCapacity(plan.count)
        for row in 0..<plan.rows {
            for column in 0..<plan.columns {
                guard samples.holds(place(Place(Float(column) + 0.5, Float(row) + 0.5))) else {
                    lights.append(.nan)
                    continue
                }
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

    /// What `decode` makes of how surely each module is light or dark: the first thing that it makes something of, as fewer and fewer modules tell what ink and
    /// paper look like. It isn't asked where the code's patterns aren't seen.
    func restored<Symbol>(_ samples: LumaSamples, by decode: ([Float]) -> Symbol?) -> Symbol? {
        let lights = lights(samples)
        for reach in ModuleValues.reaches {
            let values = ModuleValues(lights, columns: plan.columns, reach: reach)
            guard plan.patterns.allSatisfy({ values.visibility(of: $0) >= $0.least.last }) else { continue }
            if let symbol = decode(values.values) { return symbol }
        }
        return nil
    }
}
