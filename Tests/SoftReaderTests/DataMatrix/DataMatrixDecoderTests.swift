import Testing
import Vocabulary

@testable import SoftReader

@Suite struct DataMatrixDecoderTests {
    @Test(arguments: DrawnDataMatrix.sizes) func `a clean symbol is read and drawn again`(size: Int) throws {
        let drawn = try DrawnDataMatrix(size: size)
        let layout = try drawn.layout()
        let restored = try #require(DataMatrixDecoder().decode(drawn.values, as: layout))
        #expect(restored.modules == drawn.modules)
        #expect(restored.errors == 0 && restored.erasures == 0)
        #expect(restored.agreement == 1)
        #expect(restored.chance < RestoredBlock.mostChance)
    }

    /// Every module belongs to a border, to one bit of one codeword, or to what is left over.
    @Test(arguments: DataMatrixLayout.Size.all.map { DataMatrixLayout($0) })
    func `each module has one meaning`(layout: DataMatrixLayout) {
        let borders = layout.borders.indices.filter { layout.borders[$0] != nil }
        let all = borders + layout.dataModules + layout.leftOver.map(\.module)
        #expect(all.sorted() == Array(layout.borders.indices))
        #expect(layout.blocks.flatMap { $0 }.sorted() == Array(0..<layout.codewordCount))
    }

    @Test(arguments: DrawnDataMatrix.sizes)
    func `half as many wrong codewords as parity has are corrected, less what chance takes`(
        size: Int
    ) throws {
        let drawn = try DrawnDataMatrix(size: size)
        let layout = try drawn.layout()
        var random = SplitMix64(seed: UInt64(size))
        // Of the smallest, all corrections would leave too much to chance.
        let count = min(layout.parity / 2, max(1, layout.parity / 2 - 2))
        var values = drawn.values
        for block in layout.blocks {
            for index in block.shuffled(using: &random).prefix(count) { Self.spoil(&values, index, layout) }
        }
        let restored = try #require(DataMatrixDecoder().decode(values, as: layout))
        #expect(restored.modules == drawn.modules)
        #expect(restored.errors == count * layout.blocks.count)
    }

    @Test func `twice as many can be hidden as be wrong`() throws {
        let drawn = try DrawnDataMatrix(size: 8)
        let layout = try drawn.layout()
        var values = drawn.values
        for index in 0..<(layout.parity - 5) {
            for module in layout.dataModules[(8 * index)..<(8 * index + 8)] { values[module] = 0 }
        }
        let restored = try #require(DataMatrixDecoder().decode(values, as: layout))
        #expect(restored.modules == drawn.modules)
        // By chance some of the modules that aren't seen are as they would be without a doubt.
        #expect(restored.errors + restored.erasures > layout.parity / 2)
    }

    @Test(arguments: DrawnDataMatrix.sizes) func `random data is none`(size: Int) throws {
        var random = SplitMix64(seed: UInt64(size))
        for _ in 0..<200 {
            var drawn = try DrawnDataMatrix(size: size)
            try drawn.scramble(using: &random)
            #expect(DataMatrixDecoder().decode(drawn.values, as: try drawn.layout()) == nil)
        }
    }

    @Test func `the right data within other borders is none`() throws {
        let drawn = try DrawnDataMatrix(size: 5)
        let layout = try drawn.layout()
        let values = zip(drawn.values, layout.borders).enumerated().map { index, module in
            module.1 != nil && index % 2 == 0 ? -module.0 : module.0
        }
        #expect(DataMatrixDecoder().decode(values, as: layout) == nil)
        #expect(DataMatrixDecoder().decode([], as: layout) == nil)
    }

    @Test(arguments: DataMatrixLayout.Size.all.map { DataMatrixLayout($0) })
    func `paper without a module is none`(layout: DataMatrixLayout) {
        let values: [Float] = layout.borders.map { $0 == true ? -1 : 1 }
        #expect(DataMatrixDecoder().decode(values, as: layout) == nil)
    }

    private static func spoil(_ values: inout [Float], _ codeword: Int, _ layout: DataMatrixLayout) {
        let module = layout.dataModules[8 * codeword + codeword % 8]
        values[module] = -values[module]
    }
}
