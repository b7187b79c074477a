import Glibc

/// Connected cells whose edges run one way: candidates for bars.
struct BarPatches {
    /// A rectangle around the cells of one patch, in pixels.
    struct Patch {
        var x: Float
        var y: Float
        /// Across the bars, in radians.
        var direction: Float
        /// Half extents across the bars and along them.
        var halfLength: Float
        var halfHeight: Float
        /// The sum of its cells' Jxx + Jyy, times their pixels.
        var energy: Float
        /// |Σ (Jxx - Jyy, 2 Jxy)| / Σ (Jxx + Jyy): 1 if all edges are parallel.
        var coherence: Float
    }

    /// Less energy per place is noise: (u² + v²) of a camera's noise of 2.5 levels is 25.
    static let leastEnergy: Float = 40
    /// The least coherence of a neighbourhood.
    static let leastCoherence: Float = 0.55
    /// A patch begins only where it is higher, so that its direction is sound; what is left may begin anywhere.
    static let seedCoherence: Float = 0.8
    /// cos 2·18°: how far a cell's direction may be off its patch's, and off the neighbour's.
    private static let likeness: Float = 0.81
    /// Fewer cells can't hold a code.
    private static let fewestCells = 4
    /// The most patches to return, those with most energy.
    static let most = 12

    let field: TensorField

    /// Strongest first.
    func patches() -> [Patch] {
        let count = field.columns * field.rows
        guard field.columns > 2, field.rows > 2 else { return [] }
        // Directions of neighbourhoods as unit vectors; coherence 0: not bars.
        var coherence = [Float](repeating: 0, count: count)
        let least = Self.leastEnergy * 9
        for index in 0..<count where field.smoothEnergy[index] >= least {
            let (x, y) = (field.smoothX[index], field.smoothY[index])
            coherence[index] = (x * x + y * y).squareRoot() / field.smoothEnergy[index]
        }
        var isTaken = [Bool](repeating: false, count: count)
        var cells: [Int32] = []
        cells.reserveCapacity(count)
        var found: [Patch] = []
        for threshold in [Self.seedCoherence, Self.leastCoherence] {
            for seed in 0..<count where !isTaken[seed] && coherence[seed] >= threshold {
                cells.removeAll(keepingCapacity: true)
                grow(from: seed, coherence, &isTaken, &cells)
                if cells.count >= Self.fewestCells { pieces(of: cells, into: &found) }
            }
        }
        return Array(found.sorted { $0.energy > $1.energy }.prefix(Self.most))
    }

    /// Takes the cells around `seed` that have its direction.
    private func grow(from seed: Int, _ coherence: [Float], _ isTaken: inout [Bool], _ cells: inout [Int32]) {
        var (sumX, sumY) = (field.smoothX[seed], field.smoothY[seed])
        var length = (sumX * sumX + sumY * sumY).squareRoot()
        cells.append(Int32(seed))
        isTaken[seed] = true
        var next = 0
        while next < cells.count {
            let cell = Int(cells[next])
            next += 1
            let (column, row) = (cell % field.columns, cell / field.columns)
            for otherRow in max(0, row - 1)...min(field.rows - 1, row + 1) {
                for otherColumn in max(0, column - 1)...min(field.columns - 1, column + 1) {
                    let other = otherRow &* field.columns &+ otherColumn
                    guard !isTaken[other], coherence[other] >= Self.leastCoherence else { continue }
                    let (x, y) = (field.smoothX[other], field.smoothY[other])
                    let norm = coherence[other] * field.smoothEnergy[other]
                    guard sumX * x + sumY * y >= Self.likeness * length * norm else { continue }
                    isTaken[other] = true
                    cells.append(Int32(other))
                    sumX += x
                    sumY += y
                    length = (sumX * sumX + sumY * sumY).squareRoot()
                }
            }
        }
    }

    /// Cells below this fraction of their patch's mean energy only belong to its neighbourhood.
    private static let leastOfMean: Float = 0.05
    /// A line with fewer cells than this fraction of the fullest line's shows something else: the edge of a label that runs on beyond the bars, or a
    /// narrower code.
    private static let leastOfMost: Float = 0.4
    /// How many patches to make of connected cells: codes of different widths, one above the other.
    private static let mostPieces = 3

