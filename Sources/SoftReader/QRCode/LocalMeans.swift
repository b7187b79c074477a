/// The mean light around each pixel of a picture: what is darker than it is dark there.
struct LocalMeans {
    private let width: Int
    private let height: Int
    /// They run over in pictures of more than eight megapixels; differences of them don't.
    private let sums: [Int32]
    private let reach: Int

    /// - Parameter reach: pixels on each side that belong to a mean.
    init(_ samples: LumaSamples, reach: Int) {
        (width, height, self.reach) = (samples.width, samples.height, reach)
        var sums = [Int32](repeating: 0, count: (width + 1) * (height + 1))
        for row in 0..<height {
            let line = samples.pixels + row * samples.rowStride
            var sum: Int32 = 0
            for column in 0..<width {
                sum &+= Int32(line[column])
                sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] &+ sum
            }
        }
        self.sums = sums
    }

    func mean(column: Int, row: Int) -> Int32 {
        let (x0, x1) = (max(0, column - reach), min(width, column + reach + 1))
        let (y0, y1) = (max(0, row - reach), min(height, row + reach + 1))
        let stride = width + 1
        let sum = sums[y1 * stride + x1] &- sums[y0 * stride + x1] &- sums[y1 * stride + x0] &+ sums[y0 * stride + x0]
        return sum / Int32((x1 - x0) * (y1 - y0))
    }
}
