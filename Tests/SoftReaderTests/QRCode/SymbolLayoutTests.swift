import Testing
import Vocabulary

@testable import SoftReader

@Suite struct SymbolLayoutTests {
    @Test func `there are forty versions`() throws {
        for version in 1...40 {
            let layout = try #require(SymbolLayout(version: version))
            #expect(layout.side == 17 + 4 * version)
            #expect(SymbolLayout(side: layout.side)?.version == version)
            #expect(layout.fixed.count == layout.side * layout.side)
        }
        for version in [Int.min, -1, 0, 41, Int.max] { #expect(SymbolLayout(version: version) == nil) }
        for side in [Int.min, -3, 0, 17, 20, 22, 23, 24, 176, 178, 181, Int.max] {
            #expect(SymbolLayout(side: side) == nil)
        }
    }

    /// ISO/IEC 18004:2015, annex E.
    @Test(arguments: [
        (1, []), (2, [6, 18]), (6, [6, 34]), (7, [6, 22, 38]), (15, [6, 26, 48, 70]), (22, [6, 26, 50, 74, 98]),
        (32, [6, 34, 60, 86, 112, 138]), (36, [6, 24, 50, 76, 102, 128, 154]), (39, [6, 26, 54, 82, 110, 138, 166]),
        (40, [6, 30, 58, 86, 114, 142, 170]),
    ])
    func `alignment patterns are where the standard has them`(version: Int, lines: [Int]) throws {
        let layout = try #require(SymbolLayout(version: version))
        // Three of the corners are finders: with two lines, only the fourth is left.
        let seen = lines.count == 2 ? Array(lines.dropFirst()) : lines
        #expect(Set(layout.alignmentCentres.map(\.column)) == Set(seen))
        #expect(Set(layout.alignmentCentres.map(\.row)) == Set(seen))
        #expect(layout.alignmentCentres.count == max(0, lines.count * lines.count - 3))
        for centre in layout.alignmentCentres {
            #expect(layout.fixed[centre.row * layout.side + centre.column] == true)
            #expect(layout.fixed[centre.row * layout.side + centre.column + 1] == false)
        }
    }

    @Test func `every module is for one thing`() throws {
        for version in 1...40 {
            let layout = try #require(SymbolLayout(version: version))
            let uses =
                layout.fixed.indices.filter { layout.fixed[$0] != nil } + layout.formatModules.joined()
                + layout.versionModules.joined() + layout.dataModules
            #expect(uses.sorted() == Array(layout.fixed.indices))
        }
    }

    /// Data codewords of ISO/IEC 18004:2015, table 7.
    @Test(arguments: [
        (
            ErrorCorrectionLevel.low,
            [
                19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861,
                932, 1006, 1094, 1174, 1276, 1370, 1468, 1531, 1631, 1735, 1843, 1955, 2071, 2191, 2306, 2434, 2566,
                2702, 2812, 2956,
            ]
        ),
        (
            .medium,
            [
                16, 28, 44, 64, 86, 108, 124, 154, 182, 216, 254, 290, 334, 365, 415, 453, 507, 563, 627, 669,
                714, 782, 860, 914, 1000, 1062, 1128, 1193, 1267, 1373, 1455, 1541, 1631, 1725, 1812, 1914, 1992,
                2102, 2216, 2334,
            ]
        ),
        (
            .quartile,
            [
                13, 22, 34, 48, 62, 76, 88, 110, 132, 154, 180, 206, 244, 261, 295, 325, 367, 397, 445, 485,
                512, 568, 614, 664, 718, 754, 808, 871, 911, 985, 1033, 1115, 1171, 1231, 1286, 1354, 1426, 1502,
                1582, 1666,
            ]
        ),
        (
            .high,
            [
                9, 16, 26, 36, 46, 60, 66, 86, 100, 122, 140, 158, 180, 197, 223, 253, 283, 313, 341, 385,
                406, 442, 464, 514, 538, 596, 628, 661, 701, 745, 793, 845, 901, 961, 986, 1054, 1096, 1142,
                1222, 1276,
            ]
        ),
    ])
    func `blocks hold as much data as the standard says`(level: ErrorCorrectionLevel, data: [Int]) throws {
        for version in 1...40 {
            let layout = try #require(SymbolLayout(version: version))
            let plan = BlockPlan(layout, level)
            #expect(layout.codewordCount - plan.blocks.count * plan.parity == data[version - 1], "version \(version)")
            #expect(plan.blocks.flatMap { $0 }.sorted() == Array(0..<layout.codewordCount))
            let lengths = plan.blocks.map(\.count)
            #expect(lengths == lengths.sorted() && (lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
        }
    }

    @Test func `format and version words are the standard's`() {
        // ISO/IEC 18004:2015, annexes C (its example and first and last of the table) and D.
        #expect(FormatWord(.medium, mask: 5).bits == 0b100_0000_1100_1110)
        #expect(FormatWord(.medium, mask: 0).bits == 0x5412)
        #expect(FormatWord(.quartile, mask: 7).bits == 0x2BED)
        #expect(VersionWord.bits(7) == 0x07C94)
        #expect(VersionWord.bits(40) == 0x28C69)
    }
}
