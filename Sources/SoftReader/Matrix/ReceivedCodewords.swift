/// The codewords as they are seen, in the symbol's order.
struct ReceivedCodewords {
    private(set) var codewords: [UInt8] = []
    /// About how likely each is right: the product of its bits'.
    private(set) var reliabilities: [Float] = []

    /// - Parameters:
    ///   - values: of each module, -1 for dark to 1 for light.
    ///   - modules: of the codewords, bit by bit, the highest first.
    ///   - count: of the codewords.
    ///   - isInverted: whether a light module is a bit that is set.
    init(_ values: [Float], modules: [Int], count: Int, isInverted: (Int) -> Bool = { _ in false }) {
        codewords.reserveCapacity(count)
        reliabilities.reserveCapacity(count)
        for index in 0..<count {
            var codeword: UInt8 = 0
            var reliability: Float = 1
            for module in modules[(8 * index)..<(8 * index + 8)] {
                let value = values[module]
                let isDark = value < 0
                let isSet = isDark != isInverted(module)
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

extension RestoredBlock {
    /// Of what was received of a symbol, those codewords.
    init?(_ received: ReceivedCodewords, _ indices: [Int], code: ReedSolomon, readings: Int) {
        self.init(
            indices.map { received.codewords[$0] }, reliabilities: indices.map { received.reliabilities[$0] },
            code: code,
            readings: readings)
    }
}
