/// What the light of modules says: -1 surely dark, 1 surely light, 0 nothing.
struct ModuleValues {
    let values: [Float]

    /// Modules on each side that tell what ink and paper look like here: many in noise, few where light changes from module to module, as in glare.
    static let reaches = [3, 2, 1]
    /// Where ink and paper are no farther apart than this part of what they are elsewhere, a module says little.
    private static let leastContrast: Float = 0.25

    /// - Parameters:
    ///   - lights: of each module, 0 to 255, row by row; not a number: it isn't in the picture.
    ///   - reach: one of `reaches`.
    init(_ lights: [Float], columns: Int, reach: Int) {
        let rows = lights.count / max(1, columns)
        let sorted = lights.filter { !$0.isNaN }.sorted()
        let whole =
            sorted.isEmpty ? 10 : max(10, sorted[sorted.count * 19 / 20] - sorted[sorted.count / 20])
        var values: [Float] = []
        values.reserveCapacity(lights.count)
        for row in 0..<rows {
            for column in 0..<columns {
                let light = lights[row * columns + column]
                guard !light.isNaN else {
                    values.append(0)
                    continue
                }
                var near: [Float] = []
                for y in max(0, row - reach)...min(rows - 1, row + reach) {
                    for x in max(0, column - reach)...min(columns - 1, column + reach) {
                        if !lights[y * columns + x].isNaN { near.append(lights[y * columns + x]) }
                    }
                }
                near.sort()
                let (ink, paper) = (near[near.count / 10], near[near.count * 9 / 10])
                let contrast = paper - ink
                let value = 2 * (light - (ink + paper) / 2) / max(contrast, Self.leastContrast * whole)
                values.append(max(-1, min(1, value)))
            }
        }
        self.values = values
    }

    /// How well a pattern is seen: 1 as drawn, 0 by chance, -1 inverted.
    func visibility(of pattern: FollowPlan.Pattern) -> Float {
        let sum = pattern.modules.reduce(Float(0)) { $0 + ($1.isDark ? -values[$1.index] : values[$1.index]) }
        return sum / Float(max(1, pattern.modules.count))
    }

    /// What isn't a number says nothing.
    static func bounded(_ values: [Float]) -> [Float] { values.map { $0.isNaN ? 0 : min(max($0, -1), 1) } }
}
