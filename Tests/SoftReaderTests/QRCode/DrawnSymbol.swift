import CQRCode
import SoftReader
import Testing
import Vocabulary

/// A symbol by libqrencode, and what a camera may make of it.
struct DrawnSymbol: CustomTestStringConvertible {
    let layout: SymbolLayout
    let plan: BlockPlan
    let bytes: [UInt8]
    private(set) var modules: [Bool]
    /// For a decoder: undamaged at first.
    var values: [Float]

    /// Random bytes, as many as fit, less up to a third.
    init?(version: Int, level: ErrorCorrectionLevel, seed: UInt64 = 1) {
        guard let layout = SymbolLayout(version: version) else { return nil }
        var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(4 * version + level.rawValue))
        let plan = BlockPlan(layout, level)
        let capacity = layout.codewordCount - plan.blocks.count * plan.parity - (version < 10 ? 2 : 3)
        let count = capacity - Int.random(in: 0...(capacity / 3), using: &random)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        var drawn = [UInt8](repeating: 0, count: layout.side * layout.side)
        let side = CQRCode_encode_as(
            bytes, bytes.count, Int32(version), Int32(level.rawValue), &drawn, drawn.count)
        guard side == layout.side else { return nil }
        self.layout = layout
        self.plan = plan
        self.bytes = bytes
        modules = drawn.map { $0 == 1 }
        values = drawn.map { $0 == 1 ? -1 : 1 }
    }

    func modules(ofCodeword index: Int) -> ArraySlice<Int> { layout.dataModules[(8 * index)..<(8 * index + 8)] }

    /// Another value, clearly seen or not.
    mutating func spoil(codeword index: Int, certainty: Float = 1, using random: inout SplitMix64) {
        let flips = UInt8.random(in: 1...255, using: &random)
        for (bit, module) in modules(ofCodeword: index).enumerated() {
            values[module] = (modules[module] != (flips >> bit & 1 == 1) ? -1 : 1) * certainty
        }
    }

    /// Some codewords of each block, so that they are wrong.
    mutating func spoil(inEachBlock count: Int, certainty: Float = 1, using random: inout SplitMix64) {
        for block in plan.blocks {
            for index in block.shuffled(using: &random).prefix(count) {
                spoil(codeword: index, certainty: certainty, using: &random)
            }
        }
    }

    /// Nothing is seen within `radius`, in modules.
    mutating func glare(column: Double, row: Double, radius: Double) {
        for index in values.indices {
            let (x, y) = (Double(index % layout.side) - column, Double(index / layout.side) - row)
            if x * x + y * y <= radius * radius { values[index] = 0 }
        }
    }

    /// Draws random modules wherever a code says something.
    mutating func scramble(using random: inout SplitMix64) {
        for index in layout.dataModules { modules[index] = Bool.random(using: &random) }
    }

    /// For each block, how many codewords have a module that isn't seen.
    var hiddenCodewords: [Int] {
        plan.blocks.map { $0.filter { modules(ofCodeword: $0).contains { values[$0] == 0 } }.count }
    }

    /// Thousands of values say nothing to a reader of test results.
    var testDescription: String { "a symbol of version \(layout.version)" }

    func decoded() -> RestoredSymbol? { SymbolDecoder().decode(values, as: layout) }
}

/// All versions with all levels.
let everySymbol = SymbolLayout.versions.flatMap { version in
    ErrorCorrectionLevel.allCases.map { Kind(version: version, level: $0) }
}

struct Kind: CustomTestStringConvertible, Sendable {
    let version: Int
    let level: ErrorCorrectionLevel

    var testDescription: String { "\(version)-\(level)" }
}
