import SoftReader
import Testing
import Vocabulary

@Suite struct Code128Tests {
    /// Start A, `PJJ123C` (the standard's own example), with check and stop.
    private static let example = """
        1101000010011101110110101101110001011011100010011100110110011100101100101110010001000110111010110001100011101011
        """
    /// Start B.
    private static let mixed = """
        110100100001110100011010000110100100110111001001110011011001110010111010011001001101110011011110110101110011001100011101011
        """
    /// Start C, function character 1, `01095011015300031726123110`, set B, `AB`.
    private static let gs1 =
        "1101001110011110101110110011011001100100100011000101110110001001001100110110011011101110110110011001001001100010"
        + "01110011011100100110101100111001101100011011001000100101111011101010001100010001011000110010010001100011101011"

    @Test func `a Code 128 is read, with its ends and its module`() throws {
        let reading = try #require(DrawnCode().read(Self.example, as: .code128))
        #expect(reading.text == "PJJ123C")
        #expect(reading.symbology == .code128)
        #expect(!reading.isGS1)
        #expect(abs(reading.moduleWidth - 2) < 0.02)
        #expect(abs(reading.left.x - 48) < 0.5)
        #expect(abs(reading.right.x - (48 + 2 * Double(Self.example.count))) < 0.5)
        #expect(reading.margin > 20)
    }

    @Test func `sets change, and what begins with function character 1 is GS1`() throws {
        #expect(DrawnCode().read(Self.mixed, as: .code128)?.text == "Wi-128-z")
        let reading = try #require(DrawnCode().read(Self.gs1, as: .code128))
        #expect(reading.text == "01095011015300031726123110AB")
        #expect(reading.isGS1)
    }

    @Test func `a control character, and one of the other set for once`() {
        // Start A, A, line feed, shift, b, B.
        let shifted = "110100001001010001100010000110010111101000101001000011010001011000100111100101100011101011"
        #expect(DrawnCode().read(shifted, as: .code128)?.text == "A\nbB")
    }

    @Test(arguments: [
        // Start B; once; twice, with set C between, and twice again; for once back while it holds. Start A, with shifts.
        ("1101001000010111000110101111011101100001010010110010000101100010001100011101011", "Nîe"),
        (
            "11010010000101111011101011110111010111100100101111001001011110010010111100100101110111101011001110010001011000"
                + "10111101110101111001001011110010010111101110101111011101001011000010010000110111010011001100011101011",
            "óóóó1234óóab"
        ),
        (
            "11010010000101111011101011110111010111100100101111011101001011000010111100100110011101001100011101011",
            "óaó"
        ),
        (
            "1101000010011101011110110111010001111010001010010000110111010111101111010001010000110100101110111101100011101011",
            "Óbé"
        ),
    ])
    func `function character 4 makes bytes above 127`(modules: String, text: String) throws {
        #expect(String(latin1: try #require(DrawnCode().read(modules, as: .code128)).bytes) == text)
    }

    @Test func `upside down, the start is at the right`() throws {
        var code = DrawnCode()
        code.isMirrored = true
        let reading = try #require(code.read(Self.mixed, as: .code128))
        #expect(reading.text == "Wi-128-z")
        #expect(reading.isReversed)
        #expect(reading.left.x > reading.right.x)
    }

    @Test(arguments: [(0.85, 0.4), (3, 0.7)])
    func `less than a pixel a module and blur of most of a module are read`(module: Double, blur: Double) {
        var code = DrawnCode()
        code.module = module
        code.blur = blur
        for (modules, text) in [(Self.example, "PJJ123C"), (Self.gs1, "01095011015300031726123110AB")] {
            #expect(code.read(modules, as: .code128)?.text == text)
        }
    }

    @Test(arguments: [(-0.05, -0.05), (-0.05, 0.05), (0.05, -0.05), (0.05, 0.05)])
    func `ends may be five per cent off`(left: Double, right: Double) {
        var code = DrawnCode()
        code.off = (left, right)
        #expect(code.read(Self.mixed, as: .code128)?.text == "Wi-128-z")
    }

    @Test func `a wrong check character is nothing, however clear the bars`() throws {
        // The last symbol before check and stop: another one.
        let symbol = Self.mixed.index(Self.mixed.endIndex, offsetBy: -35)
        let wrong =
            String(Self.mixed[..<symbol]) + "11001101100"
            + Self.mixed[Self.mixed.index(symbol, offsetBy: 11)...]
        #expect(wrong.count == Self.mixed.count && wrong != Self.mixed)
        #expect(DrawnCode().read(wrong, as: .code128) == nil)
        var lenient = SoftReader()
        lenient.acceptance.needsCheck = false
        #expect(DrawnCode().read(wrong, by: lenient, as: .code128)?.text == "Wi-128-!")
    }

    @Test(arguments: [
        // Function character 1 in second place, which names an application.
        "11010010000101000110001111010111010011100110101111001001100011101011",
        // Function character 4 at the end, before set C, before function character 1.
        "110100100001010001100010111101110111001101001100011101011",
        "1101001000010100011000101111011101011101111010110011100101000011001100011101011",
        "11010010000101000110001000101100010001000110"
            + "101111011101111010111010110001000111101010001100011101011",
        // Function character 1 before all data, but not first.
        "11010010000101110111101111010111010110011100100010"
            + "110001110001011011000010100111101101101100011101011",
        // Twice.
        "110100111001111010111011110101110101100111001"
            + "000101100011100010110110100010001100011101011",
        // A shift before another set, and before a shift.
        "110100001001010001100010001011000111101000101"
            + "011101111010110011100111011001001100011101011",
        "110100001001010001100010001011000111101000101"
            + "111010001010001011000110110110001100011101011",
    ])
    func `what it doesn't know to say is nothing`(modules: String) {
        #expect(DrawnCode().read(modules, as: .code128) == nil)
    }

    @Test func `part of a code, and a code of another kind, are nothing`() {
        for kept in [11, 22, 33, 77] {
            #expect(DrawnCode().read(String(Self.mixed.dropLast(kept)), as: .code128) == nil)
            #expect(DrawnCode().read(String(Self.mixed.dropFirst(kept)), as: .code128) == nil)
        }
        #expect(DrawnCode().read(DrawnCode.modules("4006381333931"), as: .code128) == nil)
        #expect(DrawnCode().read(Self.mixed) == nil)
    }

    @Test func `without paper on either side it is nothing`() {
        var code = DrawnCode()
        code.quiet = (1, 1)
        #expect(code.read(Self.mixed, as: .code128) == nil)
    }
}
