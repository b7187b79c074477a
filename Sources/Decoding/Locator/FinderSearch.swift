import CLocator
import Vocabulary

/// Finder patterns of QR codes: in every third row where there are edges, confirmed by the column through them.
struct FinderSearch {
    struct Finder {
        /// In pixels; pixel centres lie at .5.
        var x: Float
        var y: Float
        /// Width of a module in pixels; larger than it is if the code is turned.
        var module: Float
        var isLight: Bool
        /// Rows that crossed it.
        var rowCount = 1
    }

    /// Every n-th row is searched.
    static let rowStep = 3
    /// The narrowest module in pixels.
    static let leastModule: Float = 1.2
    /// The least step between two runs, in levels.
    static let leastContrast: Int32 = 14
    /// The most pixels to search in a picture: with more, rows take turns from picture to picture.
    static let mostPixels = 30_000
    /// A neighbourhood with less energy per place has no finder pattern.
    private static let leastEnergy: Float = 60
    /// A neighbourhood with a higher coherence is bars, or an edge.
    private static let mostCoherence: Float = 0.9
    /// The most columns to look at, and the most patterns to find.
    private static let mostChecks = 200
    static let most = 40
    /// The most hits of one row.
    private static let mostOfRow = 32
    /// How far a column is followed on each side of the row, in modules.
    private static let reach: Float = 6

    let plane: LumaPlane
    /// With cells large enough that a pattern's inside doesn't look empty.
    let field: TensorField
    /// Which rows to take if they can't all be.
    var turn: UInt32 = 0

    func finders() -> [Finder] {
        let spans = (0..<field.rows).map(spans(ofRow:))
        let pixels = spans.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } } * field.cellHeight
        let step = Self.rowStep * max(1, (pixels / Self.rowStep + Self.mostPixels - 1) / Self.mostPixels)
        var found: [Finder] = []
        var checks = 0
        var hits = [CLocator_Finder](repeating: CLocator_Finder(), count: Self.mostOfRow)
        for y in stride(
            from: (1 + Self.rowStep * Int(turn)) % step, to: min(plane.height, field.rows * field.cellHeight), by: step)
        {
            for span in spans[y / field.cellHeight] {
                let count = CLocator_finders(
                    plane.row(y), Int32(span.lowerBound), Int32(span.upperBound), Self.leastContrast, Self.leastModule,
                    &hits, hits.count)
                for hit in hits[0..<count] {
                    if let known = found.firstIndex(where: { $0.isCrossed(atX: hit.x, y: Float(y), module: hit.module) }
                    ) {
                        found[known].rowCount += 1
                        continue
                    }
                    guard found.count < Self.most, checks < Self.mostChecks, mayCross(hit, row: y) else { continue }
                    checks += 1
                    if let finder = confirmed(hit, row: y) { found.append(finder) }
                }
            }
        }
        return found.filter { Float($0.rowCount) >= Self.leastRows * 3 * $0.module / Float(step) }
    }

    /// A pattern is crossed by at least this part of the rows that its middle, three modules high, leads to expect.
    private static let leastRows: Float = 0.35

    /// Ranges of columns in a row of cells where there are edges.
    private func spans(ofRow row: Int) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        var begin: Int?
        for column in 0...field.columns {
            let isBusy = column < field.columns && mayHoldPattern(row * field.columns + column)
            if isBusy {
                begin = begin ?? column
            } else if let first = begin {
                spans.append(first * field.cellWidth..<min(column * field.cellWidth, plane.width))
                begin = nil
            }
        }
        return spans
    }

    /// Around a cell there are edges, and not in one direction only.
    private func mayHoldPattern(_ cell: Int) -> Bool {
        let energy = field.smoothEnergy[cell]
        guard energy >= Self.leastEnergy * 9 else { return false }
        let (x, y) = (field.smoothX[cell], field.smoothY[cell])
        return x * x + y * y <= Self.mostCoherence * Self.mostCoherence * energy * energy
    }

    /// Whether the column through a hit crosses about three modules like its middle: most hits within a code fail here.
    private func mayCross(_ hit: CLocator_Finder, row: Int) -> Bool {
        let column = Int(hit.x)
        let ring = Int(hit.x + 2 * hit.module)
        guard column >= 0, ring < plane.width else { return false }
        let (inside, outside) = (Int(plane.row(row)[column]), Int(plane.row(row)[ring]))
        let threshold = (inside + outside) / 2
        let isDark = inside < outside
        let most = Int(4 * hit.module) + 2
        var length = 1
        for way in [-1, 1] {
            var y = row + way
            while y >= 0, y < plane.height, length <= most, (Int(plane.row(y)[column]) < threshold) == isDark {
                length += 1
                y += way
            }
        }
        return length <= most && Float(length) >= 1.5 * hit.module
    }

    /// The same pattern in the column through a hit, and on both diagonals: every line through its middle crosses it.
    private func confirmed(_ hit: CLocator_Finder, row: Int) -> Finder? {
        let middle = Float(row) + 0.5
        guard let column = crossed(x: hit.x, y: middle, stepX: 0, stepY: 1, like: hit) else { return nil }
        let y = middle + column.offset
        guard let level = crossed(x: hit.x, y: y, stepX: 1, stepY: 0, like: hit) else { return nil }
        let x = hit.x + level.offset
        for way: Float in [-1, 1] {
            guard crossed(x: x, y: y, stepX: 0.7071, stepY: way * 0.7071, like: hit) != nil else { return nil }
        }
        return Finder(x: x, y: y, module: (level.module + column.module) / 2, isLight: hit.is_light != 0)
    }

    /// A pattern like `hit` on a line through a place with steps of a pixel: how far along the line its middle is, and its module.
    private func crossed(
        x: Float, y: Float, stepX: Float, stepY: Float, like hit: CLocator_Finder
    ) -> (offset: Float, module: Float)? {
        let reach = Int(hit.module * Self.reach) + 2
        let count = 2 * reach + 1
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: count) { samples in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { line in
                withUnsafeTemporaryAllocation(of: CLocator_Finder.self, capacity: 4) { hits in
                    plane.sample(
                        x: x - Float(reach) * stepX, y: y - Float(reach) * stepY, stepX: stepX, stepY: stepY,
                        into: samples)
                    for index in 0..<count { line[index] = UInt8(truncatingIfNeeded: samples[index]) }
                    let found = CLocator_finders(
                        line.baseAddress, 0, Int32(count), Self.leastContrast, Self.leastModule, hits.baseAddress, 4)
                    for other in hits[0..<found] {
                        let offset = other.x - 0.5 - Float(reach)
                        if other.is_light == hit.is_light, abs(offset) <= 2 * hit.module,
                            other.module <= 1.7 * hit.module, hit.module <= 1.7 * other.module
                        {
                            return (offset, other.module)
                        }
                    }
                    return nil
                }
            }
        }
    }
}

extension FinderSearch.Finder {
    /// Whether a hit is another row of this pattern.
    fileprivate func isCrossed(atX otherX: Float, y otherY: Float, module otherModule: Float) -> Bool {
        abs(otherX - x) <= 2 * module && abs(otherY - y) <= 3 * module && otherModule <= 1.6 * module
            && module <= 1.6 * otherModule
    }
}
