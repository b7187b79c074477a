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
    static let leastContrast: Int32 = 20
    /// The most pixels to search in a picture: with more, rows take turns from picture to picture.
    static let mostPixels = 60_000
    /// A neighbourhood with less energy per place has no finder pattern.
    private static let leastEnergy: Float = 120
    /// The most columns to look at, and the most patterns to find.
    private static let mostChecks = 200
    static let most = 40
    /// Of one row.
    private static let mostOfRow = 32
    /// How far a column is followed on each side of the row, in modules.
    private static let reach: Float = 6

    let plane: LumaPlane
    /// With cells large enough that a pattern's inside doesn't look empty.
    let field: TensorField
    /// Which rows to take if they can't all be.
    var turn = 0

    func finders() -> [Finder] {
        let spans = (0..<field.rows).map(spans(ofRow:))
        let pixels = spans.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } } * field.cellHeight
        let step = Self.rowStep * max(1, (pixels / Self.rowStep + Self.mostPixels - 1) / Self.mostPixels)
        var found: [Finder] = []
        var checks = 0
        var hits = [CLocator_Finder](repeating: CLocator_Finder(), count: Self.mostOfRow)
        for y in stride(
            from: (1 + Self.rowStep * turn) % step, to: min(plane.height, field.rows * field.cellHeight), by: step)
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
                    guard found.count < Self.most, checks < Self.mostChecks else { continue }
                    checks += 1
                    if let finder = confirmed(hit, row: y) { found.append(finder) }
                }
            }
        }
        return found
    }

    /// Ranges of columns in a row of cells where there are edges.
    private func spans(ofRow row: Int) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        var begin: Int?
        for column in 0...field.columns {
            let isBusy =
                column < field.columns
                && field.smoothEnergy[row * field.columns + column] >= Self.leastEnergy * 9
            if isBusy {
                begin = begin ?? column
            } else if let first = begin {
                spans.append(first * field.cellWidth..<min(column * field.cellWidth, plane.width))
                begin = nil
            }
        }
        return spans
    }

    /// The same pattern in the column through a hit.
    private func confirmed(_ hit: CLocator_Finder, row: Int) -> Finder? {
        let column = min(max(Int(hit.x), 0), plane.width - 1)
        let far = Int(hit.module * Self.reach) + 2
        let (top, bottom) = (max(0, row - far), min(plane.height, row + far + 1))
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bottom - top) { line in
            for y in top..<bottom { line[y - top] = plane.row(y)[column] }
            return withUnsafeTemporaryAllocation(of: CLocator_Finder.self, capacity: 4) { hits in
                let count = CLocator_finders(
                    line.baseAddress, 0, Int32(bottom - top), Self.leastContrast, Self.leastModule, hits.baseAddress, 4)
                for other in hits[0..<count] {
                    let y = other.x + Float(top)
                    guard other.is_light == hit.is_light, abs(y - Float(row) - 0.5) <= 2 * hit.module,
                        other.module <= 1.7 * hit.module, hit.module <= 1.7 * other.module
                    else { continue }
                    return Finder(
                        x: hit.x, y: y, module: (hit.module + other.module) / 2, isLight: hit.is_light != 0)
                }
                return nil
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
