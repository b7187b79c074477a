/// A symbol after error correction.
package struct RestoredSymbol: Sendable {
    package let layout: SymbolLayout
    package let level: ErrorCorrectionLevel
    /// 0 to 7.
    package let mask: Int
    /// All of them, in the symbol's order: interleaved.
    package let codewords: [UInt8]
    /// The whole symbol as its author drew it, row by row; `true` is dark.
    package let modules: [Bool]
    /// Codewords that were wrong and not erased.
    package let errors: Int
    /// Codewords that were taken for unknown, right or not.
    package let erasures: Int
    /// Base 2 logarithm of an upper bound of the chance that random codewords in place of a block's would have been accepted with as few errors and
    /// erasures, in any of the attempts at it, times the number of blocks: that of the block for which it is largest. -24 at most. It is for one `decode`: whoever
    /// tries several grids, or several pictures, has as many chances.
    package let chance: Double
    /// Part of the modules that are clearly seen and are as in `modules`.
    package let agreement: Double

    /// As many wrong codewords as level H corrects, with half of their modules wrong, leave 84 % of version 40. A symbol with a wrong text has
    /// its patterns right by chance only, if they were not its own.
    private static let leastAgreement = 0.8
    /// The same for finders, timing and alignment patterns alone: stains may cover half of them. 160 to 200 random modules, and there are more in any version,
    /// reach it once in 10¹⁰.
    private static let leastPatternAgreement = 0.75

    /// `nil`: it isn't what the values show.
    /// - Parameter values: -1 for dark to 1 for light, for each module.
    init?(_ layout: SymbolLayout, _ format: FormatWord, _ blocks: [RestoredBlock], _ plan: BlockPlan, _ values: [Float])
    {
        guard blocks.count == plan.blocks.count, values.count == layout.side * layout.side else { return nil }
        var codewords = [UInt8](repeating: 0, count: layout.codewordCount)
        for (block, indices) in zip(blocks, plan.blocks) {
            for (codeword, index) in zip(block.codewords, indices) { codewords[index] = codeword }
        }
        let modules = Self.draw(layout, format, codewords)
        let seen = ModuleAgreement(modules, values) { _ in true }
        let patterns = ModuleAgreement(modules, values) { layout.fixed[$0] != nil }
        guard seen.clear > 0, seen.part >= Self.leastAgreement, patterns.part >= Self.leastPatternAgreement else {
            return nil
        }
        self.layout = layout
        level = format.level
        mask = format.mask
        self.codewords = codewords
        self.modules = modules
        errors = blocks.reduce(0) { $0 + $1.errors }
        erasures = blocks.reduce(0) { $0 + $1.erasures }
        chance = blocks.map(\.chance).max() ?? 0
        agreement = seen.part
    }

    /// The data without error correction, block after block: what the text is in.
    package var data: [UInt8] {
        let plan = BlockPlan(layout, level)
        return plan.blocks.flatMap { $0.dropLast(plan.parity).map { codewords[$0] } }
    }

    private static func draw(_ layout: SymbolLayout, _ format: FormatWord, _ codewords: [UInt8]) -> [Bool] {
        var modules = layout.fixed.map { $0 ?? false }
        let mask = DataMask(number: format.mask)
        for (bit, module) in layout.dataModules.enumerated() {
            let codeword = bit / 8
            // Bits that remain are 0 and inverted like the others.
            let isSet = codeword < codewords.count && codewords[codeword] >> (7 - bit % 8) & 1 == 1
            modules[module] = isSet != mask.inverts(column: module % layout.side, row: module / layout.side)
        }
        for copy in layout.formatModules {
            for (bit, module) in copy.enumerated() { modules[module] = format.bits >> bit & 1 == 1 }
        }
        let version = VersionWord.bits(layout.version)
        for copy in layout.versionModules {
            for (bit, module) in copy.enumerated() { modules[module] = version >> bit & 1 == 1 }
        }
        return modules
    }
}
