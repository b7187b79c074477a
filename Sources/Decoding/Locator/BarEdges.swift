/// Edges on a line across bars, in whatever light.
enum BarEdges {
    /// The smallest step that counts as an edge: a fraction of the contrast around it, and levels.
    private static let leastStep: (part: Float, levels: Int) = (0.18, 5)
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
        return (0..<count).map { index in
            var (darkest, lightest) = ranges[index]
            for other in max(0, index - neighbours)...min(count - 1, index + neighbours) {
                darkest = min(darkest, ranges[other].darkest)
                lightest = max(lightest, ranges[other].lightest)
            }
            return Int16(max(leastStep.levels, Int(Float(lightest - darkest) * leastStep.part)))
        }
    }
}
