/// What the light of modules says: -1 surely dark, 1 surely light, 0 nothing.
struct ModuleValues {
    let values: [Float]
    private let side: Int

    /// Modules on each side that tell what ink and paper look like here.
    private static let reach = 3

    /// - Parameter lights: of each module, 0 to 255, row by row.
    init(_ lights: [Float], side: Int) {
        let sorted = lights.sorted()
        let whole = max(10, sorted[sorted.count * 19 / 20] - sorted[sorted.count / 20])
        var values: [Float] = []
        values.reserveCapacity(lights.count)
        for row in 0..<side {
            for column in 0..<side {
                var near: [Float] = []
                for y in max(0, row - Self.reach)...min(side - 1, row + Self.reach) {
                    for x in max(0, column - Self.reach)...min(side - 1, column + Self.reach) {
                        near.append(lights[y * side + x])
                    }
                }
                near.sort()
                let (ink, paper) = (near[near.count / 10], near[near.count * 9 / 10])
                let contrast = paper - ink
                let value = 2 * (lights[row * side + column] - (ink + paper) / 2) / max(contrast, 0.25 * whole)
                values.append(max(-1, min(1, value)))
            }
        }
        self.values = values
        self.side = side
    }

    /// How well the two timing patterns are seen: 1 as drawn, 0 by chance, -1 inverted.
    var timing: Float {
        let row = 6
        let between = 8..<(side - 8)
        var sum: Float = 0
        for place in between {
            let sign: Float = place % 2 == 0 ? -1 : 1
            sum += sign * (values[row * side + place] + values[place * side + row])
        }
        return sum / Float(2 * between.count)
    }
}
