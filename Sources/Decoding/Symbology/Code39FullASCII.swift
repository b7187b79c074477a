/// Code 39's full ASCII mode (ISO/IEC 16388, annex B.1): one of `$ % / +` and a letter together stand for a character that Code 39 itself
/// lacks. Nothing in the code says whether it uses this mode.
enum Code39FullASCII {
    /// The ASCII data if every shift character begins a valid pair and there is at least one; `nil` otherwise. Also `nil` for data that begins
    /// with `+`, as HIBC labels do, which aren't full ASCII.
    static func decoded(_ characters: [UInt8]) -> [UInt8]? {
        guard characters.first != UInt8(ascii: "+") else { return nil }
        var result: [UInt8] = []
        var pairs = 0
        var index = 0
        while index < characters.count {
            let character = characters[index]
            index += 1
            guard isShift(character) else {
                result.append(character)
                continue
            }
            guard index < characters.count, let meant = meaning(of: character, characters[index]) else { return nil }
            result.append(meant)
            pairs += 1
            index += 1
        }
        return pairs > 0 ? result : nil
    }

    private static func isShift(_ character: UInt8) -> Bool { "$%/+".utf8.contains(character) }

    private static func meaning(of shift: UInt8, _ letter: UInt8) -> UInt8? {
        guard letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "Z") else { return nil }
        switch shift {
        case UInt8(ascii: "+"):
            return letter + 32
        case UInt8(ascii: "$"):
            return letter - 64
        case UInt8(ascii: "/"):
            if letter <= UInt8(ascii: "O") { return letter - 32 }
            return letter == UInt8(ascii: "Z") ? UInt8(ascii: ":") : nil
        default:
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "E"): return letter - 38
            case UInt8(ascii: "F")...UInt8(ascii: "J"): return letter - 11
            case UInt8(ascii: "K")...UInt8(ascii: "O"): return letter + 16
            case UInt8(ascii: "P")...UInt8(ascii: "T"): return letter + 43
            case UInt8(ascii: "U"): return 0
            case UInt8(ascii: "V"): return UInt8(ascii: "@")
            case UInt8(ascii: "W"): return UInt8(ascii: "`")
            default: return 127
            }
        }
    }
}
