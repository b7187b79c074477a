/// The BCH codes of format and version information (ISO/IEC 18004:2015, annexes C and D).
enum BinaryCode {
    /// `data`, followed by its remainder.
    /// - Parameter generator: Its degree is `parity`.
    static func word(_ data: Int, generator: Int, parity: Int) -> Int {
        var remainder = data
        for _ in 0..<parity {
            remainder <<= 1
            if remainder >> parity & 1 == 1 { remainder ^= generator }
        }
        return data << parity | remainder & (1 << parity - 1)
    }

    /// How well a word fits all of its copies: at most the sum of what is seen.
    /// - Parameter copies: the modules of the bits, the lowest first.
    static func correlation(_ word: Int, _ values: [Float], _ copies: [[Int]]) -> Float {
        var sum: Float = 0
        for copy in copies {
            for (bit, module) in copy.enumerated() { sum += word >> bit & 1 == 1 ? -values[module] : values[module] }
        }
        return sum
    }
}
