/// The borders of a Data Matrix as they are seen along an outline: how far they are bent inwards, and whether they are those of a size.
struct SeenBorders {
    /// As it was asked for.
    let isBent: Bool
    /// Above, right, below, left; from left to right and from top to bottom.
    let depths: [[Depth]]
    /// Of the upper and the right border: where one module ends and the next begins, in modules from the left and from above, as a flat code would have them.
    /// Empty where they aren't as many as the size has, and no element at all for a flat code.
    let timing: [[Float]]
    /// How dark the left and the lower border are, -1 to 1.
    let solid: Float
    /// How little the other two are like a code's of this size: by how many the changes from dark to light along them differ, bent or not; or, if that is
    /// less, three times what their light lacks of a flat code's rhythm, however faint it is.
    let misfit: Float

    /// How far inside of a flat code's edge a border begins at a place along it; in modules.
    struct Depth {
        let along: Float
        let inwards: Float
    }

    /// How dark two borders are that may be a code's.
    private static let leastSolid: Float = 0.2
    private static let mostMisfit: Float = 3
    /// The least change of light between two modules of a border, of what lies between ink and paper.
    private static let leastChange: Float = 0.1
    /// On each side of a place, in modules: dark modules with a light one between them are one border.
    private static let window: Float = 1.25

    /// - Parameters:
    ///   - turn: quarters by which the code is turned clockwise beside the outline's corners.
    ///   - isBent: Borders are where dark begins, not where the outline is; then stains and modules that are gone look like bends.
    /// - Returns: `nil` if these aren't its borders.
    init?(_ scan: OutlineScan, turn: Int, layout: DataMatrixLayout, isBent: Bool) {
        let counts = [layout.columns, layout.rows, layout.columns, layout.rows]
        let across = [layout.rows, layout.columns, layout.rows, layout.columns]
        func side(_ index: Int) -> Int { (index + turn) % 4 }
        var depths = [[Float]](repeating: [Float](repeating: 0, count: scan.count), count: 4)
        func follow(_ sides: Range<Int>) {
            for index in sides where isBent {
                let window = max(1, Int((Self.window * Float(scan.count) / Float(counts[index])).rounded()))
                let seen = scan.depths[side(index)]
                // The upper border ends at the light corner, and the right one begins there.
                switch index {
                case 0: depths[0] = Self.opened(seen, window, hasLightEnd: true)
                case 1: depths[1] = Self.opened(seen.reversed(), window, hasLightEnd: true).reversed()
                default: depths[index] = Self.opened(seen, window, hasLightEnd: false)
                }
            }
        }
        func lights(_ index: Int) -> [Float] {
            scan.lights(side(index), depths: depths[index], inwards: 0.5 / Float(across[index]))
        }
        follow(2..<4)
        var solid: Float = 0
        for index in 2..<4 {
            for light in lights(index) {
                solid += max(-1, min(1, 2 * (scan.threshold - light) / scan.contrast)) / Float(2 * scan.count)
            }
        }
        guard solid >= Self.leastSolid else { return nil }
        (self.solid, self.isBent) = (solid, isBent)
        follow(0..<2)
        var timing: [[Float]] = []
        var (miscount, rhythm): (Int, Float) = (0, 0)
        for index in 0..<2 {
            // From its dark end.
            let lights = index == 1 ? lights(1).reversed() : lights(0)
            let modules = Float(counts[index])
            let differences = Self.differences(lights, modules: modules)
            rhythm += Self.rhythm(differences, modules: modules) / 2
            let changes = Self.changes(differences, modules: modules, least: Self.leastChange * scan.contrast)
            let off = (changes.count + 1) / 2 - counts[index] / 2
            miscount += abs(off)
            let places = off == 0 ? Array(changes.prefix(counts[index] - 1)) : []
            timing.append(index == 1 ? places.reversed().map { modules - $0 } : places)
        }
        misfit = min(Float(miscount), Self.mostMisfit * (1 - rhythm))
        guard misfit < Self.mostMisfit else { return nil }
        self.timing = isBent ? timing : []
        // Clockwise, the lower one goes from right to left, and the left one upwards.
        depths[2].reverse()
        depths[3].reverse()
        self.depths = depths.enumerated().map { index, depths in
            (0..<counts[index]).map { module in
                let place = (Float(module) + 0.5) / Float(counts[index])
                let depth = depths[min(depths.count - 1, Int(place * Float(depths.count)))]
                return Depth(along: Float(module) + 0.5, inwards: depth * Float(across[index]))
            }
        }
    }

