import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

@Suite struct DecodeEngineTests {
    private static let everything: DecodeRules = {
        var rules = DecodeRules(ReadingSettings())
        rules.symbologies[.dataBar] = .init()
        rules.symbologies[.dataBarExpanded] = .init()
        rules.symbologies[.maxiCode] = .init()
        return rules
    }()

    /// The symbology, AIM identifier and text of each code that was read.
    private func summary(_ symbols: [Symbol]) -> [String] {
        symbols.map { "\($0.symbology.rawValue) \($0.aim) \($0.text ?? "-")" }
    }

    struct Sample: CustomTestStringConvertible {
        var rows: [String]
        var expected: String
        var module = 3.0
        var testDescription: String { expected }
    }

    static let samples = [
        Sample(rows: DecodingFixtures.ean13, expected: "ean_13 ]E0 4006381333931"),
        Sample(rows: DecodingFixtures.code128, expected: "code_128 ]C0 Station 42"),
        Sample(rows: DecodingFixtures.code39, expected: "code_39 ]A0 CODE39W"),
        Sample(rows: DecodingFixtures.itf14, expected: "itf_14 ]I1 00012345678905"),
        Sample(rows: DecodingFixtures.codabar, expected: "codabar ]F0 A37859+B"),
        Sample(rows: DecodingFixtures.qrLink, expected: "qr_code ]Q1 https://example.org/1"),
        Sample(rows: DecodingFixtures.qrUTF8, expected: "qr_code ]Q1 Grüße"),
        Sample(rows: DecodingFixtures.dataMatrixGS1, expected: "data_matrix ]d2 010401234567890110AB12\u{1d}217"),
        Sample(rows: DecodingFixtures.microQR, expected: "micro_qr_code ]Q1 M1234"),
        Sample(rows: DecodingFixtures.aztec, expected: "aztec ]z0 Aztec text", module: 5),
        Sample(rows: DecodingFixtures.pdf417, expected: "pdf417 ]L2 PDF417 text"),
        Sample(rows: DecodingFixtures.maxiCode, expected: "maxicode ]U0 PARCEL 417"),
    ]

    @Test(arguments: samples) func aStillIsReadWithItsNameAndText(sample: Sample) {
        var picture = DecodingPicture(width: 440, height: 300)
        picture.paint(sample.rows, x: 220, y: 150, module: sample.module)
        let symbols = picture.read(by: DecodeEngine(rules: Self.everything), effort: .exhaustive)
        #expect(summary(symbols) == [sample.expected])
        if let centre = symbols.first?.corners.centre {
            #expect(abs(centre.x - 0.5) < 0.05 && abs(centre.y - 0.5) < 0.15)
        }
    }

    @Test(arguments: samples) func cheapTurnsFindItWithinOneRound(sample: Sample) {
        var picture = DecodingPicture(width: 1280, height: 720)
        picture.paint(sample.rows, x: 640, y: 360, module: sample.module)
        let engine = DecodeEngine(rules: Self.everything)
        let round = engine.quickTurns.indices.flatMap {
            picture.read(by: engine, effort: .quick(turn: UInt32($0)))
        }
        #expect(summary(round).contains(sample.expected))
    }

    @Test(arguments: samples) func aThoroughTurnFindsIt(sample: Sample) {
        var picture = DecodingPicture(width: 440, height: 300)
        picture.paint(sample.rows, x: 220, y: 150, module: sample.module)
        let engine = DecodeEngine(rules: Self.everything)
        let symbols = picture.read(by: engine, effort: .thorough(turn: 0))
        #expect(Set(summary(symbols)) == [sample.expected])
        // Once for each pass that found it, and no observation twice.
        #expect(Set(symbols.map(\.evidence)).count == symbols.count)
    }

    @Test(arguments: [22.0, 70, 203]) func tiltedLinearCodesAreReadInStills(degrees: Double) {
        var picture = DecodingPicture(width: 400, height: 400)
        picture.paint(DecodingFixtures.ean13, x: 200, y: 200, degrees: degrees, barHeight: 20)
        let symbols = picture.read(by: DecodeEngine(rules: Self.everything), effort: .exhaustive)
        #expect(summary(symbols) == ["ean_13 ]E0 4006381333931"])
    }

