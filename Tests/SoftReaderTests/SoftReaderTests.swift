import SoftReader
import Testing
import Vocabulary

@Suite struct SoftReaderTests {
    @Test(arguments: ["4006381333931", "9780441014989", "2817281728176", "1712817128172"])
    func `an EAN-13 is read, with its ends and its module`(digits: String) throws {
        let reading = try #require(DrawnCode().read(DrawnCode.modules(digits)))
        #expect(reading.text == digits)
        #expect(reading.symbology == .ean13)
        #expect(abs(reading.moduleWidth - 2) < 0.02)
        #expect(abs(reading.left.x - 48) < 0.5)
        #expect(abs(reading.right.x - 238) < 0.5)
        #expect(!reading.isReversed)
        #expect(reading.margin > 20)
    }

    @Test func `an EAN-13 that begins with 0 is a UPC-A`() throws {
        let reading = try #require(DrawnCode().read(DrawnCode.modules("0071831007995")))
        #expect(reading.symbology == .upcA)
        #expect(reading.text == "071831007995")
    }

    @Test func `EAN-8 and UPC-E are read`() throws {
        let short = try #require(DrawnCode().read(DrawnCode.modules("96385074")))
        #expect(short.symbology == .ean8)
        #expect(short.text == "96385074")
        // 0 425261 4, by the sets of check digit 4.
        let zeros = try #require(DrawnCode().read(DrawnCode.modulesOfE("425261", "BABBAA")))
        #expect(zeros.symbology == .upcE)
        #expect(zeros.text == "04252614")
    }

    @Test func `upside down, the first digit's end is the left one`() throws {
        var code = DrawnCode()
        code.isMirrored = true
        let reading = try #require(code.read(DrawnCode.modules("4006381333931")))
        #expect(reading.text == "4006381333931")
        #expect(reading.isReversed)
        #expect(reading.left.x > reading.right.x)
    }

    @Test(arguments: [(-0.05, -0.05), (-0.05, 0.05), (0.05, -0.05), (0.05, 0.05)])
    func `ends may be five per cent off`(left: Double, right: Double) {
        var code = DrawnCode()
        code.off = (left, right)
        #expect(code.read(DrawnCode.modules("4006381333931"))?.text == "4006381333931")
    }

    @Test(arguments: [(0.85, 0.4), (3, 0.7)])
    func `less than a pixel a module and blur of most of a module are read`(module: Double, blur: Double) {
        var code = DrawnCode()
        code.module = module
        code.blur = blur
        #expect(code.read(DrawnCode.modules("4006381333931"))?.text == "4006381333931")
    }

    @Test(arguments: ["4006381333932", "4006381333937", "96385071"])
    func `a wrong check digit is nothing, however clear the bars`(digits: String) {
        #expect(DrawnCode().read(DrawnCode.modules(digits)) == nil)
    }

    @Test func `the check digit is asked afterwards: without it, what the bars say is told`() {
        var reader = SoftReader()
        reader.acceptance.needsCheck = false
        #expect(DrawnCode().read(DrawnCode.modules("4006381333932"), by: reader)?.text == "4006381333932")
    }

    @Test func `one quiet zone suffices, none doesn't`() {
        var code = DrawnCode()
        code.quiet = (10, 2)
        #expect(code.read(DrawnCode.modules("4006381333931"))?.text == "4006381333931")
        code.quiet = (2, 2)
        #expect(code.read(DrawnCode.modules("4006381333931")) == nil)
    }

    @Test func `what stands beside a code, behind its quiet zone, isn't part of it`() throws {
        let addOn = "1011" + "0110001" + "01" + "0011001" + "01" + "0011101" + "01" + "0100111" + "01" + "0001011"
        let reading = try #require(DrawnCode().read(DrawnCode.modules("9780441014989") + "000000000" + addOn))
        #expect(reading.text == "9780441014989")
        #expect(abs(reading.right.x - 238) < 0.5)
    }

    @Test func `light in waves that no cubic follows doesn't make a code doubtful`() throws {
        var code = DrawnCode()
        (code.paper, code.ink, code.waves) = (150, 60, 6)
        let reading = try #require(code.read(DrawnCode.modules("4006381333931")))
        #expect(reading.text == "4006381333931")
        #expect(reading.margin > 12)
    }

    @Test(arguments: [0.0, 0.04, 0.08], [0.0, 0.05, 0.12])
    func `a dim label on white ground is read, wherever its edge is and however the bars lean`(
        slant: Double, off: Double
    ) {
        var code = DrawnCode()
        (code.paper, code.ink) = (100, 50)
        (code.slant, code.frame) = (slant, 12)
        code.quiet = (24, 24)
        code.off = (-off, off)
        code.height = 60
        #expect(code.read(DrawnCode.modules("4006381333931"))?.text == "4006381333931")
    }

    @Test func `half of an EAN-13 is nothing, though its left half has the bars of a UPC-E`() {
        // Its first digit and what UPC-E with number system 1 would have as its check digit agree.
        for digits in ["4006381333931", "1151106802465", "1917600333336"] {
            let modules = DrawnCode.modules(digits)
            #expect(DrawnCode().read(String(modules.prefix(51))) == nil)
            #expect(DrawnCode().read(String(modules.suffix(50))) == nil)
            #expect(DrawnCode().read(String(modules.prefix(70))) == nil)
        }
    }

    @Test func `noise and bars of random widths are nothing`() {
        var random = SystemRandomNumberGenerator()
        for seed in 0..<40 as Range<UInt64> {
            var code = DrawnCode()
            code.module = 1.2
            code.seed = seed
            code.noise = seed % 2 == 0 ? 5 : 60
            var bars = ""
            while bars.count < 95 {
                bars += String(repeating: bars.last == "1" ? "0" : "1", count: Int.random(in: 1...4, using: &random))
            }
            #expect(code.read(bars) == nil)
        }
    }

    @Test func `lines that are no lines are nothing`() {
        let pixels = [UInt8](repeating: 128, count: 64 * 64)
        pixels.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let samples = LumaSamples(pixels: base, width: 64, height: 64, rowStride: 64)
            for (left, right, height) in [
                (Point(x: 10, y: 10), Point(x: 10, y: 10), 10.0), (Point(x: -500, y: -500), Point(x: -100, y: -80), 50),
                (Point(x: 0, y: 0), Point(x: .nan, y: 3), 10), (Point(x: 0, y: 0), Point(x: .infinity, y: 3), 10),
                (Point(x: 0, y: 30), Point(x: 64, y: 30), 1e9), (Point(x: 0, y: 30), Point(x: 64, y: 30), 60),
                (Point(x: 1e30, y: 0), Point(x: 1e30, y: 50), 10),
                (Point(x: -1e7, y: 0), Point(x: -1e7 + 90, y: 0), 10),
                (Point(x: 60, y: 60), Point(x: 190, y: 190), 30),
            ] {
                #expect(SoftReader().read(samples, on: CodeLine(left: left, right: right, height: height)) == nil)
            }
        }
    }
}
