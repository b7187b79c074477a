import SoftReader
import Testing
import Vocabulary

@Suite struct Code39Tests {
    /// Bars and spaces of each character, wide ones in capitals.
    private static let elements: [Character: String] = [
        "*": "bSbsBsBsb", "A": "BsbsbSbsB", "B": "bsBsbSbsB", "7": "bsbSbsBsB", "1": "BsbSbsbsB", "-": "bSbsbsBsB",
        "$": "bSbSbSbsb",
    ]

    /// Half a module an entry.
    private static func halves(_ text: String, wide: Int) -> String {
        text.map { character in
            (elements[character] ?? "").map { element in
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
    func `a Code 39 is read, whatever its wide bars' width`(wide: Int) throws {
        let modules = Self.halves("*A7-1B*", wide: wide)
        let reading = try #require(Self.drawn().read(modules, as: .code39))
        #expect(reading.text == "A7-1B")
        #expect(reading.symbology == .code39)
        #expect(abs(reading.moduleWidth - 2) < 0.05)
        #expect(abs(reading.left.x - 24) < 1 && abs(reading.right.x - (24 + Double(modules.count))) < 1)
    }

    @Test func `upside down, the start is at the right`() throws {
        var code = Self.drawn()
        code.isMirrored = true
        let reading = try #require(code.read(Self.halves("*A7-1B*", wide: 5), as: .code39))
        #expect(reading.text == "A7-1B" && reading.isReversed)
    }

    @Test(arguments: [(1.2, 0.3), (3, 0.6)])
    func `little more than a pixel a module, and blur of more than half of one, are read`(module: Double, blur: Double)
    {
        let code = Self.drawn(module: module, blur: blur)
        #expect(code.read(Self.halves("*A7-1B*", wide: 5), as: .code39)?.text == "A7-1B")
    }

    @Test func `without paper on both sides, without start or stop, or with two characters it is nothing`() {
        for quiet in [(2.0, 24.0), (24, 2)] {
            var code = Self.drawn()
            code.quiet = quiet
            #expect(code.read(Self.halves("*A7-1B*", wide: 5), as: .code39) == nil)
        }
        for text in ["A7-1B*", "*A7-1B", "A7-1B", "*A7*", "*A7$1B1"] {
            #expect(Self.drawn().read(Self.halves(text, wide: 5), as: .code39) == nil)
        }
    }

    @Test func `bars of other codes are nothing`() {
        #expect(DrawnCode().read(DrawnCode.modules("4006381333931"), as: .code39) == nil)
        #expect(Self.drawn().read(Self.halves("*A7-1B*", wide: 5), as: .code128) == nil)
        #expect(Self.drawn().read(Self.halves("*A7-1B*", wide: 5)) == nil)
    }
}