    /// The cells between two lines along the bars' cross direction, then those above and below them.
    private func pieces(of cells: [Int32], into found: inout [Patch]) {
        var rest = cells
        for _ in 0..<Self.mostPieces where rest.count >= Self.fewestCells {
            let (energy, vectorX, vectorY) = sums(of: rest)
            guard energy > 0 else { return }
            let direction = atan2(vectorY, vectorX) / 2
            let (c, s) = (cos(direction), sin(direction))
            let least = energy / Float(rest.count) * Self.leastOfMean
            let strong = rest.filter { field.energy[Int($0)] >= least }
            let band = band(of: strong, c, s)
            let inside = strong.filter { band.contains(place(of: $0, c, s).v) }
            if let patch = patch(of: inside, direction, c, s) { found.append(patch) }
            rest = strong.filter { !band.contains(place(of: $0, c, s).v) }
        }
    }

    /// Jxx + Jyy, Jxx - Jyy and 2 Jxy of these cells together.
    private func sums(of cells: [Int32]) -> (energy: Float, x: Float, y: Float) {
        var sums: (energy: Float, x: Float, y: Float) = (0, 0, 0)
        for cell in cells {
            sums.energy += field.energy[Int(cell)]
            sums.x += field.cellX[Int(cell)]
            sums.y += field.cellY[Int(cell)]
        }
        return sums
    }

    /// A cell's middle along `direction` and across it, in pixels.
    @inline(__always)
    private func place(of cell: Int32, _ c: Float, _ s: Float) -> (u: Float, v: Float) {
        let x = (Float(Int(cell) % field.columns) + 0.5) * Float(field.cellWidth)
        let y = (Float(Int(cell) / field.columns) + 0.5) * Float(field.cellHeight)
        return (c * x + s * y, c * y - s * x)
    }

    /// The connected range across `direction` in which lines along it cross many cells.
    private func band(of cells: [Int32], _ c: Float, _ s: Float) -> ClosedRange<Float> {
        // As high as a cell is across the direction, so that each line of cells fills a bin.
        let bin = abs(c) * Float(field.cellHeight) + abs(s) * Float(field.cellWidth)
        let all = cells.map { place(of: $0, c, s).v }
        guard let low = all.min(), let high = all.max() else { return 0...0 }
        var counts = [Float](repeating: 0, count: Int((high - low) / bin) + 1)
        for v in all { counts[Int((v - low) / bin)] += 1 }
        // Oblique lines of cells fall into bins unevenly.
        let smooth = counts.indices.map { index in
            (counts[max(0, index - 1)] + 2 * counts[index] + counts[min(counts.count - 1, index + 1)]) / 4
        }
        guard let most = smooth.max(), let peak = smooth.firstIndex(of: most) else { return low...high }
        var (first, last) = (peak, peak)
        while first > 0, smooth[first - 1] >= Self.leastOfMost * most { first -= 1 }
        while last < smooth.count - 1, smooth[last + 1] >= Self.leastOfMost * most { last += 1 }
        return low + Float(first) * bin...low + Float(last + 1) * bin
    }

    private func patch(of cells: [Int32], _ direction: Float, _ c: Float, _ s: Float) -> Patch? {
        guard cells.count >= 2 else { return nil }
        let (energy, vectorX, vectorY) = sums(of: cells)
        var across: (low: Float, high: Float) = (.infinity, -.infinity)
        var along: (low: Float, high: Float) = (.infinity, -.infinity)
        for cell in cells {
            let (u, v) = place(of: cell, c, s)
            across = (min(across.low, u), max(across.high, u))
            along = (min(along.low, v), max(along.high, v))
        }
        let (u, v) = ((across.low + across.high) / 2, (along.low + along.high) / 2)
        let (width, height) = (Float(field.cellWidth), Float(field.cellHeight))
        return Patch(
            x: c * u - s * v, y: s * u + c * v, direction: direction,
            halfLength: (across.high - across.low + abs(c) * width + abs(s) * height) / 2,
            halfHeight: (along.high - along.low + abs(s) * width + abs(c) * height) / 2,
            energy: energy * width * height,
            coherence: (vectorX * vectorX + vectorY * vectorY).squareRoot() / energy)
    }
}
