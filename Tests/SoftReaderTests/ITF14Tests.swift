import SoftReader
import Testing
import Vocabulary

@Suite struct ITF14Tests {
    /// Wide bars or spaces of each digit.
    private static let wides = [
        "00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010",
    ]
    private static let number = "15400141288763"

    /// Half a module an entry.
    private static func halves(_ digits: String, wide: Int) -> String {
        let values = digits.compactMap(\.wholeNumberValue)
        var widths = [2, 2, 2, 2]
        for pair in stride(from: 0, to: values.count, by: 2) {
            for (bar, space) in zip(wides[values[pair]], wides[values[pair + 1]]) {
                widths += [bar, space].map { $0 == "1" ? wide : 2 }
            }
        }
        widths += [wide, 2, 2]
        return widths.enumerated().map { String(repeating: $0 % 2 == 0 ? "1" : "0", count: $1) }.joined()
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
    func `an ITF-14 is read, whatever its wide bars' width`(wide: Int) throws {
        let modules = Self.halves(Self.number, wide: wide)
        let reading = try #require(Self.drawn().read(modules, as: .itf14))
        #expect(reading.text == Self.number)
        #expect(reading.symbology == .itf)
        #expect(abs(reading.moduleWidth - 2) < 0.05)
    }

    @Test func `upside down, the start is at the right`() throws {
        var code = Self.drawn()
        code.isMirrored = true
        let reading = try #require(code.read(Self.halves(Self.number, wide: 5), as: .itf14))
        #expect(reading.text == Self.number && reading.isReversed)
    }

    @Test(arguments: [(0.75, 0.45), (3, 0.7)])
    func `less than a pixel a module, and blur of more than half of one, are read`(module: Double, blur: Double) {
        let code = Self.drawn(module: module, blur: blur)
        #expect(code.read(Self.halves(Self.number, wide: 5), as: .itf14)?.text == Self.number)
    }

    @Test func `with a wrong check digit, other lengths, or without paper on both sides it is nothing`() {
        for digits in ["15400141288762", "154001412887", "1540014128876310", "00"] {
            #expect(Self.drawn().read(Self.halves(digits, wide: 5), as: .itf14) == nil, "\(digits)")
        }
        for quiet in [(2.0, 24.0), (24, 2)] {
            var code = Self.drawn()
            code.quiet = quiet
            #expect(code.read(Self.halves(Self.number, wide: 5), as: .itf14) == nil)
        }
    }

    @Test func `without start or stop it is nothing`() {
        let modules = Self.halves(Self.number, wide: 5)
        for part in [String(modules.dropFirst(8)), String(modules.dropLast(9))] {
            #expect(Self.drawn().read(part, as: .itf14) == nil)
        }
    }

    @Test func `bars of other codes are nothing`() {
        #expect(DrawnCode().read(DrawnCode.modules("4006381333931"), as: .itf14) == nil)
        let modules = Self.halves(Self.number, wide: 5)
        for family in [BarFamily.retail, .code128, .code39] {
            #expect(Self.drawn().read(modules, as: family) == nil)
        }
    }
}
