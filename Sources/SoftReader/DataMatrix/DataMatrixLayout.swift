/// The modules of a Data Matrix of one size (ISO/IEC 16022:2006, ECC 200): which are borders, and what the others are for. Modules are counted row by row,
/// from 0 at the upper left; columns and rows, too.
package struct DataMatrixLayout: Sendable {
    /// In modules, with borders, without quiet zone.
    package let columns: Int
    package let rows: Int
    /// For each module; `true` is dark. The borders of its regions. `nil`: data, or one of those that are left over.
    package let borders: [Bool?]
    /// The modules of the codewords, bit by bit, the highest first.
    package let dataModules: [Int]
    /// Modules that no codeword needs, of a size whose modules don't come out even; `true` is dark.
    package let leftOver: [(module: Int, isDark: Bool)]
    /// Codewords for error correction, of each block.
    package let parity: Int
    /// For each block, where its codewords are in the symbol's order; data first.
    package let blocks: [[Int]]

    /// Table 7.
    package struct Size: Sendable {
        let columns: Int
        let rows: Int
        /// The parts with borders of their own.
        let regions: (across: Int, down: Int)
        let dataCodewords: Int
        let parityCodewords: Int
        let blocks: Int

        /// Those that are read: the larger ones hold 280 codewords of data and more.
        package static let all: [Size] =
            [
                (10, 1, 3, 5), (12, 1, 5, 7), (14, 1, 8, 10), (16, 1, 12, 12), (18, 1, 18, 14), (20, 1, 22, 18),
                (22, 1, 30, 20), (24, 1, 36, 24), (26, 1, 44, 28), (32, 2, 62, 36), (36, 2, 86, 42), (40, 2, 114, 48),
                (44, 2, 144, 56), (48, 2, 174, 68),
            ].map {
                Size(
                    columns: $0.0, rows: $0.0, regions: ($0.1, $0.1), dataCodewords: $0.2, parityCodewords: $0.3,
                    blocks: 1)
            } + [Size(columns: 52, rows: 52, regions: (2, 2), dataCodewords: 204, parityCodewords: 84, blocks: 2)]
            + [
                (18, 8, 1, 5, 7), (32, 8, 2, 10, 11), (26, 12, 1, 16, 14), (36, 12, 2, 22, 18), (36, 16, 2, 32, 24),
                (48, 16, 2, 49, 28),
            ].map {
                Size(
                    columns: $0.0, rows: $0.1, regions: ($0.2, 1), dataCodewords: $0.3, parityCodewords: $0.4,
                    blocks: 1)
            }
    }

    package init(_ size: Size) {
        (columns, rows) = (size.columns, size.rows)
        let region = (columns: size.columns / size.regions.across, rows: size.rows / size.regions.down)
        borders = (0..<(size.columns * size.rows)).map { index in
            Self.border(
                column: index % size.columns % region.columns, row: index / size.columns % region.rows, of: region)
        }
        /// Where a place of the data, without borders, is in the symbol.
        func module(_ place: Int) -> Int {
            let inner = (columns: region.columns - 2, rows: region.rows - 2)
            let across = inner.columns * size.regions.across
            let (column, row) = (place % across, place / across)
            let x = column / inner.columns * region.columns + 1 + column % inner.columns
            let y = row / inner.rows * region.rows + 1 + row % inner.rows
            return y * size.columns + x
        }
        let placement = CodewordPlacement(
            columns: size.columns - 2 * size.regions.across, rows: size.rows - 2 * size.regions.down)
        let count = size.dataCodewords + size.parityCodewords
        dataModules = placement.places.prefix(8 * count).map(module)
        leftOver = placement.leftOver.map { (module($0.place), $0.isDark) }
        parity = size.parityCodewords / size.blocks
        blocks = (0..<size.blocks).map { block in
            Array(stride(from: block, to: size.dataCodewords, by: size.blocks))
                + Array(stride(from: size.dataCodewords + block, to: count, by: size.blocks))
        }
    }

    package var codewordCount: Int { dataModules.count / 8 }

    /// A region's border: the left and the lower one are dark, along the others every second module is. `nil`: inside.
    private static func border(column: Int, row: Int, of region: (columns: Int, rows: Int)) -> Bool? {
        if column == 0 || row == region.rows - 1 { return true }
        if row == 0 { return column % 2 == 0 }
        if column == region.columns - 1 { return row % 2 == 1 }
        return nil
    }
}
