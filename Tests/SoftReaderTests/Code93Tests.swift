import SoftReader
import Testing
import Vocabulary

@Suite struct Code93Tests {
    /// Modules of symbol characters by their values, from the highest of nine bits: those that the tests draw.
    private static let symbols: [Int: Int] = [
        0: 0x114, 1: 0x148, 2: 0x144, 3: 0x142, 6: 0x122, 9: 0x10A, 10: 0x1A8, 11: 0x1A4, 12: 0x1A2, 14: 0x192,
        20: 0x11A, 21: 0x158, 22: 0x14C, 26: 0x1B4, 28: 0x1AC, 29: 0x1A6, 32: 0x16C, 33: 0x166, 34: 0x136, 39: 0x1CA,
        41: 0x176, 43: 0x126, 46: 0x132, 47: 0x15E,
    ]
    private static let (dollarShift, plusShift, asterisk) = (43, 46, 47)
    private static let (a, c) = (10, 12)

    /// TEST93, the specification's example, with its two check characters.
    private static let example = [29, 14, 28, 29, 9, 3, 41, 6]

    private static func modules(_ values: [Int]) -> String {
        ([asterisk] + values + [asterisk]).map { value in
            (0..<9).map { (symbols[value] ?? 0) >> (8 - $0) & 1 == 1 ? "1" : "0" }.joined()
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
