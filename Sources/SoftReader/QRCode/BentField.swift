/// One coordinate of how far modules lie from where a flat code would have them: nodes a few modules apart, straight lines in between. It is as smooth as
/// what was seen allows, and goes on straight where nothing was seen.
struct BentField {
    let count: Int
    private let spacing: Float
    private var nodes: [Float]
    private let bending: NodeMatrix

    /// A distance seen at a place, in modules.
    struct Sighting {
        let place: Place
        let value: Float
        let weight: Float
    }

    /// - Parameters:
    ///   - side: of the code, in modules.
    ///   - spacing: of the nodes, about, in modules.
    ///   - stiffness: what second differences cost, beside a sighting of weight 1.
    init(side: Int, spacing: Float, stiffness: Float) {
        count = max(3, Int((Float(side) / spacing).rounded(.up)) + 1)
        self.spacing = Float(side) / Float(count - 1)
        nodes = [Float](repeating: 0, count: count * count)
        bending = NodeMatrix(bending: stiffness, count: count)
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
    mutating func fit(_ sightings: [Sighting], steps: Int) {
        let (matrix, right) = normalEquations(sightings)
        var residual = matrix(nodes)
        for index in nodes.indices { residual[index] = right[index] - residual[index] }
        var direction = residual
        var square = residual.reduce(0) { $0 + $1 * $1 }
        for _ in 0..<steps where square > Self.leastSquare {
            let image = matrix(direction)
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

    /// How sightings and stiffness pull nodes together, and where to.
    private func normalEquations(_ sightings: [Sighting]) -> (NodeMatrix, right: [Float]) {
        var matrix = bending
        var right = [Float](repeating: 0, count: nodes.count)
        for sighting in sightings {
            let (first, x, y) = cell(sighting.place)
            matrix.add(first: first, right: x, below: y, weight: sighting.weight)
            let value = sighting.weight * sighting.value
            right[first] += (1 - x) * (1 - y) * value
            right[first + 1] += x * (1 - y) * value
            right[first + count] += (1 - x) * y * value
            right[first + count + 1] += x * y * value
        }
        return (matrix, right)
    }
}

extension NodeMatrix {
    /// What second differences of nodes cost: along rows, along columns, and across both.
    fileprivate init(bending stiffness: Float, count: Int) {
        self.init(count: count)
        for row in 0..<count {
            for column in 0..<count {
                let node = row * count + column
                if column > 0, column < count - 1 {
                    add([(node - 1, 1), (node, -2), (node + 1, 1)], weight: stiffness)
                }
                if row > 0, row < count - 1 {
                    add([(node - count, 1), (node, -2), (node + count, 1)], weight: stiffness)
                }
                if row < count - 1, column < count - 1 {
                    add(
                        [(node, 1), (node + 1, -1), (node + count, -1), (node + count + 1, 1)], weight: 2 * stiffness)
                }
            }
        }
    }
}
