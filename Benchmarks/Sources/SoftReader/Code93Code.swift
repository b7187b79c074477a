/// A Code 93 to draw, by the standard's table. Written apart from the reader's, so that a mistake in one of them shows.
struct Code93Code: DrawnLinearCode {
    let text: String
    /// 1 is a bar.
    let modules: [UInt8]

    /// Nine modules each, from the highest bit: 43 characters, four shifts, start and stop.
    private static let symbols = [
        0x114, 0x148, 0x144, 0x142, 0x128, 0x124, 0x122, 0x150, 0x112, 0x10A, 0x1A8, 0x1A4, 0x1A2, 0x194, 0x192, 0x18A,
        0x168, 0x164, 0x162, 0x134, 0x11A, 0x158, 0x14C, 0x146, 0x12C, 0x116, 0x1B4, 0x1B2, 0x1AC, 0x1A6, 0x196, 0x19A,
        0x16C, 0x166, 0x136, 0x13A, 0x12E, 0x1D4, 0x1D2, 0x1CA, 0x16E, 0x176, 0x1AE, 0x126, 0x1DA, 0x1D6, 0x132, 0x15E,
    ]
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")
    private static let plus = 46

    /// - Parameter checkOffsets: what the two check characters are wrong by.
    private init(_ text: String, checkOffsets: (Int, Int)) {
        self.text = text
        var values = text.flatMap { character -> [Int] in
            if let value = Self.characters.firstIndex(of: character) { return [value] }
            let capital = Character(character.uppercased())
            return Self.characters.firstIndex(of: capital).map { [Self.plus, $0] } ?? []
        }
        for (most, offset) in [(20, checkOffsets.0), (15, checkOffsets.1)] {
            var sum = 0
            for (place, value) in values.reversed().enumerated() { sum += (place % most + 1) * value }
            values.append((sum + offset) % 47)
        }
        let all = [47] + values + [47]
        modules = all.flatMap { value in (0..<9).map { UInt8(Self.symbols[value] >> (8 - $0) & 1) } } + [1]
    }

    /// Letters and digits, some small ones; with right check characters, or with any wrong ones.
    static func random(isChecked: Bool = true, by random: inout SplitMix) -> Code93Code {
        let letters = characters + Array("abcxyz")
        let text = (0..<Int.random(in: 3...14, using: &random)).map { _ in letters.randomElement(using: &random) ?? "0"
        }
        let offsets =
            isChecked ? (0, 0) : (Int.random(in: 1..<47, using: &random), Int.random(in: 1..<47, using: &random))
        return Code93Code(String(text), checkOffsets: offsets)
    }

    var meaning: String { text }
    func isSaid(by text: String) -> Bool { text == self.text }
}
