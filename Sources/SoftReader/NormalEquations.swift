/// Weighted least squares with few unknowns.
struct NormalEquations {
    let count: Int
    /// The upper triangle is filled, by rows.
    private var matrix: [Double]
    private var right: [Double]

    init(count: Int) {
        self.count = count
        matrix = Array(repeating: 0, count: count * count)
        right = Array(repeating: 0, count: count)
    }

    /// One observation: `row` times the unknowns should be `value`.
    @inline(__always)
    mutating func add(_ row: [Double], _ value: Double, weight: Double) {
        for i in 0..<count {
            let scaled = row[i] * weight
            right[i] += scaled * value
            for j in i..<count { matrix[i &* count &+ j] += scaled * row[j] }
        }
    }

    /// Sums of products that were made elsewhere: the upper triangle by rows.
    mutating func add(triangle: UnsafeBufferPointer<Float>, right sums: UnsafeBufferPointer<Float>) {
        var place = 0
        for i in 0..<count {
            right[i] += Double(sums[i])
            for j in i..<count {
                matrix[i * count + j] += Double(triangle[place])
                place += 1
            }
        }
    }

    /// An unknown should be `value`.
    mutating func pull(_ index: Int, to value: Double = 0, weight: Double) {
        matrix[index * count + index] += weight
        right[index] += weight * value
    }

    /// By Cholesky; `nil` if the observations don't determine the unknowns.
    func solved() -> [Double]? {
        var lower = matrix
        for i in 0..<count {
            for j in i..<count {
                var sum = matrix[i * count + j]
                for k in 0..<i { sum -= lower[i * count + k] * lower[j * count + k] }
                if i == j {
                    guard sum > 1e-9 * (1e-9 + matrix[i * count + i]) else { return nil }
                    lower[i * count + i] = sum.squareRoot()
                } else {
                    lower[j * count + i] = sum / lower[i * count + i]
                }
            }
        }
        var out = right
        for i in 0..<count {
            for k in 0..<i { out[i] -= lower[i * count + k] * out[k] }
            out[i] /= lower[i * count + i]
        }
        for i in (0..<count).reversed() {
            for k in (i + 1)..<count { out[i] -= lower[k * count + i] * out[k] }
            out[i] /= lower[i * count + i]
        }
        return out
    }
}
