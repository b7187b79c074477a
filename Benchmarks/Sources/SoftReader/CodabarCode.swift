/// A Codabar to draw, by the standard's table. Written apart from the reader's, so that a mistake in one of them shows.
struct CodabarCode: DrawnLinearCode {
    let text: String
    /// 1 is a bar; entries are eighths of a module.
    let modules: [UInt8]
    static let perModule = 8
    var entriesPerModule: Int { Self.perModule }

    /// Which of the seven bars and spaces are wide, from the highest bit.
    private static let wide: [Character: Int] = [
        "0": 0x03, "1": 0x06, "2": 0x09, "3": 0x60, "4": 0x12, "5": 0x42, "6": 0x21, "7": 0x24, "8": 0x30, "9": 0x48,
        "-": 0x0C, "$": 0x18, ":": 0x45, "/": 0x51, ".": 0x54, "+": 0x15, "A": 0x1A, "B": 0x29, "C": 0x0B, "D": 0x0E,
    ]

    /// - Parameter wide: eighths of a module.
    private init(_ text: String, wide: Int) {
        self.text = text
        var modules: [UInt8] = []
        for character in text {
            if !modules.isEmpty { modules += [UInt8](repeating: 0, count: Self.perModule) }
            for place in 0..<7 {
                let isWide = (Self.wide[character] ?? 0) >> (6 - place) & 1 == 1
                modules += [UInt8](repeating: place % 2 == 0 ? 1 : 0, count: isWide ? wide : Self.perModule)
            }
        }
        self.modules = modules
    }

    /// Characters that the soft reader doesn't know.
    static let unknown = ":/.+"

    /// Wide ones of 2 to 3 modules.
    /// - Parameter others: one of them is somewhere in it, or two.
    static func random(others: String = "", by random: inout SplitMix) -> CodabarCode {
        var data = (0..<Int.random(in: 4...14, using: &random)).map { _ -> Character in
            "012345678901234567890123456789-$".randomElement(using: &random) ?? "0"
        }
        for _ in 0..<2 {
            if let other = others.randomElement(using: &random) {
                data[.random(in: data.indices, using: &random)] = other
            }
        }
        let letters = Array("ABCD")
        let (start, stop) = (letters.randomElement(using: &random), letters.randomElement(using: &random))
        return CodabarCode(
            String(start ?? "A") + String(data) + String(stop ?? "A"),
            wide: .random(in: 2 * perModule...3 * perModule, using: &random))
    }

    /// What is left, as a part of its length, where paper covers it from one end to the edge of a bar, the first or last letter at least.
    func uncovered(atLeft: Bool, by random: inout SplitMix) -> ClosedRange<Double> {
        let begins = modules.indices.filter { modules[$0] == 1 && ($0 == 0 || modules[$0 - 1] == 0) }
        let ends = modules.indices.filter { modules[$0] == 1 && ($0 == modules.count - 1 || modules[$0 + 1] == 0) }
        // A letter has four bars.
        let covered = Int.random(in: 4..<begins.count / 2, using: &random)
        let count = Double(modules.count)
        return atLeft
            ? Double(begins[covered]) / count...1 : 0...Double(ends[ends.count - 1 - covered] + 1) / count
    }

    /// What is left where the cover goes a little further than the edge of that bar, or less far.
    func sliced(_ part: ClosedRange<Double>, by random: inout SplitMix) -> ClosedRange<Double> {
        let off = Double.random(in: -1.5...1.5, using: &random) * Double(Self.perModule) / Double(modules.count)
        return part.lowerBound > 0 ? part.lowerBound + off...1 : 0...part.upperBound + off
    }

    var meaning: String { text }
    /// ZBar gives small letters.
    func isSaid(by text: String) -> Bool { text.uppercased() == self.text }
}
