/// Edges on a line across bars, in whatever light.
enum BarEdges {
    /// The smallest step that counts as an edge: fractions of the contrast around it and of the line's highest contrast, and levels.
    private static let leastStep = (ofLocal: 0.18 as Float, ofHighest: 0.08 as Float, levels: 5)
    /// Noise in a quiet zone isn't an edge: an edge is higher than this many times the range of the line's quietest piece, or than this
    /// fraction of the highest contrast if that is less, as a line may have no quiet piece.
    private static let aboveNoise = (times: 1.5 as Float, ofHighest: 0.16 as Float)
    /// Samples of which the darkest and lightest are noted together, and how many such pieces around a place make its contrast.
    private static let piece = 16
    private static let neighbours = 3

    /// Places in samples: half way between turning points.
    static func places(on line: UnsafeMutableBufferPointer<Int16>) -> [Float] {
        let least = leastSteps(on: line)
        var places: [Float] = []
        var (low, high) = (0, 0)
        var way = 0
        var turn = 0
        for index in 1..<line.count {
            let level = line[index]
            if level < line[low] { low = index }
            if level > line[high] { high = index }
            let step = least[index / piece]
            let isTop = way >= 0 && line[high] &- level >= step
            let isBottom = way <= 0 && level &- line[low] >= step
            guard isTop || isBottom else { continue }
            let here = isTop ? high : low
            if way != 0 { places.append(Float(turn + here) / 2) }
            turn = here
            way = isTop ? -1 : 1
            low = index
            high = index
        }
        // What follows the last edge ends with the line.
        if way != 0 { places.append(Float(turn + (way > 0 ? high : low)) / 2) }
        return places
    }

    /// For each piece of the line.
    private static func leastSteps(on line: UnsafeMutableBufferPointer<Int16>) -> [Int16] {
        let count = (line.count + piece - 1) / piece
        var ranges: [(darkest: Int16, lightest: Int16)] = []
        ranges.reserveCapacity(count)
        for first in stride(from: 0, to: line.count, by: piece) {
            var (darkest, lightest) = (line[first], line[first])
            for index in first..<min(first &+ piece, line.count) {
                darkest = min(darkest, line[index])
                lightest = max(lightest, line[index])
            }
            ranges.append((darkest, lightest))
        }
        let contrasts = (0..<count).map { index in
            var (darkest, lightest) = ranges[index]
            for other in max(0, index - neighbours)...min(count - 1, index + neighbours) {
                darkest = min(darkest, ranges[other].darkest)
                lightest = max(lightest, ranges[other].lightest)
            }
            return Float(lightest - darkest)
        }
        let highest = contrasts.max() ?? 0
        let quietest = Float(ranges.map { $0.lightest - $0.darkest }.min() ?? 0)
        let least = max(
            Float(leastStep.levels), highest * leastStep.ofHighest,
            min(quietest * aboveNoise.times, highest * aboveNoise.ofHighest))
        return contrasts.map { Int16(max(least, $0 * leastStep.ofLocal)) }
    }
}
