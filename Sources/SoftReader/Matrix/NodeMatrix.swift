/// A symmetric matrix over the nodes of a grid, which couples each node only with those near it: as diagonals.
struct NodeMatrix {
    /// Nodes in a row of the grid.
    private let columns: Int
    /// In all of it.
    private let count: Int
    /// How far apart the nodes are that a diagonal couples, in nodes of the grid, row by row.
    private let offsets: [Int]
    private var diagonals: [Float]

    /// The nodes that the diagonals couple: columns and rows apart. The second half are the first ones' mirror images.
    private static let neighbours: [(columns: Int, rows: Int)] = [
        (0, 0), (1, 0), (2, 0), (-1, 1), (0, 1), (1, 1), (0, 2), (-1, 0), (-2, 0), (1, -1), (0, -1), (-1, -1), (0, -2),
    ]

    /// Of zeros.
    init(columns: Int, rows: Int) {
        self.columns = columns
        count = columns * rows
        offsets = Self.neighbours.map { $0.rows * columns + $0.columns }
        diagonals = [Float](repeating: 0, count: offsets.count * count)
    }

    /// Adds a weight times the square of a sum over nodes near each other: the form whose matrix this is. What two nodes that aren't `neighbours` have
    /// to do with each other is left out.
    mutating func add(_ terms: [(node: Int, factor: Float)], weight: Float) {
        for first in terms {
            for second in terms {
                let right = second.node % columns - first.node % columns
                let below = second.node / columns - first.node / columns
                guard let diagonal = Self.neighbours.firstIndex(where: { $0 == (right, below) }) else { continue }
                diagonals[diagonal * count + first.node] += weight * first.factor * second.factor
            }
        }
    }

    /// Adds a weight times the square of a mean of four nodes, the first one's neighbours to the right, below, and both.
    mutating func add(first: Int, right: Float, below: Float, weight: Float) {
        let factors = SIMD4((1 - right) * (1 - below), right * (1 - below), (1 - right) * below, right * below)
        let nodes = [first, first + 1, first + columns, first + columns + 1]
        for a in 0..<4 {
            let weighted = weight * factors[a] * factors
            for b in 0..<4 {
                diagonals[Self.ofSquare[4 * a + b] * count + nodes[a]] += weighted[b]
            }
        }
    }

    /// Which diagonal couples two nodes of a square of four.
    private static let ofSquare: [Int] = [0, 1, 4, 5, 7, 0, 3, 4, 10, 9, 0, 1, 11, 10, 7, 0]

    /// The product with a vector.
    func callAsFunction(_ values: [Float]) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { result, initialized in
            result.initialize(repeating: 0)
            initialized = count
            diagonals.withUnsafeBufferPointer { diagonals in
                values.withUnsafeBufferPointer { values in
                    for (index, offset) in offsets.enumerated() {
                        let diagonal = index * count
                        for node in max(0, -offset)..<min(count, count - offset) {
                            result[node] += diagonals[diagonal + node] * values[node + offset]
                        }
                    }
                }
            }
        }
    }
}
