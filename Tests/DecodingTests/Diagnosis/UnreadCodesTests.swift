import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Why a drawn code isn't read.
@Suite struct UnreadCodesTests {
    private static let rules = DecodeRules(ReadingSettings())
    private let engine = DecodeEngine(rules: Self.rules)

    private func engine(_ change: (inout DecodeRules) -> Void) -> DecodeEngine {
        var rules = Self.rules
        change(&rules)
        return DecodeEngine(rules: rules)
    }

    /// A camera's picture of one code.
    private func picture(
        _ rows: [String], module: Double = 3, x: Double = 320, isInverted: Bool = false,
        harm: (inout DecodingPicture) -> Void = { _ in }
    ) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 360)
        picture.paint(rows, x: x, y: 180, module: module, isInverted: isInverted)
        harm(&picture)
        picture.addNoise(amplitude: 2, seed: 3)
        return picture
    }

    /// The only report, at the middle of the picture.
    private func report(_ picture: DecodingPicture, by engine: DecodeEngine? = nil) throws -> UnreadCode {
        let codes = picture.unread(by: engine ?? self.engine)
        #expect(codes.count == 1)
        let code = try #require(codes.first)
        #expect(code.corners.bounds.x >= 0 && code.corners.bounds.right <= 1)
        return code
    }

    // MARK: Nothing to report

    @Test(arguments: [DecodingFixtures.ean13, DecodingFixtures.code128, DecodingFixtures.qrLink])
    func `a code that can be read isn't reported`(_ rows: [String]) {
        #expect(picture(rows).unread(by: engine).isEmpty)
    }

    @Test func `a code of any length that only the soft reader reads isn't reported`() {
        let blurred = picture(DecodingFixtures.code128, module: 2) { $0.blurAcross(radius: 1, times: 4) }
        let decoders = blurred.read(by: engine, effort: .exhaustive).map(\.evidence.decoder)
        #expect(decoders == [.soft])
        #expect(blurred.unread(by: engine).isEmpty)
    }

    @Test func `what was read isn't reported`() throws {
        let engine = engine { $0.symbologies = $0.symbologies.filter { $0.key == .qrCode } }
        let picture = picture(DecodingFixtures.code128, module: 2)
        #expect(picture.unread(by: engine).count == 1)
        let symbols = picture.read(by: self.engine, effort: .exhaustive)
        #expect(symbols.count == 1)
        #expect(picture.unread(by: engine, besides: symbols).isEmpty)
    }

    @Test func `a picture in which nothing is sharp is blurred`() throws {
        var picture = DecodingPicture(width: 640, height: 360)
        picture.paint(DecodingFixtures.qrLink, x: 160, y: 180, module: 4)
        picture.paint(DecodingFixtures.qrLink, x: 480, y: 180, module: 4)
        for _ in 0..<3 { picture.blur(radius: 9) }
        picture.addNoise(amplitude: 2, seed: 3)
        let code = try report(picture)
        #expect(code.kind == .picture && code.cause == .blurred)
        #expect(code.figure.map { (7...60).contains($0) } == true)
        // Something sharp in it: the lens isn't the reason.
        picture.addPrint(x: 20, y: 20, width: 200, height: 60)
        #expect(picture.unread(by: engine).allSatisfy { $0.kind != .picture })
    }

    @Test func `a picture without light is too dark`() throws {
        var picture = DecodingPicture(width: 640, height: 360)
        picture.light(from: 3, to: 20)
        let code = try report(picture)
        #expect(code.kind == .picture && code.cause == .tooDark && code.figure.map { $0 <= 20 } == true)
    }

    @Test func `nothing is reported of paper, noise, print and chequers`() {
        let paper = DecodingPicture(width: 640, height: 360)
        #expect(paper.unread(by: engine).isEmpty)
        var noise = paper
        noise.addNoise(amplitude: 90, seed: 5)
        #expect(noise.unread(by: engine).isEmpty)
        var print = paper
        print.addPrint(x: 40, y: 30, width: 520, height: 300)
        #expect(print.unread(by: engine).isEmpty)
        print.blur(radius: 2)
        #expect(print.unread(by: engine).isEmpty)
        var block = paper
        block.addPrint(x: 240, y: 100, width: 150, height: 140)
        #expect(block.unread(by: engine).isEmpty)
        block.blur(radius: 2)
        #expect(block.unread(by: engine).isEmpty)
        var chequers = paper
        for y in 0..<30 {
            for x in 0..<40 where (x + y).isMultiple(of: 2) {
                chequers.fill(x: 80 + x * 8, y: 60 + y * 8, width: 8, height: 8, 40)
            }
        }
        #expect(chequers.unread(by: engine).isEmpty)
        var blinds = paper
        for x in 0..<40 { blinds.fill(x: 100 + x * 10, y: 80, width: 5, height: 200, 30) }
        #expect(blinds.unread(by: engine).isEmpty)
        blinds.blur(radius: 2)
        #expect(blinds.unread(by: engine).isEmpty)
    }

    @Test(arguments: [(1, 1), (3, 2), (17, 400), (300, 9)])
    func `pictures of any size are safe`(_ width: Int, _ height: Int) {
        var picture = DecodingPicture(width: width, height: height, rowStride: width + 13)
        picture.addNoise(amplitude: 120, seed: 9)
        #expect(picture.unread(by: engine).isEmpty)
    }

    // MARK: What the rules refuse

    @Test(arguments: [
        (DecodingFixtures.ean13, Symbology.ean13), (DecodingFixtures.code128, .code128),
        (DecodingFixtures.qrLink, .qrCode), (DecodingFixtures.code39, .code39), (DecodingFixtures.itf14, .itf),
        (DecodingFixtures.dataMatrixGS1, .dataMatrix),
    ])
    func `a symbology that isn't asked for is switched off`(_ rows: [String], _ symbology: Symbology) throws {
        let engine = engine { $0.symbologies = [.aztec: .init()] }
        let code = try report(picture(rows), by: engine)
        #expect(code.cause == .switchedOff)
        #expect(code.symbology == symbology)
        #expect(code.figure == nil)
        #expect(code.kind == (symbology.isLinear ? .linear : .matrix))
    }

    @Test func `a code of another length`() throws {
        let engine = engine { $0.symbologies[.code128]?.minLength = 20 }
        let code = try report(picture(DecodingFixtures.code128), by: engine)
        #expect(code.cause == .wrongLength && code.figure == 10 && code.symbology == .code128)
    }

    @Test func `an EAN-13 with a wrong check digit`() throws {
        #expect(picture(DrawnEAN13.rows("4006381333931"), module: 2).unread(by: engine).isEmpty)
        let code = try report(picture(DrawnEAN13.rows("4006381333937"), module: 2))
        #expect(code.cause == .wrongCheckDigit && code.symbology == .ean13)
    }

    @Test func `an ITF-14 with a wrong check digit`() throws {
        let engine = engine { $0.symbologies[.itf] = nil }
        #expect(picture(DrawnITF.rows("00012345678905"), module: 2).unread(by: engine).isEmpty)
        let code = try report(picture(DrawnITF.rows("00012345678904"), module: 2), by: engine)
        #expect(code.cause == .wrongCheckDigit && code.symbology == .itf14)
    }

    @Test func `light on dark`() throws {
        let engine = engine { $0.symbologies[.qrCode]?.inverse = false }
        let code = try report(picture(DecodingFixtures.qrLink, module: 5, isInverted: true), by: engine)
        #expect(code.cause == .inverted && code.symbology == .qrCode)
    }

    // MARK: What the picture lacks

    @Test func `bars out of focus are blurred`() throws {
        // A deviation of 4.5 pixels: 1.5 modules.
        let ean = try report(picture(DecodingFixtures.ean13) { $0.blur(radius: 4) })
        #expect(ean.kind == .linear && ean.cause == .blurred)
        let figure = try #require(ean.figure)
        #expect(figure > 2 && figure < 13)
        // 2.8 pixels: 1.4 modules.
        let other = try report(picture(DecodingFixtures.code128, module: 2) { $0.blur(radius: 2) })
        #expect(other.kind == .linear && other.cause == .blurred)
    }

    @Test func `a QR code out of focus is blurred`() throws {
        let code = try report(picture(DecodingFixtures.qrLink, module: 4) { $0.blur(radius: 3) })
        #expect(code.kind == .matrix && code.cause == .blurred)
        let figure = try #require(code.figure)
        #expect(figure > 1.5 && figure < 12)
    }

    @Test func `bars of a pixel are too small`() throws {
        let code = try report(picture(DecodingFixtures.code128, module: 0.8))
        #expect(code.kind == .linear && code.cause == .tooSmall)
        let figure = try #require(code.figure)
        #expect(figure > 0.5 && figure <= 1.5)
    }

    @Test func `a QR code of small modules is too small`() throws {
        let code = try report(picture(DecodingFixtures.qrLink, module: 1.4))
        #expect(code.kind == .matrix && code.cause == .tooSmall)
        let figure = try #require(code.figure)
        #expect(figure > 0.8 && figure < 2.3)
    }

    @Test func `a code in the dark`() throws {
        // The soft reader reads no Codabar with a plus in it.
        let dark = picture(DecodingFixtures.codabar, module: 4) {
            $0.light(from: 8, to: 20)
            $0.addNoise(amplitude: 4, seed: 4)
        }
        let code = try report(dark)
        #expect(code.cause == .tooDark)
        let figure = try #require(code.figure)
        #expect(figure > 15 && figure < 40)
    }

    @Test func `what light alone explains`() {
        func cause(_ levels: [Int16], glare: Double = 0) -> UnreadCause? {
            let light = LightFigures(levels)
            return (CodeLimits.darkness(light) ?? CodeLimits.light(light, glare: glare))?.cause
        }
        #expect(cause([10, 40]) == .tooDark)
        #expect(cause([10, 200]) == nil)
        #expect(cause([120, 145]) == .lowContrast)
        #expect(cause([220, 255]) == .glare)
        #expect(cause([20, 255], glare: 0.2) == .glare)
    }

    @Test func `small or blurred`() {
        func cause(width: Double, module: Double?, guess: Double = 1) -> UnreadCause? {
            CodeLimits.sharpness(width: width, module: module, guess: guess, isMatrix: false)?.cause
        }
        #expect(cause(width: 1.5, module: 3) == nil)
        #expect(cause(width: 1.5, module: 1.1) == .tooSmall)
        #expect(cause(width: 6, module: 3) == .blurred)
        #expect(cause(width: 3, module: 3) == nil)
        #expect(cause(width: 1.5, module: nil) == .tooSmall)
        #expect(cause(width: 6, module: nil) == .blurred)
        #expect(cause(width: 1.5, module: nil, guess: 4) == nil)
    }

    @Test func `bars under a reflection`() throws {
        let code = try report(
            picture(DecodingFixtures.code128) {
                $0.light(from: 0, to: 200)
                $0.reflect(x: 320, y: 180, width: 60, height: 150)
            })
        #expect(code.kind == .linear && code.cause == .glare)
        let figure = try #require(code.figure)
        #expect(figure > 0.05 && figure < 0.4)
    }

    @Test func `a QR code under a reflection`() throws {
        let code = try report(
            picture(DecodingFixtures.qrLink, module: 6) {
                $0.light(from: 0, to: 200)
                $0.reflect(x: 325, y: 185, width: 75, height: 65)
            })
        #expect(code.kind == .matrix && code.cause == .glare)
        let figure = try #require(code.figure)
        #expect(figure > 0.05 && figure < 0.6)
    }

    @Test func `bars that the picture cuts off`() throws {
        let code = try report(picture(DecodingFixtures.code128, x: 90))
        #expect(code.kind == .linear && code.cause == .cutOff && code.figure == nil)
    }

    @Test func `bars without quiet zones`() throws {
        let code = try report(
            picture(DecodingFixtures.ean13) {
                // The code is 285 pixels wide.
                $0.fill(x: 120, y: 100, width: 56, height: 160, 30)
                $0.fill(x: 463, y: 100, width: 56, height: 160, 30)
            })
        #expect(code.kind == .linear && code.cause == .noQuietZone)
        let figure = try #require(code.figure)
        #expect(figure >= 0 && figure < 3.5)
    }
}
