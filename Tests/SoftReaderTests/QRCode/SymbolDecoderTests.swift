import Testing
import Vocabulary

@testable import SoftReader

extension Kind {
    /// Wrong codewords that the standard has a block corrected of: some parity is kept against wrong decoding (ISO/IEC 18004:2015, table 9).
    func mostErrors(_ plan: BlockPlan) -> Int {
        let kept =
            switch (version, level) {
            case (1, .low): 3
            case (1, .medium), (2, .low): 2
            case (1, .quartile), (1, .high), (3, .low): 1
            default: 0
            }
        return (plan.parity - kept) / 2
    }
}

@Suite struct SymbolDecoderTests {
    @Test(arguments: everySymbol) func `a clean symbol is read and drawn again`(kind: Kind) throws {
        let drawn = try #require(DrawnSymbol(version: kind.version, level: kind.level))
        let restored = try #require(drawn.decoded())
        #expect(restored.modules == drawn.modules)
        #expect(restored.level == kind.level)
        #expect(restored.layout.version == kind.version)
        #expect(restored.errors == 0 && restored.erasures == 0)
        #expect(restored.agreement == 1)
        #expect(restored.chance < RestoredBlock.mostChance)
        #expect(content(restored) == drawn.bytes)
    }

    /// What byte mode says.
    private func content(_ restored: RestoredSymbol) -> [UInt8]? {
        let bits = restored.data.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
        func number(_ start: Int, _ count: Int) -> Int { bits[start..<(start + count)].reduce(0) { $0 << 1 | $1 } }
        let lengthBits = restored.layout.version < 10 ? 8 : 16
        guard number(0, 4) == 4 else { return nil }
        return (0..<number(4, lengthBits)).map { UInt8(number(4 + lengthBits + 8 * $0, 8)) }
    }

    @Test func `every mask is read`() throws {
        var masks: Set<Int> = []
        for seed in 1...60 {
            let drawn = try #require(DrawnSymbol(version: 3, level: .medium, seed: UInt64(seed)))
            let restored = try #require(drawn.decoded())
            #expect(restored.modules == drawn.modules)
            masks.insert(restored.mask)
        }
        #expect(masks == Set(0..<8))
    }

    @Test(arguments: everySymbol) func `as many errors are corrected as the standard allows`(kind: Kind) throws {
        var random = SplitMix64(seed: 11)
        var drawn = try #require(DrawnSymbol(version: kind.version, level: kind.level))
        let errors = kind.mostErrors(drawn.plan)
        drawn.spoil(inEachBlock: errors, using: &random)
        let restored = try #require(drawn.decoded())
        #expect(restored.modules == drawn.modules)
        #expect(restored.agreement < 1)
        // Codewords that are all alike are erased in the order in which they come, and some by chance are wrong ones.
        #expect(restored.errors <= errors * drawn.plan.blocks.count)
        #expect(restored.errors + restored.erasures >= errors * drawn.plan.blocks.count)
        #expect(restored.chance <= RestoredBlock.mostChance)
    }

    @Test(arguments: everySymbol) func `one error more in one block, and nothing is read`(kind: Kind) throws {
        var random = SplitMix64(seed: 12)
        var drawn = try #require(DrawnSymbol(version: kind.version, level: kind.level))
        // The last ones: erasing from the first on doesn't help.
        let block = try #require(drawn.plan.blocks.last)
        for index in block.suffix(drawn.plan.parity / 2 + 1) { drawn.spoil(codeword: index, using: &random) }
        #expect(drawn.decoded() == nil)
    }

