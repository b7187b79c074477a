/// A Code 128 to draw: its modules, by the standard's table. Written apart from the reader's, so that a mistake in one of them shows.
struct Code128Code: DrawnLinearCode {
    let text: String
    /// 1 is a bar.
    let modules: [UInt8]

    private static let symbols = """
        11011001100 11001101100 11001100110 10010011000 10010001100 10001001100 10011001000 10011000100 10001100100
        11001001000 11001000100 11000100100 10110011100 10011011100 10011001110 10111001100 10011101100 10011100110
        11001110010 11001011100 11001001110 11011100100 11001110100 11101101110 11101001100 11100101100 11100100110
        11101100100 11100110100 11100110010 11011011000 11011000110 11000110110 10100011000 10001011000 10001000110
        10110001000 10001101000 10001100010 11010001000 11000101000 11000100010 10110111000 10110001110 10001101110
        10111011000 10111000110 10001110110 11101110110 11010001110 11000101110 11011101000 11011100010 11011101110
        11101011000 11101000110 11100010110 11101101000 11101100010 11100011010 11101111010 11001000010 11110001010
        10100110000 10100001100 10010110000 10010000110 10000101100 10000100110 10110010000 10110000100 10011010000
        10011000010 10000110100 10000110010 11000010010 11001010000 11110111010 11000010100 10001111010 10100111100
        10010111100 10010011110 10111100100 10011110100 10011110010 11110100100 11110010100 11110010010 11011011110
        11011110110 11110110110 10101111000 10100011110 10001011110 10111101000 10111100010 11110101000 11110100010
        10111011110 10111101110 11101011110 11110101110 11010000100 11010010000 11010011100 11000111010
        """.split(whereSeparator: \.isWhitespace).map { $0.utf8.map { $0 - 48 } }
    private static let (startB, startC, stop) = (104, 105, 106)

    /// - Parameters:
    ///   - values: symbol character values from start to the last one before the check character.
    ///   - checkOffset: what the check character is wrong by.
    private init(_ text: String, _ values: [Int], checkOffset: Int) {
        self.text = text
        let sum = values.enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
        let all = values + [(sum + checkOffset) % 103, Self.stop]
        modules = all.flatMap { Self.symbols[$0] } + [1, 1]
    }

    /// Text of letters and digits, or pairs of digits; with a right check character, or with any wrong one.
    static func random(isChecked: Bool = true, by random: inout SplitMix) -> Code128Code {
        let offset = isChecked ? 0 : Int.random(in: 1..<103, using: &random)
        if Bool.random(using: &random) {
            let pairs = (0..<Int.random(in: 3...12, using: &random)).map { _ in Int.random(in: 0..<100, using: &random)
            }
            let text = pairs.map { String($0 + 100).dropFirst() }.joined()
            return Code128Code(text, [startC] + pairs, checkOffset: offset)
        }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-./ ".utf8)
        let bytes = (0..<Int.random(in: 4...14, using: &random)).map { _ in letters.randomElement(using: &random) ?? 65
        }
        return Code128Code(
            String(decoding: bytes, as: UTF8.self), [startB] + bytes.map { Int($0) - 32 }, checkOffset: offset)
    }

    var meaning: String { text }
    func isSaid(by text: String) -> Bool { text == self.text }
}
