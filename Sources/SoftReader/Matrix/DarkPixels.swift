/// Which pixels of a row are darker than what is around them: the mean over a square of pixels. Rows are asked for from the top to the bottom.
struct DarkPixels {
    private let samples: LumaSamples
    private let reach: Int
    /// By so many levels darker, at least: in flat paper half of the pixels are darker than their mean.
    private static let margin: Int32 = 5
    /// Of each column, over the rows from `first` to `end`.
    private var sums: [Int32]
    private var rows = 0..<0

    /// - Parameter reach: pixels on each side that belong to a mean; with 1,400 or fewer no sum runs over.
    init(_ samples: LumaSamples, reach: Int) {
        (self.samples, self.reach) = (samples, reach)
        sums = [Int32](repeating: 0, count: samples.width)
    }

    /// Fills `dark`, a value for each column. Rows that were asked for before are above this one.
    mutating func look(atRow row: Int, into dark: inout [Bool]) {
        let end = min(samples.height, row + reach + 1)
        for entering in rows.upperBound..<end { add(entering, sign: 1) }
        let start = max(0, row - reach)
        for leaving in rows.lowerBound..<start { add(leaving, sign: -1) }
        rows = start..<end
        let (width, count) = (samples.width, Int32(rows.count))
        let line = samples.pixels + row * samples.rowStride
        var (left, right) = (0, min(reach, width))
        var sum = sums[..<right].reduce(0, +)
        for column in 0..<width {
            if right < width {
                sum += sums[right]
                right += 1
            }
            if column - left > reach {
                sum -= sums[left]
                left += 1
            }
            dark[column] = (Int32(line[column]) + Self.margin) * Int32(right - left) * count <= sum
        }
    }

    private mutating func add(_ row: Int, sign: Int32) {
        let line = samples.pixels + row * samples.rowStride
        sums.withUnsafeMutableBufferPointer { sums in
            for column in sums.indices { sums[column] &+= sign &* Int32(line[column]) }
        }
    }
}
