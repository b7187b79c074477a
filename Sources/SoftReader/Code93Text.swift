import Vocabulary

/// What the patterns of a Code 93 say (ANSI/AIM BC5), if they say something that exists.
struct Code93Text: Hashable {
    /// ASCII.
    let bytes: [UInt8]

    /// The last four are shifts: each makes another character of the letter behind it.
    private enum Shift: Int {
        case dollar = 43
        case percent, slash, plus
    }

    private static let modulus = 47

    /// - Parameter patterns: one for each piece of a layout of Code 93.
    /// - Parameter isChecked: Whether both check characters must be right.
    init?(_ patterns: [Int], isChecked: Bool = true) {
        // Without paper and the start; without the stop, and its last bar.
        let values = patterns.dropFirst(2).dropLast(2).map { $0 - BarPattern.code93First }
        guard values.count >= 3, BarPattern.code93Asterisk.contains(patterns[1]),
            BarPattern.code93Asterisk.contains(patterns[patterns.count - 2])
        else { return nil }
        if isChecked {
            let (data, checks) = (values.dropLast(2), values.suffix(2))
            guard checks.first == Self.check(data, mostWeight: 20),
                checks.last == Self.check(values.dropLast(), mostWeight: 15)
            else { return nil }
        }
        guard let bytes = Self.text(values.dropLast(2)) else { return nil }
        self.bytes = bytes
    }

    /// Weights go up from the right, and begin again behind the greatest (annex).
    private static func check(_ values: ArraySlice<Int>, mostWeight: Int) -> Int {
        values.reversed().enumerated().reduce(0) { $0 + ($1.offset % mostWeight + 1) * $1.element } % modulus
    }

    private static func text(_ values: ArraySlice<Int>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var shift: Shift?
        for value in values {
            if let before = shift {
                guard CheckDigit.code39Characters.indices.contains(value),
                    let byte = shifted(CheckDigit.code39Characters[value], by: before)
                else { return nil }
                bytes.append(byte)
                shift = nil
            } else if let next = Shift(rawValue: value) {
                shift = next
            } else {
                bytes.append(CheckDigit.code39Characters[value])
            }
        }
        return shift == nil && !bytes.isEmpty ? bytes : nil
    }

    /// `nil` if that shift does nothing to the character.
    private static func shifted(_ character: UInt8, by shift: Shift) -> UInt8? {
        let letter = Character(UnicodeScalar(character))
        switch (shift, letter) {
        case (.dollar, "A"..."Z"): return character - 64
        case (.plus, "A"..."Z"): return character + 32
        case (.slash, "A"..."O"): return character - 32
        case (.slash, "Z"): return UInt8(ascii: ":")
        case (.percent, "A"..."E"): return character - 38
        case (.percent, "F"..."J"): return character - 11
        case (.percent, "K"..."O"): return character + 16
        case (.percent, "P"..."T"): return character + 43
        case (.percent, "U"): return 0
        case (.percent, "V"): return UInt8(ascii: "@")
        case (.percent, "W"): return UInt8(ascii: "`")
        case (.percent, "X"..."Z"): return 127
        default: return nil
        }
    }
}
