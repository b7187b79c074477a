import CLocator

/// The structure tensor of a picture by cells: blocks of 16×8 pixels, or several of them together. Of each cell, and, smoothed, of its
/// neighbourhood.
///
/// Directions are kept as vectors of twice the angle, so that opposite slopes add up: (Jxx - Jyy, 2 Jxy), up to a factor.
struct TensorField {
    /// Cells in a row, and rows of cells.
    let columns: Int
    let rows: Int
    /// In pixels.
    let cellWidth: Int
    let cellHeight: Int
    /// Jxx + Jyy of each cell, per place; the square of a grey level.
    let energy: [Float]
    /// Jxx - Jyy and 2 Jxy of each cell, per place.
    let cellX: [Float]
    let cellY: [Float]
    /// The sums over 3×3 cells, those beyond an edge left out: Jxx + Jyy, Jxx - Jyy, 2 Jxy.
    let smoothEnergy: [Float]
    let smoothX: [Float]
    let smoothY: [Float]

    /// Places of a whole block; of blocks at an edge there may be fewer.
    private static let places = Float(CLOCATOR_BLOCK_WIDTH * CLOCATOR_BLOCK_HEIGHT)

    init(of plane: LumaPlane) {
        let sums = Self.sums(of: plane)
        let scale = 1 / Self.places
        self.init(
            columns: Int(CLocator_columns(Int32(plane.width))), rows: Int(CLocator_rows(Int32(plane.height))),
            cellWidth: Int(CLOCATOR_BLOCK_WIDTH), cellHeight: Int(CLOCATOR_BLOCK_HEIGHT),
            energy: sums.map { (Float($0.uu) + Float($0.vv)) * scale },
            x: sums.map { 2 * Float($0.uv) * scale }, y: sums.map { (Float($0.uu) - Float($0.vv)) * scale })
    }

    static func sums(of plane: LumaPlane) -> [CLocator_Sums] {
        let count = Int(CLocator_columns(Int32(plane.width)) * CLocator_rows(Int32(plane.height)))
        return [CLocator_Sums](unsafeUninitializedCapacity: count) { sums, initialised in
            CLocator_sums(plane.pixels, Int32(plane.width), Int32(plane.height), plane.rowStride, sums.baseAddress)
            initialised = count
        }
    }

    private init(
        columns: Int, rows: Int, cellWidth: Int, cellHeight: Int, energy: [Float], x: [Float], y: [Float]
    ) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.energy = energy
        smoothEnergy = Self.smooth(energy, columns, rows)
        smoothX = Self.smooth(x, columns, rows)
        smoothY = Self.smooth(y, columns, rows)
        cellX = x
        cellY = y
    }

    /// Four cells become one: their mean. A cell without a right or lower neighbour is left out.
    func halved() -> TensorField {
        let (newColumns, newRows) = (columns / 2, rows / 2)
        func means(_ values: [Float]) -> [Float] {
            values.withUnsafeBufferPointer { values in
                [Float](unsafeUninitializedCapacity: newColumns * newRows) { means, count in
                    for row in 0..<newRows {
                        for column in 0..<newColumns {
                            let first = 2 &* row &* columns &+ 2 &* column
                            means[row &* newColumns &+ column] =
                                (values[first] + values[first &+ 1] + values[first &+ columns]
                                    + values[first &+ columns &+ 1]) / 4
                        }
                    }
                    count = newColumns * newRows
                }
            }
        }
        return TensorField(
            columns: newColumns, rows: newRows, cellWidth: cellWidth * 2, cellHeight: cellHeight * 2,
            energy: means(energy), x: means(cellX), y: means(cellY))
    }

    private static func smooth(_ values: [Float], _ columns: Int, _ rows: Int) -> [Float] {
        guard columns > 1, rows > 1 else { return values }
        return values.withUnsafeBufferPointer { values in
            [Float](unsafeUninitializedCapacity: columns * rows) { sums, count in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { line in
                    for row in 0..<rows {
                        let middle = row &* columns
                        let above = row > 0 ? middle &- columns : middle
                        let below = row < rows &- 1 ? middle &+ columns : middle
                        // At an edge the middle row would count twice.
                        let weight: Float = row > 0 && row < rows &- 1 ? 1 : 0
                        for column in 0..<columns {
                            line[column] =
                                values[above &+ column] + weight * values[middle &+ column] + values[below &+ column]
                        }
                        sums[middle] = line[0] + line[1]
                        for column in 1..<columns &- 1 {
                            sums[middle &+ column] = line[column &- 1] + line[column] + line[column &+ 1]
                        }
                        sums[middle &+ columns &- 1] = line[columns &- 2] + line[columns &- 1]
                    }
                }
                count = columns * rows
            }
        }
    }
}
