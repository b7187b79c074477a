import Vocabulary

/// Compact patches of cells with strong edges in many directions: matrix codes, and print. At several levels of strength, as a code's ground may
/// be busy, too.
struct TexturePatches {
    /// The least energy per place of a cell, one after the other.
    private static let levels: [Float] = [150, 600, 2400]
    /// Limits of a patch: pixels of a side, and how many times longer one side may be than the other.
    private static let leastSide = 20
    private static let mostAspect = 4.0
    /// The part of its rectangle that its cells fill.
    private static let leastFill = 0.5
    /// With a higher coherence, all its edges run one way.
    private static let mostCoherence: Float = 0.75
    /// The most patches.
    static let most = 16

    let field: TensorField

    /// Upright rectangles, the fullest and strongest first.
    func regions() -> [LocatedRegion] {
        var regions: [LocatedRegion] = []
        var isTaken = [Bool](repeating: false, count: field.energy.count)
        var cells: [Int] = []
        for level in Self.levels {
            for index in isTaken.indices { isTaken[index] = field.energy[index] < level }
            for seed in isTaken.indices where !isTaken[seed] {
                cells.removeAll(keepingCapacity: true)
                grow(from: seed, &isTaken, &cells)
                if let region = region(of: cells) { regions.append(region) }
            }
        }
        return Array(regions.sorted { $0.score > $1.score }.prefix(Self.most))
    }

    private func grow(from seed: Int, _ isTaken: inout [Bool], _ cells: inout [Int]) {
        isTaken[seed] = true
        cells.append(seed)
        var next = 0
        while next < cells.count {
            let (column, row) = (cells[next] % field.columns, cells[next] / field.columns)
            next += 1
            for otherRow in max(0, row - 1)...min(field.rows - 1, row + 1) {
                for otherColumn in max(0, column - 1)...min(field.columns - 1, column + 1) {
                    let other = otherRow &* field.columns &+ otherColumn
                    guard !isTaken[other] else { continue }
                    isTaken[other] = true
                    cells.append(other)
                }
            }
        }
    }

    private func region(of cells: [Int]) -> LocatedRegion? {
        guard cells.count >= 4 else { return nil }
        var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
        var (energy, x, y): (Float, Float, Float) = (0, 0, 0)
        for cell in cells {
            let (column, row) = (cell % field.columns, cell / field.columns)
            (left, right, top, bottom) = (min(left, column), max(right, column), min(top, row), max(bottom, row))
            energy += field.energy[cell]
            x += field.cellX[cell]
            y += field.cellY[cell]
        }
        let (width, height) = ((right - left + 1) * field.cellWidth, (bottom - top + 1) * field.cellHeight)
        let fill = Double(cells.count) / Double((right - left + 1) * (bottom - top + 1))
        let aspect = Double(max(width, height)) / Double(min(width, height))
        guard min(width, height) >= Self.leastSide, aspect <= Self.mostAspect, fill >= Self.leastFill,
            (x * x + y * y).squareRoot() <= Self.mostCoherence * energy
        else { return nil }
        let mean = Double(energy) / Double(cells.count)
        return LocatedRegion(
            kind: .texture,
            centre: Point(
                x: Double(left * field.cellWidth) + Double(width) / 2,
                y: Double(top * field.cellHeight) + Double(height) / 2),
            direction: 0, length: Double(width), height: Double(height), module: 0,
            score: fill * mean.squareRoot() / aspect)
    }
}