    /// What is light between two dark modules is filled, and slopes are left as they are: an opening of depths, and then a mean.
    private static func opened(_ depths: [Float], _ window: Int, hasLightEnd: Bool) -> [Float] {
        var depths = depths
        let count = depths.count
        if hasLightEnd, count > 6 * window {
            // Its last module is light: it goes on as it was.
            let known = count - window
            func edge(_ end: Int) -> Float { depths[(end - 2 * window)..<end].min() ?? 0 }
            let (last, slope) = (edge(known), (edge(known) - edge(known - 2 * window)) / Float(2 * window))
            for place in known..<count { depths[place] = last + slope * Float(place - known + window) }
        }
        let opened = Self.extremes(Self.extremes(depths, window, by: min), window, by: max)
        return Self.means(opened, window)
    }

    /// How much lighter each place along a border is than what is around it.
    private static func differences(_ lights: [Float], modules: Float) -> [Float] {
        let reach = max(1, Int((2 * Float(lights.count) / modules).rounded()))
        return zip(lights, means(lights, reach)).map { $0 - $1 }
    }

    /// Of each place and those up to `reach` beside it, the least or the largest.
    private static func extremes(_ values: [Float], _ reach: Int, by choice: (Float, Float) -> Float) -> [Float] {
        guard let first = values.first, let last = values.last else { return [] }
        // Going on with the first and the last value changes no window: each that reaches beyond has them.
        let edge = (first: [Float](repeating: first, count: reach), last: [Float](repeating: last, count: reach))
        var spans = edge.first + values + edge.last
        // Over 1, 2, 4… places from each on: two such spans that overlap make a window.
        let width = 2 * reach + 1
        var span = 1
        while 2 * span <= width {
            for index in 0..<(spans.count - span) { spans[index] = choice(spans[index], spans[index + span]) }
            span *= 2
        }
        return values.indices.map { choice(spans[$0], spans[$0 + width - span]) }
    }

    /// Of each place and those up to `reach` beside it.
    private static func means(_ values: [Float], _ reach: Int) -> [Float] {
        var sums: [Float] = [0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append(sums[sums.count - 1] + value) }
        return values.indices.map { index in
            let (first, end) = (max(0, index - reach), min(values.count, index + reach + 1))
            return (sums[end] - sums[first]) / Float(end - first)
        }
    }

    /// How well it goes with modules that are dark and light by turns, from -1 to 1.
    private static func rhythm(_ differences: [Float], modules: Float) -> Float {
        var (sum, square, expected): (Float, Float, Float) = (0, 0, 0)
        for (index, difference) in differences.enumerated() {
            let module = (Float(index) + 0.5) / Float(differences.count) * modules
            // A triangle: dark in the middle of the first module.
            let place = (module + 0.5).truncatingRemainder(dividingBy: 2)
            let light = place < 1 ? 1 - 2 * place : 2 * place - 3
            sum += light * difference
            square += difference * difference
            expected += light * light
        }
        return square > 0 ? sum / (square * expected).squareRoot() : 0
    }

    /// Where dark becomes light along a border, and light dark, in modules from its dark beginning: a change from what is around each place, and back,
    /// by `least`.
    private static func changes(_ differences: [Float], modules: Float, least: Float) -> [Float] {
        let aModule = Float(differences.count) / modules
        var isDark: Bool?
        var changes: [Float] = []
        var crossing: Float = 0
        for (index, difference) in differences.enumerated() {
            if index > 0, (difference > 0) != (differences[index - 1] > 0) {
                let last = differences[index - 1]
                crossing = (Float(index) - 0.5 + last / (last - difference)) / aModule
            }
            guard abs(difference) > least, isDark != (difference < 0) else { continue }
            if isDark != nil { changes.append(crossing) } else if difference > 0 { continue }
            isDark = difference < 0
        }
        return changes
    }
}
