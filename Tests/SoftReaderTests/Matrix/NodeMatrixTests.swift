import Testing
import Vocabulary

@testable import SoftReader

/// A matrix kept as diagonals must give what the squares that it was made of give.
@Suite struct NodeMatrixTests {
    private let count = 5

    private func randomValues(seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<(count * count)).map { _ in Float(random.next() >> 40) / Float(1 << 24) - 0.5 }
    }

    @Test func `its form is the sum of the squares that were added`() {
        var matrix = NodeMatrix(columns: count, rows: count)
        // A second difference along a row, one along a column, a twist, and a place between four nodes.
        let second: [(node: Int, factor: Float)] = [(10, 1), (11, -2), (12, 1)]
        let down: [(node: Int, factor: Float)] = [(3, 1), (8, -2), (13, 1)]
        let twist: [(node: Int, factor: Float)] = [(18, 1), (19, -1), (23, -1), (24, 1)]
        for terms in [second, down, twist] { matrix.add(terms, weight: 2) }
        matrix.add(first: 6, right: 0.3, below: 0.8, weight: 3)
        let mean: [(node: Int, factor: Float)] = [(6, 0.14), (7, 0.06), (11, 0.56), (12, 0.24)]
        for seed in 1...5 {
            let values = randomValues(seed: UInt64(seed))
            func square(_ terms: [(node: Int, factor: Float)]) -> Float {
                let sum = terms.reduce(Float(0)) { $0 + $1.factor * values[$1.node] }
                return sum * sum
            }
            let expected = 2 * (square(second) + square(down) + square(twist)) + 3 * square(mean)
            let form = zip(values, matrix(values)).reduce(Float(0)) { $0 + $1.0 * $1.1 }
            #expect(abs(form - expected) < 1e-4)
        }
    }

    @Test func `it is symmetric`() {
        var matrix = NodeMatrix(columns: count, rows: count)
        for first in [0, 6, 18] { matrix.add(first: first, right: 0.25, below: 0.5, weight: 1) }
        matrix.add([(0, 1), (5, -2), (10, 1)], weight: 1)
        let (one, other) = (randomValues(seed: 8), randomValues(seed: 9))
        func product(_ first: [Float], _ second: [Float]) -> Float {
            zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
        }
        #expect(abs(product(one, matrix(other)) - product(other, matrix(one))) < 1e-5)
    }
}