    @Test(arguments: [DecodingFixtures.qrLink, DecodingFixtures.ean13])
    func lightOnDarkIsReadWhereTheRulesAllowIt(rows: [String]) {
        var picture = DecodingPicture(width: 400, height: 300, grey: 30)
        picture.paint(rows, x: 200, y: 150, isInverted: true)
        let symbols = picture.read(by: DecodeEngine(rules: Self.everything), effort: .exhaustive)
        #expect(symbols.count == 1)
        #expect(symbols.first?.isInverted == true)
        var strict = Self.everything
        strict.symbologies = strict.symbologies.mapValues {
            var rule = $0
            rule.inverse = false
            return rule
        }
        #expect(picture.read(by: DecodeEngine(rules: strict), effort: .exhaustive).isEmpty)
    }

    @Test func binaryKeepsItsBytesAndHasNoText() {
        var picture = DecodingPicture(width: 400, height: 400)
        picture.paint(DecodingFixtures.qrBinary, x: 200, y: 200)
        let symbols = picture.read(by: DecodeEngine(rules: Self.everything), effort: .exhaustive)
        #expect(symbols.map(\.bytes) == [[0x00, 0x1b, 0xff, 0xfe, 0x01, 0x80]])
        #expect(symbols.first.map { $0.text == nil } == true)
    }

    @Test func severalCodesInAPictureAreAllRead() {
        var picture = DecodingPicture(width: 1000, height: 700)
        picture.paint(DecodingFixtures.qrLink, x: 200, y: 180)
        picture.paint(DecodingFixtures.dataMatrixGS1, x: 700, y: 180, module: 5)
        picture.paint(DecodingFixtures.ean13, x: 230, y: 500)
        picture.paint(DecodingFixtures.ean13, x: 700, y: 500)
        let symbols = picture.read(by: DecodeEngine(rules: Self.everything), effort: .exhaustive)
        #expect(symbols.map(\.symbology).sorted() == [.dataMatrix, .ean13, .ean13, .qrCode])
    }

    @Test func onlyCodesThatTheRulesAskForAreReported() {
        var picture = DecodingPicture(width: 900, height: 480)
        picture.paint(DecodingFixtures.qrLink, x: 150, y: 240)
        picture.paint(DecodingFixtures.ean13, x: 600, y: 240)
        let engine = DecodeEngine(rules: DecodeRules(symbologies: [.ean13: .init()]))
        #expect(summary(picture.read(by: engine, effort: .exhaustive)) == ["ean_13 ]E0 4006381333931"])
        let nothing = DecodeEngine(rules: DecodeRules(symbologies: [:]))
        for effort in [ReadEffort.quick(turn: 3), .thorough(turn: 3), .exhaustive] {
            #expect(picture.read(by: nothing, effort: effort).isEmpty)
        }
    }

    @Test func paddingBetweenRowsIsNotLookedAt() {
        var padded = DecodingPicture(width: 640, height: 480, rowStride: 800)
        var tight = DecodingPicture(width: 640, height: 480)
        padded.paint(DecodingFixtures.ean13, x: 320, y: 240)
        tight.paint(DecodingFixtures.ean13, x: 320, y: 240)
        let engine = DecodeEngine(rules: Self.everything)
        let symbols = padded.read(by: engine, effort: .exhaustive)
        #expect(symbols.count == 1)
        #expect(symbols == tight.read(by: engine, effort: .exhaustive))
    }

    @Test func evidenceDistinguishesPicturesAndPasses() throws {
        var first = DecodingPicture(width: 640, height: 480)
        first.paint(DecodingFixtures.qrLink, x: 320, y: 240)
        var second = first
        second.addNoise(amplitude: 2, seed: 1)
        let engine = DecodeEngine(rules: Self.everything)
        let a = try #require(first.read(by: engine, effort: .thorough(turn: 0)).first?.evidence)
        let again = try #require(first.read(by: engine, effort: .thorough(turn: 0)).first?.evidence)
        let b = try #require(second.read(by: engine, effort: .thorough(turn: 0)).first?.evidence)
        #expect(a == again)
        #expect(a.content != b.content)
    }

