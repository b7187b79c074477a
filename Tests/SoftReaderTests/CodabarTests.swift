import SoftReader
import Testing
import Vocabulary

@Suite struct CodabarTests {
    /// Bars and spaces of each character, wide ones in capitals (ANSI/AIM BC3, table 1).
    private static let elements: [Character: String] = [
        "0": "bsbsbSB", "1": "bsbsBSb", "2": "bsbSbsB", "3": "BSbsbsb", "4": "bsBsbSb", "5": "BsbsbSb", "6": "bSbsbsB",
        "7": "bSbsBsb", "8": "bSBsbsb", "9": "BsbSbsb", "-": "bsbSBsb", "$": "bsBSbsb", ":": "BsbsBsB", "/": "BsBsbsB",
        ".": "BsBsBsb", "+": "bsBsBsB", "A": "bsBSbSb", "B": "bSbSbsB", "C": "bsbSbSB", "D": "bsbSBSb",
    ]

    /// Half a module an entry.
    private static func halves(_ text: String, wide: Int) -> String {
        text.map { character -> String in
            guard let elements = elements[character] else {
                Issue.record("no Codabar has \(character)")
                return ""
            }
            return elements.map { element in
                String(
                    repeating: element.lowercased() == "b" ? "1" : "0", count: element.isUppercase ? wide : 2)
            }.joined()
        }.joined(separator: "00")
    }

    private static func drawn(module: Double = 2, blur: Double = 0.3) -> DrawnCode {
        var code = DrawnCode()
        // Entries are half as wide as modules.
        code.module = module / 2
        code.blur = 2 * blur
        code.quiet = (24, 24)
        return code
    }

    @Test(arguments: [4, 5, 6])
    func `a Codabar is read with the letters at its ends, whatever its wide bars' width`(wide: Int) throws {
        let modules = Self.halves("A1037-8$1B", wide: wide)
        let reading = try #require(Self.drawn().read(modules, as: .codabar))
        #expect(reading.text == "A1037-8$1B")
        #expect(reading.symbology == .codabar)
        #expect(abs(reading.moduleWidth - 2) < 0.05)
        #expect(abs(reading.left.x - 24) < 1 && abs(reading.right.x - (24 + Double(modules.count))) < 1)
    }

    @Test(arguments: ["A0123456C", "B789-$1D", "C00$4C", "D9-85A"])
    func `every character that it knows is read`(text: String) {
        #expect(Self.drawn().read(Self.halves(text, wide: 5), as: .codabar)?.text == text)
    }

    @Test func `upside down, the first letter is at the right`() throws {
        var code = Self.drawn()
        code.isMirrored = true
        let reading = try #require(code.read(Self.halves("A1037-8$1B", wide: 5), as: .codabar))
        #expect(reading.text == "A1037-8$1B" && reading.isReversed)
    }

    @Test(arguments: [(1, 0.3), (3, 0.6)])
    func `a pixel a module, and blur of more than half of one, are read`(module: Double, blur: Double) {
        let code = Self.drawn(module: module, blur: blur)
        #expect(code.read(Self.halves("A1037-8$1B", wide: 5), as: .codabar)?.text == "A1037-8$1B")
    }

    @Test func `without paper on both sides, without letters at its ends, or with three characters it is nothing`() {
        for quiet in [(2.0, 24.0), (24, 2)] {
            var code = Self.drawn()
            code.quiet = quiet
            #expect(code.read(Self.halves("A1037-8$1B", wide: 5), as: .codabar) == nil)
        }
        for text in ["1037-8$1B", "A1037-8$1", "1037-8$1", "+1037-8$1B", "A1037-8$1:", "A137B"] {
            #expect(Self.drawn().read(Self.halves(text, wide: 5), as: .codabar) == nil)
        }
    }

    /// A digit with its neighbour's gap and bar looks like a letter, but for one narrow bar: 8 and 1 like D, 3 like A, 0 like C. Without, too, if
    /// wide bars are narrow: 2 looks like B. Rarer conditions than these are the benchmark's (`soft-reader`).
    @Test(arguments: [4, 5, 6], [(2, 0.6), (2, 0.9), (5, 0.9), (3, 1.1)])
    func `a part whose end resembles a letter is nothing`(wide: Int, _ conditions: (module: Double, blur: Double)) {
        let code = Self.drawn(module: conditions.module, blur: conditions.blur)
        for end in "0123456789-$" {
            let (before, after) = (Self.halves("B037", wide: wide).count, Self.halves("B", wide: wide).count)
            let first = Self.halves("B037\(end)0371-3B", wide: wide)
            let last = Self.halves("B037103\(end)B", wide: wide)
            // From the neighbour's last two bars into the character itself; cuts through one space leave the same.
            let parts = (-16...12).flatMap { [first.dropFirst(before + $0), last.dropLast(after + $0)] }
            for part in Set(parts.map(Self.trimmed)) {
                let read = code.read(part, as: .codabar)
                #expect(read == nil, "\(end), \(part)")
            }
        }
    }

    /// Without paper.
    private static func trimmed(_ part: Substring) -> String {
        String(part.drop { $0 == "0" }.reversed().drop { $0 == "0" }.reversed())
    }

    @Test func `bars of other codes are nothing, and it is no other code`() {
        #expect(DrawnCode().read(DrawnCode.modules("4006381333931"), as: .codabar) == nil)
        for family in BarFamily.allCases where family != .codabar {
            #expect(Self.drawn().read(Self.halves("A1037-8$1B", wide: 5), as: family) == nil)
        }
    }
}
