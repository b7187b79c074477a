import CZint
import SoftReader
import TestSupport
import Testing
import Vocabulary

/// A Data Matrix by libzint, and what a camera may make of it.
struct DrawnDataMatrix: CustomTestStringConvertible {
    let columns: Int
    let rows: Int
    /// Row by row; `true` is dark.
    var modules: [Bool]

    /// - Parameter size: as libzint counts them: 1 to 15 for squares of 10 to 52 modules, 25 to 30 for rectangles.
    init(size: Int, seed: UInt64 = 1) throws {
        var random = SplitMix64(seed: seed &* 100 &+ UInt64(size))
        let text = (0..<Int.random(in: 2...6, using: &random)).map { _ in UInt8.random(in: 48...57, using: &random) }
        var drawn = [UInt8](repeating: 0, count: 52 * 52)
        var (columns, rows): (Int32, Int32) = (0, 0)
        let isDone = CZint_encode_data_matrix(
            Int32(size), text, text.count, &drawn, drawn.count, &columns, &rows)
        try #require(isDone == 1)
        (self.columns, self.rows) = (Int(columns), Int(rows))
        modules = drawn.prefix(Int(columns * rows)).map { $0 == 1 }
    }

    static let sizes = Array(1...15) + Array(25...30)

    /// As they are seen by a perfect camera.
    var values: [Float] { modules.map { $0 ? -1 : 1 } }

    func layout() throws -> DataMatrixLayout {
        let layouts = DataMatrixLayout.Size.all.map { DataMatrixLayout($0) }
        return try #require(layouts.first { $0.columns == columns && $0.rows == rows })
    }

    /// Draws random modules wherever a code says something.
    mutating func scramble(using random: inout SplitMix64) throws {
        for index in try layout().dataModules { modules[index] = Bool.random(using: &random) }
    }

    /// - Parameter place: which place of the symbol, in modules, a place of the picture shows.
    func picture(
        width: Int, height: Int, ink: Double = 40, paper: Double = 210, at place: (Double, Double) -> (Double, Double)
    ) -> BentPicture {
        BentPicture(
            of: modules, columns: columns, width: width, height: height, ink: ink, paper: paper, at: place)
    }

    /// Flat and upright, with five modules of paper around it.
    func picture(module: Double) -> BentPicture {
        picture(width: Int(Double(columns + 10) * module), height: Int(Double(rows + 10) * module)) {
            ($0 / module - 5, $1 / module - 5)
        }
    }

    var testDescription: String { "\(columns)×\(rows)" }
}

extension BentPicture {
    func dataMatrices() -> [DataMatrixReading] {
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return [] }
            return DataMatrixReader().read(LumaSamples(pixels: start, width: width, height: height, rowStride: width))
        }
    }
}