    @Test(arguments: everySymbol) func `what looks doubtful is erased`(kind: Kind) throws {
        var random = SplitMix64(seed: 13)
        var drawn = try #require(DrawnSymbol(version: kind.version, level: kind.level))
        // With less parity left, chance would be too large for the many blocks of large symbols.
        let doubtful = drawn.plan.parity - 6
        drawn.spoil(inEachBlock: doubtful, certainty: 0.2, using: &random)
        if doubtful / 2 > kind.mostErrors(drawn.plan) / 2 {
            let restored = try #require(drawn.decoded())
            #expect(restored.modules == drawn.modules)
            #expect(restored.erasures >= doubtful * drawn.plan.blocks.count - 1)
        }
        // The same, but nothing tells which ones.
        for index in drawn.values.indices where drawn.values[index] != 0 {
            drawn.values[index] = drawn.values[index] < 0 ? -1 : 1
        }
        if doubtful > drawn.plan.parity / 2 + 1 { #expect(drawn.decoded() == nil) }
    }

    @Test(arguments: [
        (2, ErrorCorrectionLevel.medium, 14.0, 14.0, 4.0), (5, .medium, 20.0, 20.0, 8.5), (5, .low, 20.0, 18.0, 6.0),
        (10, .quartile, 28.0, 30.0, 16.5), (25, .high, 60.0, 60.0, 40.0), (40, .low, 90.0, 80.0, 37.0),
    ])
    func `glare may hide more than could be corrected`(
        version: Int, level: ErrorCorrectionLevel, column: Double, row: Double, radius: Double
    ) throws {
        var drawn = try #require(DrawnSymbol(version: version, level: level))
        drawn.glare(column: column, row: row, radius: radius)
        // In the worst block.
        let hidden = try #require(drawn.hiddenCodewords.max())
        #expect(hidden > drawn.plan.parity / 2 + 1)
        #expect(hidden <= drawn.plan.parity - 4)
        let restored = try #require(drawn.decoded())
        #expect(restored.modules == drawn.modules)
        #expect(restored.erasures > 0)
        // A stain in the same place, as sure of itself as the rest, is too much.
        for index in drawn.values.indices where drawn.values[index] == 0 {
            drawn.values[index] = drawn.modules[index] ? 1 : -1
        }
        #expect(drawn.decoded() == nil)
    }

    @Test func `one block that is hidden too far, and nothing is read`() throws {
        var drawn = try #require(DrawnSymbol(version: 6, level: .medium))
        let block = drawn.plan.blocks[2]
        for index in block.prefix(drawn.plan.parity - 4) {
            for module in drawn.modules(ofCodeword: index) { drawn.values[module] = 0 }
        }
        #expect(drawn.decoded()?.modules == drawn.modules)
        for index in block.prefix(drawn.plan.parity) {
            for module in drawn.modules(ofCodeword: index) { drawn.values[module] = 0 }
        }
        #expect(drawn.decoded() == nil)
    }

    @Test func `chance accepts nothing`() throws {
        var random = SplitMix64(seed: 21)
        let layouts = (1...4).compactMap { SymbolLayout(version: $0) }
        for layout in layouts {
            for _ in 0..<5_000 {
                let values = layout.fixed.map { _ in Float.random(in: -1...1, using: &random) }
                #expect(SymbolDecoder().decode(values, as: layout) == nil)
            }
        }
    }

    /// Patterns and format as they should be, and only the data by chance.
    @Test func `chance accepts nothing between patterns`() throws {
        var random = SplitMix64(seed: 22)
        for version in 1...4 {
            for level in ErrorCorrectionLevel.allCases {
                var drawn = try #require(DrawnSymbol(version: version, level: level))
                for _ in 0..<1_250 {
                    for module in drawn.layout.dataModules {
                        drawn.values[module] = .random(in: -1...1, using: &random)
                    }
                    #expect(drawn.decoded() == nil)
                }
            }
        }
    }

    @Test func `what is all alike is nothing`() throws {
        for version in SymbolLayout.versions {
            let layout = try #require(SymbolLayout(version: version))
            for value: Float in [-1, 0, 1, .nan] {
                let values = [Float](repeating: value, count: layout.side * layout.side)
                #expect(SymbolDecoder().decode(values, as: layout) == nil)
                // With patterns and format of a real one, too.
                var drawn = try #require(DrawnSymbol(version: version, level: .medium))
                for module in layout.dataModules { drawn.values[module] = value }
                #expect(drawn.decoded() == nil)
            }
        }
    }

    @Test func `a symbol without its patterns is none`() throws {
        var random = SplitMix64(seed: 23)
        var drawn = try #require(DrawnSymbol(version: 2, level: .medium))
        for (index, isDark) in drawn.layout.fixed.enumerated() where isDark != nil {
            drawn.values[index] = Bool.random(using: &random) ? 1 : -1
        }
        #expect(drawn.decoded() == nil)
        // Hidden, they say nothing against it.
        for (index, isDark) in drawn.layout.fixed.enumerated() where isDark != nil { drawn.values[index] = 0 }
        #expect(drawn.decoded()?.modules == drawn.modules)
    }

    /// Erased codewords may be anything, but not the opposite of what is clearly seen.
    @Test(arguments: [(Float(0.2), true), (0.3, false)])
    func `what is clearly seen must be as it is drawn`(certainty: Float, isRead: Bool) throws {
        var drawn = try #require(DrawnSymbol(version: 5, level: .high))
        for block in drawn.plan.blocks {
            for module in block.prefix(drawn.plan.parity - 4).flatMap(drawn.modules(ofCodeword:)) {
                drawn.values[module] = drawn.modules[module] ? certainty : -certainty
            }
        }
        #expect(drawn.decoded()?.modules == (isRead ? drawn.modules : nil))
    }

    @Test func `values that are no values are unknown`() throws {
        var drawn = try #require(DrawnSymbol(version: 5, level: .medium))
        drawn.values[0] = .infinity
        drawn.values[1] = -.infinity
        drawn.glare(column: 20, row: 20, radius: 8)
        for index in drawn.values.indices where drawn.values[index] == 0 { drawn.values[index] = .nan }
        #expect(drawn.decoded()?.modules == drawn.modules)
        for index in drawn.values.indices { drawn.values[index] *= .infinity }
        #expect(drawn.decoded()?.modules == drawn.modules)
    }

    @Test func `another count of values gives nothing`() throws {
        let drawn = try #require(DrawnSymbol(version: 3, level: .low))
        #expect(drawn.decoded() != nil)
        let decoder = SymbolDecoder()
        for values in [[], [1], Array(drawn.values.dropLast()), drawn.values + [1]] {
            #expect(decoder.decode(values, as: drawn.layout) == nil)
        }
        let larger = try #require(SymbolLayout(version: 4))
        #expect(decoder.decode(drawn.values, as: larger) == nil)
    }

    @Test(arguments: 0..<2) func `one copy of the format suffices`(copy: Int) throws {
        for seed in 1...20 {
            var drawn = try #require(DrawnSymbol(version: 4, level: .quartile, seed: UInt64(seed)))
            for module in drawn.layout.formatModules[copy] { drawn.values[module] = 0 }
            // Two wrong bits of the other.
            for module in drawn.layout.formatModules[1 - copy].prefix(2) { drawn.values[module] *= -1 }
            #expect(drawn.decoded()?.modules == drawn.modules)
            // A dark stain.
            for module in drawn.layout.formatModules[copy] { drawn.values[module] = -0.6 }
            #expect(drawn.decoded()?.modules == drawn.modules)
        }
    }

    /// The best fit isn't the right word: it says -1 in both copies for what differs.
    @Test func `the second best format is tried`() throws {
        var drawn = try #require(DrawnSymbol(version: 4, level: .quartile))
        let right = try #require(drawn.decoded())
        let word = FormatWord(right.level, mask: right.mask).bits
        let rival = try #require(
            FormatWord.all.filter { $0.bits != word }
                .min { ($0.bits ^ word).nonzeroBitCount < ($1.bits ^ word).nonzeroBitCount })
        for copy in drawn.layout.formatModules {
            for (bit, module) in copy.enumerated() where (rival.bits ^ word) >> bit & 1 == 1 {
                drawn.values[module] *= -0.1
            }
        }
        #expect(FormatWord.likely(drawn.values, drawn.layout).first?.bits == rival.bits)
        #expect(drawn.decoded()?.modules == drawn.modules)
    }
}
