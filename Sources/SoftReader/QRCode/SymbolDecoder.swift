/// From how dark the modules of a QR code look to the symbol that its author drew. What isn't sure counts little: where glare or a fold hides
/// modules, their codewords are erased rather than wrong, and twice as many of those can be restored.
package struct SymbolDecoder: Sendable {
    package init() {}

    /// `nil`: too much is unknown or wrong, or the count of values is.
    /// - Parameter values: for each module, row by row: -1 if it is surely dark to 1 if it is surely light; 0 if it can't be known, and so is
    ///   what isn't a number.
    package func decode(_ values: [Float], as layout: SymbolLayout) -> RestoredSymbol? {
        guard values.count == layout.side * layout.side else { return nil }
        let values = ModuleValues.bounded(values)
        let formats = FormatWord.likely(values, layout)
        let symbols = formats.compactMap { restored(values, layout, $0, readings: formats.count) }
        // Two ways of reading it that both succeed contradict each other.
        return symbols.count == 1 ? symbols[0] : nil
    }

    private func restored(
        _ values: [Float], _ layout: SymbolLayout, _ format: FormatWord, readings: Int
    ) -> RestoredSymbol? {
        let mask = DataMask(number: format.mask)
        let received = ReceivedCodewords(values, modules: layout.dataModules, count: layout.codewordCount) {
            mask.inverts(column: $0 % layout.side, row: $0 / layout.side)
        }
        let plan = BlockPlan(layout, format.level)
        var blocks: [RestoredBlock] = []
        for indices in plan.blocks {
            guard
                let block = RestoredBlock(
                    received, indices, code: .qrCode(parity: plan.parity), readings: readings * plan.blocks.count)
            else { return nil }
            blocks.append(block)
        }
        return RestoredSymbol(layout, format, blocks, plan, values)
    }
}
