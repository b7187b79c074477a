import Vocabulary

/// A few thousand numbers that stand for a picture: the mean luma and edge strength of square cells, from a quarter of the rows.
///
/// Made row by row while a frame is copied and its rows are in the cache. It is enough to see whether a picture changed (even in a corner),
/// whether it shows anything, and how bright it is.
package struct FrameSignature: Sendable {
    /// Cells are at least this wide and high, in pixels.
    static let minCell = 16
    /// If there would be more cells than this, they are made larger.
    static let maxCells = 4096
    /// How many rows of each cell are sampled.
    static let samplesPerCell = 4
    /// The fixed point of `means` and `edges`: this many units per step of luma.
    static let unit = 16

    package private(set) var size = FrameSize(width: 0, height: 0)
    private(set) var cell = minCell
    private(set) var columns = 0
    private(set) var rows = 0
    /// Mean luma of each cell, in 1/16 steps; row by row.
    private(set) var means: [UInt16] = []
    /// Mean difference between neighbouring samples of each cell, in 1/16 steps.
    private(set) var edges: [UInt16] = []
    /// Mean luma, 0…255.
    package private(set) var meanLuma: Float = 0

    private var sums: [UInt32] = []
    private var edgeSums: [UInt32] = []
    private var samples = 0

    package init() {}

    /// Pass every `rowStep`th row to `add`, from 0.
    package var rowStep: Int { cell / Self.samplesPerCell }

    /// Begins a picture. Keeps its memory if the size is the same as before.
    package mutating func begin(_ size: FrameSize) {
        samples = 0
        guard size != self.size else {
            clearSums()
            return
        }
        self.size = size
        cell = Self.minCell
        while (size.width / cell) * (size.height / cell) > Self.maxCells { cell *= 2 }
        columns = max(1, size.width / cell)
        rows = max(1, size.height / cell)
        means = Array(repeating: 0, count: columns * rows)
        edges = means
        sums = Array(repeating: 0, count: columns)
        edgeSums = sums
    }

    /// Adds row `y` (a multiple of `rowStep`), whose samples are at `row`; the row `rowStep` before it is at `above`, if any.
    package mutating func add(row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, y: Int) {
        let above = above ?? row
        let side = min(cell, size.width)
        sums.withUnsafeMutableBufferPointer { sums in
            edgeSums.withUnsafeMutableBufferPointer { edgeSums in
                for column in 0..<columns {
                    let start = column * cell
                    let (sum, edge) =
                        side == Self.minCell
                        ? Self.measure(row + start, above + start, count: Self.minCell)
                        : Self.measure(row + start, above + start, count: side)
                    sums[column] &+= sum
                    edgeSums[column] &+= edge
                }
            }
        }
        samples += 1
        // The rows below the last whole cell belong to it.
        let cellRow = min(y / cell, rows - 1)
        let next = y + rowStep
        if next >= size.height || min(next / cell, rows - 1) != cellRow { finish(row: cellRow, side: side) }
    }

    /// Ends the picture.
    package mutating func end() {
        var sum: UInt64 = 0
        for mean in means { sum &+= UInt64(mean) }
        meanLuma = Float(sum) / Float(max(1, means.count) * Self.unit)
    }

    @inline(__always)
    private static func measure(
        _ row: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, count: Int
    ) -> (sum: UInt32, edge: UInt32) {
        var sum: UInt32 = 0
        var edge: UInt32 = 0
        for x in 0..<count {
            sum &+= UInt32(row[x])
            edge &+= UInt32(max(row[x], above[x]) &- min(row[x], above[x]))
        }
        // Two apart: an edge is rarely sharper than that.
        for x in 0..<max(0, count - 2) {
            edge &+= UInt32(max(row[x], row[x &+ 2]) &- min(row[x], row[x &+ 2]))
        }
        return (sum, edge)
    }

    private mutating func finish(row: Int, side: Int) {
        let count = UInt32(max(1, samples * side))
        let start = row * columns
        for column in 0..<columns {
            means[start + column] = UInt16(clamping: sums[column] * UInt32(Self.unit) / count)
            edges[start + column] = UInt16(clamping: edgeSums[column] * UInt32(Self.unit) / count)
        }
        clearSums()
        samples = 0
    }

    private mutating func clearSums() {
        for column in 0..<columns {
            sums[column] = 0
            edgeSums[column] = 0
        }
    }
}