    @Test(arguments: [1, 2]) func noiseHoldsNoCodes(seed: UInt64) {
        var picture = DecodingPicture(width: 200, height: 150, grey: 128)
        picture.addNoise(amplitude: 100, seed: seed)
        let engine = DecodeEngine(rules: Self.everything)
        #expect(picture.read(by: engine, effort: .exhaustive).isEmpty)
        for turn in engine.quickTurns.indices {
            #expect(picture.read(by: engine, effort: .quick(turn: UInt32(turn))).isEmpty)
        }
    }

    @Test(arguments: [(1, 1), (1, 100), (100, 1), (2, 2), (15, 17), (33, 700), (4000, 3)])
    func picturesOfAnySizeDoNotCrashIt(width: Int, height: Int) {
        var picture = DecodingPicture(width: width, height: height, grey: 128)
        picture.addNoise(amplitude: 120, seed: 9)
        let engine = DecodeEngine(rules: Self.everything)
        for turn in engine.quickTurns.indices.map({ UInt32($0) }) {
            _ = picture.read(by: engine, effort: .quick(turn: turn))
            _ = picture.read(by: engine, effort: .thorough(turn: turn))
        }
        _ = picture.read(by: engine, effort: .exhaustive)
    }

    @Test func anExhaustiveReadGoesOnFromAPass() {
        var picture = DecodingPicture(width: 320, height: 240, grey: 128)
        picture.addNoise(amplitude: 60, seed: 4)
        let engine = DecodeEngine(rules: Self.everything)
        var all: [Int] = []
        _ = picture.read(by: engine, effort: .exhaustive) { all.append($0) }
        #expect(all.count > 10)
        #expect(all == all.sorted())
        var rest: [Int] = []
        _ = picture.read(by: engine, effort: .exhaustive, startingAtPass: all[4] + 1) { rest.append($0) }
        #expect(rest == Array(all.dropFirst(5)))
        var none: [Int] = []
        _ = picture.read(by: engine, effort: .exhaustive, startingAtPass: 4096) { none.append($0) }
        #expect(none.isEmpty)
    }

    @Test func codesThatStandAreKnownBeforeTheNextPass() {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.qrLink, x: 320, y: 240)
        let engine = DecodeEngine(rules: Self.everything)
        var known: [Int] = []
        _ = picture.read(by: engine, effort: .exhaustive) { _ in known.append(engine.accepted.count) }
        #expect(known.first == 0)
        #expect(known.dropFirst().allSatisfy { $0 == 1 })
    }

    @Test func aSingleScanLineOfZBarIsNotALiveRead() {
        let engine = DecodeEngine(rules: Self.everything)
        var found = 0
        for height in stride(from: 0.5, through: 12, by: 0.5) {
            var picture = DecodingPicture(width: 640, height: 360)
            picture.paint(DecodingFixtures.ean13, x: 320, y: 180, barHeight: height)
            for turn in engine.quickTurns.indices {
                let symbols = picture.read(by: engine, effort: .quick(turn: UInt32(turn)))
                for symbol in symbols where symbol.evidence.decoder == .zbar {
                    found += 1
                    #expect(symbol.evidence.strength >= 2)
                }
            }
        }
        #expect(found > 0)
    }

    @Test func turnsWithoutWorkAreLeftOut() {
        let retail = DecodeEngine(rules: DecodeRules(symbologies: [.ean13: .init()]))
        #expect(!retail.quickTurns.isEmpty)
        #expect(retail.quickTurns.joined().allSatisfy { $0.target == .linear || $0.target == .all })
        let qr = DecodeEngine(rules: DecodeRules(symbologies: [.qrCode: .init()]))
        #expect(qr.quickTurns.joined().allSatisfy { $0.target != .linear && $0.target != .dataBar })
    }
}
