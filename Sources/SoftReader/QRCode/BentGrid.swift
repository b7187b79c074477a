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
    /// Modules that were looked at so far, each once a step.
    private(set) var work = 0
    /// Where the finder patterns are.
    private var anchors: (across: [BentField.Sighting], down: [BentField.Sighting]) = ([], [])
    private static let anchorWeight: Float = 2
    /// From the centre of a finder pattern, in modules: as far as a code is flat enough.
    private static let firstReach: Float = 5
    private static let reachStep: Float = 0.7
    /// How far behind the farthest modules edges are looked at again, as their neighbours tell more.
    private static let band: Float = 3
    /// Of conjugate gradients, from where modules were before.
    private static let steps = 20
    private static let lastSteps = 40
    /// How well timing patterns must be seen: at the finder patterns, and when the whole code is known. What was read had 0.55 and more.
    private static let leastTiming: Float = 0.1
    private static let leastWholeTiming: Float = 0.3
    /// Rounds of looking at edges once all of the code is known.
    private static let lastRounds = 4

    init(_ flat: Homography, _ triple: FinderTriple, side: Int, stiffness: Float) {
        (self.flat, self.side) = (flat, side)
        across = BentField(side: side, spacing: Self.spacing, stiffness: stiffness)
        down = across
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
        across.fit(anchors.across, steps: Self.lastSteps)
        down.fit(anchors.down, steps: Self.lastSteps)
    }

    /// The place of a point of the code in the picture.
    func place(_ modules: Place) -> Place { flat(modules + Place(across(modules), down(modules))) }

    /// Follows the modules through the whole code.
    /// - Returns: `false` where the timing patterns show something else: another number of modules, or no code.
    mutating func follow(_ samples: LumaSamples) -> Bool {
        // The module that is farthest from every pattern is opposite the corner's.
        let whole = Float(side) - 7
        var seen = SeenModules(side: side)
        var reach = Self.firstReach
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
    ///   - reach: from a finder pattern's middle, in modules. What is nearer than `before` isn't looked at again.
    private mutating func step(
        _ samples: LumaSamples, _ seen: inout SeenModules, from before: Float, to reach: Float, steps: Int
    ) -> Bool {
        work += side * side
        seen.look(samples, from: before, to: reach) { place($0) }
        let part = reach / (Float(side) - 7)
        let least = Self.leastTiming + part * (Self.leastWholeTiming - Self.leastTiming)
        if let timing = seen.timing, timing < least { return false }
        seen.findEdges(samples, from: before, to: reach, across: across, down: down)
        across.fit(anchors.across + seen.acrossEdges, steps: steps)
        down.fit(anchors.down + seen.downEdges, steps: steps)
        return true
    }

    /// How light each module is in its middle: the mean of nine places; not a number where the picture has ended.
    func lights(_ samples: LumaSamples) -> [Float] {
        var lights: [Float] = []
        lights.reserveCapacity(side * side)
        for row in 0..<side {
            for column in 0..<side {
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
}
