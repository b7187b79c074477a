/// From how dark the modules of a QR code look to the symbol that its author drew. What isn't sure counts little: where glare or a fold hides
/// modules, their codewords are erased rather than wrong, and twice as many of those can be restored.
package struct SymbolDecoder: Sendable {
    package init() {}

    /// `nil`: too much is unknown or wrong, or the count of values is.
    /// - Parameter values: for each module, row by row: -1 if it is surely dark to 1 if it is surely light; 0 if it can't be known, and so is
    ///   what isn't a number.
    package func decode(_ values: [Float], as layout: SymbolLayout) -> RestoredSymbol? {
        guard values.count == layout.side * layout.side else { return nil }
        let values = Self.bounded(values)
        let formats = FormatWord.likely(values, layout)
        let symbols = formats.compactMap { restored(values, layout, $0, readings: formats.count) }
        // Two ways of reading it that both succeed contradict each other.
        return symbols.count == 1 ? symbols[0] : nil
    }

    static func bounded(_ values: [Float]) -> [Float] { values.map { $0.isNaN ? 0 : min(max($0, -1), 1) } }

    private func restored(
        _ values: [Float], _ layout: SymbolLayout, _ format: FormatWord, readings: Int
    ) -> RestoredSymbol? {
        let received = ReceivedCodewords(values, layout, DataMask(number: format.mask))
        let plan = BlockPlan(layout, format.level)
        var blocks: [RestoredBlock] = []
        for indices in plan.blocks {
            guard
                let block = RestoredBlock(
                    indices.map { received.codewords[$0] }, reliabilities: indices.map { received.reliabilities[$0] },
                    parity: plan.parity, readings: readings * plan.blocks.count)
            else { return nil }
            blocks.append(block)
        }
        return RestoredSymbol(layout, format, blocks, plan, values)
    }
}

/// The codewords as they are seen, in the symbol's order.
private struct ReceivedCodewords {
    private(set) var codewords: [UInt8] = []
    /// About how likely each is right: the product of its bits'.
    private(set) var reliabilities: [Float] = []

    init(_ values: [Float], _ layout: SymbolLayout, _ mask: DataMask) {
        codewords.reserveCapacity(layout.codewordCount)
        reliabilities.reserveCapacity(layout.codewordCount)
        for index in 0..<layout.codewordCount {
            var codeword: UInt8 = 0
            var reliability: Float = 1
            for module in layout.dataModules[(8 * index)..<(8 * index + 8)] {
                let value = values[module]
                let isDark = value < 0
                let isSet = isDark != mask.inverts(column: module % layout.side, row: module / layout.side)
                codeword = codeword << 1 | (isSet ? 1 : 0)
                // A guess at unknown modules is right by half. How the rest goes matters little: with noise on all modules, the least value, the sum
                // of the two least and several such products restored the same part of drawn symbols within 2 %.
                let doubt = 1 - abs(value)
                reliability *= 1 - doubt * doubt / 2
            }
            codewords.append(codeword)
            reliabilities.append(reliability)
        }
    }
}
