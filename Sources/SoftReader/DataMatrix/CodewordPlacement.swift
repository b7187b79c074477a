/// Where the bits of codewords are, in the data's modules without borders (ISO/IEC 16022:2006, annex F).
struct CodewordPlacement {
    /// For each codeword one after the other, its bits' places, the highest first; row by row, from 0 at the upper left.
    private(set) var places: [Int] = []
    /// What no codeword takes: the lower right corner of four, as in a chessboard.
    private(set) var leftOver: [(place: Int, isDark: Bool)] = []

    private let columns: Int
    private let rows: Int
    private var isTaken: [Bool]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        isTaken = [Bool](repeating: false, count: columns * rows)
        var (column, row) = (0, 4)
        repeat {
            placeCorners(column: column, row: row)
            // Diagonally up, and down.
            repeat {
                if row < rows, column >= 0, !isTaken[row * columns + column] { placeCodeword(column: column, row: row) }
                (row, column) = (row - 2, column + 2)
            } while row >= 0 && column < columns
            (row, column) = (row + 1, column + 3)
            repeat {
                if row >= 0, column < columns, !isTaken[row * columns + column] {
                    placeCodeword(column: column, row: row)
                }
                (row, column) = (row + 2, column - 2)
            } while row < rows && column >= 0
            (row, column) = (row + 3, column + 1)
        } while row < rows || column < columns
        for place in isTaken.indices where !isTaken[place] {
            leftOver.append((place, (place % columns + place / columns) % 2 == (columns + rows) % 2))
        }
    }

    /// The usual shape: two, three and three modules. `column` and `row` are those of its last bit.
    private static let shape = [(-2, -2), (-1, -2), (-2, -1), (-1, -1), (0, -1), (-2, 0), (-1, 0), (0, 0)]

    private mutating func placeCodeword(column: Int, row: Int) {
        for (right, below) in Self.shape {
            var (x, y) = (column + right, row + below)
            // What sticks out goes on at the other side.
            if y < 0 { (x, y) = (x + 4 - (rows + 4) % 8, y + rows) }
            if x < 0 { (x, y) = (x + columns, y + 4 - (columns + 4) % 8) }
            place(x, y)
        }
    }

    /// The four shapes for what is left at corners.
    private mutating func placeCorners(column: Int, row: Int) {
        let (right, bottom) = (columns - 1, rows - 1)
        let top = [(right - 1, 0), (right, 0), (right, 1)]
        if row == rows, column == 0 {
            place([(0, bottom), (1, bottom), (2, bottom)] + top + [(right, 2), (right, 3)])
        }
        if row == rows - 2, column == 0, columns % 4 != 0 {
            let left = [(0, bottom - 2), (0, bottom - 1), (0, bottom)]
            place(left + [(right - 3, 0), (right - 2, 0), (right - 1, 0), (right, 0), (right, 1)])
        }
        if row == rows - 2, column == 0, columns % 8 == 4 {
            place([(0, bottom - 2), (0, bottom - 1), (0, bottom)] + top + [(right, 2), (right, 3)])
        }
        if row == rows + 4, column == 2, columns % 8 == 0 {
            let above = [(right - 2, 0), (right - 1, 0), (right, 0)]
            place([(0, bottom), (right, bottom)] + above + [(right - 2, 1), (right - 1, 1), (right, 1)])
        }
    }

    private mutating func place(_ bits: [(Int, Int)]) {
        for (column, row) in bits { place(column, row) }
    }

    private mutating func place(_ column: Int, _ row: Int) {
        let place = row * columns + column
        isTaken[place] = true
        places.append(place)
    }
}
