/// From how dark the modules of a Data Matrix look to the symbol that its author drew. What isn't sure counts little, as for a QR code (`SymbolDecoder`).
struct DataMatrixDecoder {
    /// `nil`: too much is unknown or wrong, or the count of values is.
    /// - Parameter values: for each module, row by row: -1 if it is surely dark to 1 if it is surely light; 0 if it can't be known, and so is
    ///   what isn't a number.
    func decode(_ values: [Float], as layout: DataMatrixLayout) -> RestoredDataMatrix? {
        guard values.count == layout.borders.count else { return nil }
        let values = ModuleValues.bounded(values)
        let received = ReceivedCodewords(values, modules: layout.dataModules, count: layout.codewordCount)
        var blocks: [RestoredBlock] = []
        for indices in layout.blocks {
            guard
                let block = RestoredBlock(
                    received, indices, code: .dataMatrix(parity: layout.parity), readings: layout.blocks.count)
            else { return nil }
            blocks.append(block)
        }
        return RestoredDataMatrix(layout, blocks, values)
    }
}

/// A Data Matrix after error correction.
package struct RestoredDataMatrix: Sendable {
    package let layout: DataMatrixLayout
    /// The whole symbol as its author drew it, row by row; `true` is dark.
    package let modules: [Bool]
    /// Codewords that were wrong and not erased.
    package let errors: Int
    /// Codewords that were taken for unknown, right or not.
    package let erasures: Int
    /// See `RestoredSymbol.chance`.
    package let chance: Double
    /// Part of the modules that are clearly seen and are as in `modules`.
    package let agreement: Double

    /// As for a QR code.
    private static let leastAgreement = 0.8
    /// Of the borders alone. The 36 random modules that the smallest has reach it once in 6,000, the 44 of the next one once in 80,000; and borders have been
    /// seen before modules are asked about.
    private static let leastBorderAgreement = 0.8

    /// `nil`: it isn't what the values show.
    init?(_ layout: DataMatrixLayout, _ blocks: [RestoredBlock], _ values: [Float]) {
        // No text begins with a codeword of zeros: paper without a module does, whose error correction is zeros, too.
        guard blocks.first?.codewords.first != 0 else { return nil }
        var modules = layout.borders.map { $0 ?? false }
        for (block, indices) in zip(blocks, layout.blocks) {
            for (codeword, index) in zip(block.codewords, indices) {
                for bit in 0..<8 { modules[layout.dataModules[8 * index + bit]] = codeword >> (7 - bit) & 1 == 1 }
            }
        }
        for (module, isDark) in layout.leftOver { modules[module] = isDark }
        let seen = ModuleAgreement(modules, values) { _ in true }
        let borders = ModuleAgreement(modules, values) { layout.borders[$0] != nil }
        guard seen.clear > 0, seen.part >= Self.leastAgreement, borders.part >= Self.leastBorderAgreement else {
            return nil
        }
        self.layout = layout
        self.modules = modules
        errors = blocks.reduce(0) { $0 + $1.errors }
        erasures = blocks.reduce(0) { $0 + $1.erasures }
        chance = blocks.map(\.chance).max() ?? 0
        agreement = seen.part
    }
}
