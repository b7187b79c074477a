/// One coordinate of how far modules lie from where a flat code would have them: nodes a few modules apart, straight lines in between. It is as smooth as
/// what was seen allows, and goes on straight where nothing was seen.
struct BentField {
    let count: Int
    private let spacing: Float
    private var nodes: [Float]

    /// A distance seen at a place, in modules.
    struct Sighting {
        let place: Place
        let value: Float
        let weight: Float
    }

    /// - Parameter side: of the code, in modules.
    init(side: Int, spacing: Float) {
        count = max(3, Int((Float(side) / spacing).rounded(.up)) + 1)
        self.spacing = Float(side) / Float(count - 1)
        nodes = [Float](repeating: 0, count: count * count)
    }

    private func cell(_ place: Place) -> (first: Int, x: Float, y: Float) {
        let x = min(Float(count - 1), max(0, place.x / spacing))
        let y = min(Float(count - 1), max(0, place.y / spacing))
        let (column, row) = (min(Int(x), count - 2), min(Int(y), count - 2))
        return (row * count + column, x - Float(column), y - Float(row))
    }

    func callAsFunction(_ place: Place) -> Float {
        let (first, x, y) = cell(place)
        let top = nodes[first] * (1 - x) + nodes[first + 1] * x
        let bottom = nodes[first + count] * (1 - x) + nodes[first + count + 1] * x
        return top * (1 - y) + bottom * y
    }

    /// Least squares over sightings and second differences, by conjugate gradients from where it is.
    mutating func fit(_ sightings: [Sighting], stiffness: Float, steps: Int) {
        let (pull, right) = normalEquations(sightings)
        func applied(_ values: [Float]) -> [Float] {
            var result = multiplied(pull, values)
            addStiffness(values, stiffness, to: &result)
            return result
        }
        var residual = applied(nodes)
        for index in nodes.indices { residual[index] = right[index] - residual[index] }
        var direction = residual
        var square = residual.reduce(0) { $0 + $1 * $1 }
        for _ in 0..<steps where square > Self.leastSquare {
            let image = applied(direction)
            var along: Float = 0
            for index in nodes.indices { along += direction[index] * image[index] }
            guard along > 0 else { return }
            let step = square / along
            var next: Float = 0
            for index in nodes.indices {
                nodes[index] += step * direction[index]
                residual[index] -= step * image[index]
                next += residual[index] * residual[index]
            }
            for index in nodes.indices { direction[index] = residual[index] + next / square * direction[index] }
            square = next
        }
    }

    private static let leastSquare: Float = 1e-6
    /// A node and its eight neighbours.
    private static let neighbours = 9

    /// How sightings pull nodes together: for each node its own weight and those of its neighbours, and where to.
    private func normalEquations(_ sightings: [Sighting]) -> (pull: [Float], right: [Float]) {
        var pull = [Float](repeating: 0, count: nodes.count * Self.neighbours)
        var right = [Float](repeating: 0, count: nodes.count)
        for sighting in sightings {
            let (first, x, y) = cell(sighting.place)
            let columns = SIMD2(1 - x, x)
            let rows = SIMD2(1 - y, y)
            for a in 0..<4 {
                let node = first + (a >> 1) * count + a & 1
                let weight = columns[a & 1] * rows[a >> 1] * sighting.weight
                right[node] += weight * sighting.value
                for b in 0..<4 {
                    let neighbour = (b >> 1 - a >> 1 + 1) * 3 + (b & 1 - a & 1 + 1)
                    pull[node * Self.neighbours + neighbour] += weight * columns[b & 1] * rows[b >> 1]
                }
            }
        }
        return (pull, right)
    }

    private func multiplied(_ pull: [Float], _ values: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: values.count)
        for row in 0..<count {
            for column in 0..<count {
                let node = row * count + column
                var sum: Float = 0
                for y in max(0, row - 1)...min(count - 1, row + 1) {
                    for x in max(0, column - 1)...min(count - 1, column + 1) {
                        let neighbour = (y - row + 1) * 3 + (x - column + 1)
                        sum += pull[node * Self.neighbours + neighbour] * values[y * count + x]
                    }
                }
                result[node] = sum
            }
        }
        return result
    }

    private func addStiffness(_ values: [Float], _ stiffness: Float, to result: inout [Float]) {
        for row in 0..<count {
            for column in 0..<count {
                let index = row * count + column
                if column > 0, column < count - 1 {
                    let bend = stiffness * (values[index - 1] - 2 * values[index] + values[index + 1])
                    result[index - 1] += bend
                    result[index] -= 2 * bend
                    result[index + 1] += bend
                }
                if row > 0, row < count - 1 {
                    let bend = stiffness * (values[index - count] - 2 * values[index] + values[index + count])
                    result[index - count] += bend
                    result[index] -= 2 * bend
                    result[index + count] += bend
                }
                if row < count - 1, column < count - 1 {
                    let bend =
                        2 * stiffness
                        * (values[index] - values[index + 1] - values[index + count] + values[index + count + 1])
                    result[index] += bend
                    result[index + 1] -= bend
                    result[index + count] -= bend
                    result[index + count + 1] += bend
                }
            }
        }
    }
}
