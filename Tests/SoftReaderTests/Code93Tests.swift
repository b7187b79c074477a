import SoftReader
import Testing
import Vocabulary

@Suite struct Code93Tests {
    /// Modules of symbol characters by their values, from the highest of nine bits (ANSI/AIM BC5, table 2): 43 characters, four shifts, start and stop.
    private static let symbols = [
        0x114, 0x148, 0x144, 0x142, 0x128, 0x124, 0x122, 0x150, 0x112, 0x10A, 0x1A8, 0x1A4, 0x1A2, 0x194, 0x192, 0x18A,
        0x168, 0x164, 0x162, 0x134, 0x11A, 0x158, 0x14C, 0x146, 0x12C, 0x116, 0x1B4, 0x1B2, 0x1AC, 0x1A6, 0x196, 0x19A,
        0x16C, 0x166, 0x136, 0x13A, 0x12E, 0x1D4, 0x1D2, 0x1CA, 0x16E, 0x176, 0x1AE, 0x126, 0x1DA, 0x1D6, 0x132, 0x15E,
    ]
    private static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")
    private static let (dollarShift, percentShift, slashShift, plusShift, asterisk) = (43, 44, 45, 46, 47)
    private static let (a, c) = (10, 12)

    /// TEST93, the specification's example, with its two check characters.
    private static let example = [29, 14, 28, 29, 9, 3, 41, 6]

    private static func modules(_ values: [Int]) -> String {
        ([asterisk] + values + [asterisk]).map { value in
            (0..<9).map { symbols[value] >> (8 - $0) & 1 == 1 ? "1" : "0" }.joined()
        }.joined() + "1"
    }

    private static func drawn(module: Double = 2, blur: Double = 0.3) -> DrawnCode {
        var code = DrawnCode()
        (code.module, code.blur, code.quiet) = (module, blur, (12, 12))
        return code
    }

    private static func read(_ values: [Int]) -> SoftReading? { drawn().read(modules(values), as: .code93) }

    @Test func `the specification's example is read, in both directions`() throws {
        var code = Self.drawn()
        let reading = try #require(code.read(Self.modules(Self.example), as: .code93))
        #expect(reading.text == "TEST93" && reading.symbology == .code93 && !reading.isReversed)
        #expect(abs(reading.moduleWidth - 2) < 0.05)
        code.isMirrored = true
        let back = try #require(code.read(Self.modules(Self.example), as: .code93))
        #expect(back.text == "TEST93" && back.isReversed)
    }

    @Test(arguments: [(0.8, 0.4), (3, 0.8)])
    func `less than a pixel a module, and blur of nearly one, are read`(module: Double, blur: Double) {
        let code = Self.drawn(module: module, blur: blur)
        #expect(code.read(Self.modules(Self.example), as: .code93)?.text == "TEST93")
    }

    @Test func `both check characters must be right`() {
        let data = Array(Self.example.dropLast(2))
        #expect(Self.checks(data) == Array(Self.example.suffix(2)))
        // The second one wrong; the first one, for which the second one is right; a character, for which the second one is.
        #expect(Self.read(data + [41, 1]) == nil)
        #expect(Self.read(data + [10, Self.check(data + [10], most: 15)]) == nil)
        let changed = [29, 14, 28, 29, 9, 1]
        #expect(Self.read(changed + [41, Self.check(changed + [41], most: 15)]) == nil)
        #expect(Self.read(changed + Self.checks(changed))?.text == "TEST91")
    }

    @Test func `in long ones the checks' weights begin again`() {
        let long = (0..<21).map { [29, 14, 28, 9, 3, 1, 10][$0 % 7] }
        #expect(Self.read(long + Self.checks(long))?.text == "TES931ATES931ATES931A")
    }

    @Test func `without start or stop it is nothing`() {
        let modules = Self.modules(Self.example)
        for part in [modules.dropFirst(9), modules.dropLast(10)] {
            #expect(Self.drawn().read(String(part), as: .code93) == nil)
        }
    }

    @Test func `it is no other code, and no other code is one`() {
        for family in BarFamily.allCases where family != .code93 {
            #expect(Self.drawn().read(Self.modules(Self.example), as: family) == nil)
        }
        #expect(DrawnCode().read(DrawnCode.modules("4006381333931"), as: .code93) == nil)
    }

    /// Check characters by hand: weights go up from the right.
    @Test func `a shift makes another character of the letter behind it`() {
        let (small, control) = ([Self.plusShift, Self.a, Self.c], [Self.dollarShift, Self.a, Self.c])
        // 3·46 + 2·10 + 12 = 170 = 3·47 + 29; then 4·46 + 3·10 + 2·12 + 29 = 267 = 5·47 + 32.
        #expect(Self.checks(small) == [29, 32])
        #expect(Self.read(small + Self.checks(small))?.text == "aC")
        #expect(Self.read(control + Self.checks(control))?.text == "\u{1}C")
    }

    @Test func `every character is read`() {
        for values in [0..<22, 22..<43].map(Array.init) {
            #expect(
                Self.read(values + Self.checks(values))?.text == String(values.map { Self.characters[$0] }))
        }
    }

    /// ANSI/AIM BC5, table 3: what each shift makes of the letters from A on.
    @Test(arguments: [
        (dollarShift, "A", "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\t\n\u{B}\u{C}\r"),
        (dollarShift, "N", "\u{E}\u{F}\u{10}\u{11}\u{12}\u{13}\u{14}\u{15}\u{16}\u{17}\u{18}\u{19}\u{1A}"),
        (plusShift, "A", "abcdefghijklm"), (plusShift, "N", "nopqrstuvwxyz"), (slashShift, "A", "!\"#$%&'()*+,-"),
        (slashShift, "N", "./"), (slashShift, "Z", ":"),
        (percentShift, "A", "\u{1B}\u{1C}\u{1D}\u{1E}\u{1F};<=>?[\\]"), (percentShift, "N", "^_{|}~\u{7F}\0@`"),
    ])
    func `every shift does what the standard says`(shift: Int, first: Character, shifted: String) throws {
        let letter = try #require(Self.characters.firstIndex(of: first))
        let all = (0..<shifted.unicodeScalars.count).flatMap { [shift, letter + $0] }
        var read = ""
        // A code has room for so many.
        for values in [all.prefix(14), all.dropFirst(14)].map(Array.init) where !values.isEmpty {
            read += try #require(Self.read(values + Self.checks(values))).text
        }
        #expect(Array(read.unicodeScalars) == Array(shifted.unicodeScalars))
    }

    @Test(arguments: [[a, c, plusShift], [plusShift, 1, c], [plusShift, dollarShift, a]])
    func `a shift that has no letter says nothing`(values: [Int]) {
        #expect(Self.read(values + Self.checks(values)) == nil)
    }

    private static func checks(_ values: [Int]) -> [Int] {
        let first = check(values, most: 20)
        return [first, check(values + [first], most: 15)]
    }

    private static func check(_ values: [Int], most: Int) -> Int {
        var sum = 0
        for (place, value) in values.reversed().enumerated() { sum += (place % most + 1) * value }
        return sum % 47
    }
}
