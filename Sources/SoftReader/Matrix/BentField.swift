/// One coordinate of how far modules lie from where a flat code would have them: nodes a few modules apart, straight lines in between. It is as smooth as
/// what was seen allows, and goes on straight where nothing was seen.
struct BentField {
    private let columns: Int
    private let rows: Int
    /// Of the nodes, in modules.
    private let spacing: Place
    private var nodes: [Float]
    private let bending: NodeMatrix

    /// A distance seen at a place, in modules.
    struct Sighting {
        let place: Place
        let value: Float
        let weight: Float
    }

    /// - Parameters:
    ///   - size: of the code, in modules.
    ///   - spacing: of the nodes, about, in modules.
    ///   - stiffness: what second differences cost, beside a sighting of weight 1.
    init(size: Place, spacing: Float, stiffness: Float) {
        columns = max(3, Int((size.x / spacing).rounded(.up)) + 1)
        rows = max(3, Int((size.y / spacing).rounded(.up)) + 1)
        self.spacing = size / Place(Float(columns - 1), Float(rows - 1))
        nodes = [Float](repeating: 0, count: columns * rows)
        bending = NodeMatrix(bending: stiffness, columns: columns, rows: rows)
    }

    private func cell(_ place: Place) -> (first: Int, x: Float, y: Float) {
        let x = min(Float(columns - 1), max(0, place.x / spacing.x))
        let y = min(Float(rows - 1), max(0, place.y / spacing.y))
        let (column, row) = (min(Int(x), columns - 2), min(Int(y), rows - 2))
        return (row * columns + column, x - Float(column), y - Float(row))
    }

    func callAsFunction(_ place: Place) -> Float {
        let (first, x, y) = cell(place)
        let top = nodes[first] * (1 - x) + nodes[first + 1] * x
        let bottom = nodes[first + columns] * (1 - x) + nodes[first + columns + 1] * x
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
            right[first + columns] += (1 - x) * y * value
            right[first + columns + 1] += x * y * value
        }
        return (matrix, right)
    }
}

extension NodeMatrix {
    /// What second differences of nodes cost: along rows, along columns, and across both.
    fileprivate init(bending stiffness: Float, columns: Int, rows: Int) {
        self.init(columns: columns, rows: rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let node = row * columns + column
                if column > 0, column < columns - 1 {
                    add([(node - 1, 1), (node, -2), (node + 1, 1)], weight: stiffness)
                }
                if row > 0, row < rows - 1 {
                    add([(node - columns, 1), (node, -2), (node + columns, 1)], weight: stiffness)
                }
                if row < rows - 1, column < columns - 1 {
                    add(
                        [(node, 1), (node + 1, -1), (node + columns, -1), (node + columns + 1, 1)],
                        weight: 2 * stiffness)
                }
            }
        }
    }
}
