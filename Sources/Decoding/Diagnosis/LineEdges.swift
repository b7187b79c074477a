/// The edges along one line of samples: where light turns into dark or back, how far it goes, and over what width.
struct LineEdges {
    struct Edge {
        /// Where it is half way, in samples from the line's first one.
        var place: Float
        /// Levels from one turning point to the next; below 0 from light to dark.
        var rise: Float
        /// From dark to light at its steepest slope, in samples: of a Gaussian edge, from 10 to 90 %.
        var width: Float
    }

    private(set) var edges: [Edge] = []

    /// - Parameter least: smaller steps, in levels, are noise.
    init(_ line: some RandomAccessCollection<Int16>, least: Int) {
        let line = Array(line)
        guard line.count > 2 else { return }
        var (low, high, way, turn) = (0, 0, 0, 0)
        for index in 1..<line.count {
            let level = line[index]
            if level < line[low] { low = index }
            if level > line[high] { high = index }
            let isTop = way >= 0 && Int(line[high]) - Int(level) >= least
            let isBottom = way <= 0 && Int(level) - Int(line[low]) >= least
            guard isTop || isBottom else { continue }
            let here = isTop ? high : low
            // What comes before the first turning point is flat, or begins beyond the line.
            if way != 0 { add(from: turn, to: here, of: line) }
            turn = here
            way = isTop ? -1 : 1
            low = index
            high = index
        }
        if way != 0 { add(from: turn, to: way > 0 ? high : low, of: line) }
    }

    private mutating func add(from first: Int, to last: Int, of line: [Int16]) {
        let rise = Float(line[last]) - Float(line[first])
        guard last > first, abs(rise) >= 1 else { return }
        let middle = (Float(line[last]) + Float(line[first])) / 2
        var steepest: Float = 0
        var place = Float(first + last) / 2
        for index in first..<last {
            let (here, next) = (Float(line[index]), Float(line[index + 1]))
            // Over two steps, as interpolated samples have kinks.
            let before = index > first ? Float(line[index - 1]) : here
            let slope = index > first ? (next - before) / 2 : next - here
            if abs(slope) > steepest { steepest = abs(slope) }
            if (here - middle) * (next - middle) <= 0, next != here {
                place = Float(index) + (middle - here) / (next - here)
            }
        }
        guard steepest > 0 else { return }
        edges.append(Edge(place: place, rise: rise, width: abs(rise) / steepest))
    }
}
