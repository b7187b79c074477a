import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Bars that are too blurred for readers that look for edges.
@Suite struct SoftRegionTests {
    private static let rules = DecodeRules(ReadingSettings())
    private static let picture: DecodingPicture = {
        var picture = DecodingPicture(width: 640, height: 240)
        picture.paint(DecodingFixtures.ean13, x: 320, y: 120, module: 2)
        picture.blurAcross(radius: 1, times: 3)
        picture.addNoise(amplitude: 2, seed: 1)
        return picture
    }()

    @Test func `a blurred EAN-13 that no other decoder reads is read live`() {
        let engine = DecodeEngine(rules: Self.rules)
        var decoders: Set<Evidence.Decoder> = []
        var contents: Set<[UInt8]> = []
        for turn in 0..<UInt32(engine.quickTurnCount) {
            for symbol in Self.picture.read(by: engine, effort: .quick(turn: turn)) {
                decoders.insert(symbol.evidence.decoder)
                contents.insert(symbol.bytes)
            }
        }
        #expect(decoders == [.soft])
        #expect(contents == [Array("4006381333931".utf8)])
    }

    @Test func `and in a still picture`() throws {
        let symbols = Self.picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        #expect(symbols.map(\.bytes) == [Array("4006381333931".utf8)])
        let corners = try #require(symbols.first?.corners)
        #expect(abs(corners.centre.x - 0.5) < 0.02 && abs(corners.centre.y - 0.5) < 0.1)
    }

    @Test(arguments: [
        (DecodingFixtures.code128, Symbology.code128, 2.0), (DecodingFixtures.itf14, .itf14, 2),
        (DecodingFixtures.code93, .code93, 2), (DecodingFixtures.wideCodabar, .codabar, 1),
    ])
    func `a blurred one that no other decoder reads is read live and in a still picture`(
        _ rows: [String], _ symbology: Symbology, _ entry: Double
    ) throws {
        var picture = DecodingPicture(width: 640, height: 240)
        picture.paint(rows, x: 320, y: 120, module: entry, barHeight: 80 / entry)
        let sharp = picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        picture.blurAcross(radius: 1, times: 3)
        picture.addNoise(amplitude: 2, seed: 1)
        let engine = DecodeEngine(rules: Self.rules)
        let live = (0..<UInt32(24)).flatMap { picture.read(by: engine, effort: .thorough(turn: $0)) }
        #expect(Set(live.map(\.evidence.decoder)) == [.soft])
        let still = picture.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        let truth = try #require(sharp.first)
        for symbol in live + still {
            #expect(symbol.symbology == symbology && symbol.bytes == truth.bytes && symbol.aim == truth.aim)
        }
        #expect(still.count == 1)
        var others = Self.rules
        others.symbologies = others.symbologies.filter { $0.key != symbology && $0.key != .itf }
        #expect(picture.read(by: DecodeEngine(rules: others), effort: .exhaustive).isEmpty)
    }

    @Test func `it isn't looked for where the rules don't ask for it`() {
        var rules = Self.rules
        rules.symbologies = rules.symbologies.filter { $0.key == .code128 }
        #expect(Self.picture.read(by: DecodeEngine(rules: rules), effort: .exhaustive).isEmpty)
    }

    @Test func `a picture without any noise is no division by zero`() {
        var picture = DecodingPicture(width: 320, height: 240)
        picture.paint(DecodingFixtures.ean13, x: 135, y: 100, module: 2)
        let engine = DecodeEngine(rules: Self.rules)
        for turn in 0..<UInt32(2 * engine.quickTurnCount) {
            for symbol in picture.read(by: engine, effort: .quick(turn: turn)) {
                #expect(symbol.text == "4006381333931")
            }
        }
    }

    // MARK: Its opinion on what others read

    /// What a decoder read on two lines across the bars that `sharp` shows from 145 to 335.
    private func reading(_ digits: String, lines: Int = 2) -> PassReading {
        PassReading(
            symbology: .ean13, bytes: Array(digits.utf8), aim: "]E0",
            corners: Quad(Point(x: 145, y: 110), Point(x: 335, y: 110), Point(x: 335, y: 130), Point(x: 145, y: 130)),
            scanLine: PassReading.ScanLine(left: Point(x: 145, y: 120), right: Point(x: 335, y: 120)),
            isInverted: false, decoder: .zxing, strength: lines)
    }

    private func ballot(_ reading: PassReading, on picture: DecodingPicture) -> (ballot: Ballot, asked: Int) {
        var ballot = Ballot(rules: SymbologyRules(Self.rules))
        ballot.add(reading)
        var asked = 0
        picture.withPlane { plane in
            for _ in 0..<2 {
                ballot.verify {
                    asked += 1
                    return SoftRegionReader().opinion(on: $0, of: plane)
                }
            }
        }
        return (ballot, asked)
    }

    private static let sharp: DecodingPicture = {
        var picture = DecodingPicture(width: 480, height: 240)
        picture.paint(DecodingFixtures.ean13, x: 240, y: 120, module: 2)
        picture.addNoise(amplitude: 2, seed: 1)
        return picture
    }()

    @Test func `a number that the bars contradict doesn't stand, theirs does`() {
        // A 7 for a 1, and the check digit that it takes.
        let (ballot, asked) = ballot(reading("4006387333935"), on: Self.sharp)
        #expect(asked == 1)
        for demandsAgreement in [true, false] {
            let winners = ballot.winners(demandsAgreement: demandsAgreement)
            #expect(winners.map(\.verdict.bytes) == [Array("4006381333931".utf8)])
        }
        #expect(!ballot.candidates[0].isAccepted && !ballot.candidates[0].wantsAnotherPass)
    }

    @Test func `a number that the bars confirm needs no other look`() {
        let (ballot, _) = ballot(reading("4006381333931"), on: Self.sharp)
        #expect(ballot.candidates.count == 1)
        #expect(ballot.candidates[0].isAccepted && !ballot.candidates[0].wantsAnotherPass)
        #expect(ballot.candidates[0].tally.softMargin.map { $0 >= 12 } == true)
    }

    /// What ZBar alone makes of a Code 128.
    private func readByZBar(_ rows: [String]) throws -> (reading: PassReading, picture: DecodingPicture) {
        var picture = DecodingPicture(width: 640, height: 240)
        picture.paint(rows, x: 320, y: 120, module: 2)
        picture.addNoise(amplitude: 2, seed: 1)
        let readings = picture.withPlane {
            ZBarDecoder().read($0, density: 1, rotates: false, symbologies: DecoderSymbologies([.code128]))
        }
        return (try #require(readings.first), picture)
    }

    @Test func `function character 1 at the end of a Code 128 is no contradiction`() throws {
        let (reading, picture) = try readByZBar(DecodingFixtures.code128LastSeparator)
        let (ballot, asked) = ballot(reading, on: picture)
        #expect(asked == 1 && ballot.candidates.count == 1 && ballot.refuted.isEmpty)
        #expect(ballot.candidates[0].verdict.bytes == Array("10LOT42".utf8))
        #expect(ballot.candidates[0].tally.softMargin != nil)
    }

    @Test func `what ZBar leaves out of a Code 128 is there`() throws {
        let (wrong, picture) = try readByZBar(DecodingFixtures.code128Accents)
        // Once it doesn't, ZBar's word is as good as others', and `Candidate` needs no opinion on it.
        #expect(String(decoding: wrong.bytes, as: UTF8.self) == "ssss1234ssab")
        let (ballot, asked) = ballot(wrong, on: picture)
        #expect(asked == 1)
        let winners = ballot.winners(demandsAgreement: true)
        let winner = try #require(winners.count == 1 ? winners.first : nil)
        #expect(winner.reading.text == "óóóó1234óóab" && String(latin1: winner.verdict.bytes) == "óóóó1234óóab")
        #expect(ballot.refuted == [RefutedCode(symbology: .code128, bytes: wrong.bytes)])
    }

    @Test func `a number of which it sees nothing waits for another pass while frames come`() {
        let (ballot, asked) = ballot(reading("4006381333931"), on: DecodingPicture(width: 480, height: 240))
        #expect(asked == 1 && ballot.candidates[0].wantsAnotherPass)
        // A still picture's passes have all looked.
        #expect(ballot.winners(demandsAgreement: true).count == 1)
    }

    @Test func `a number with many lines isn't looked at again`() {
        let (ballot, asked) = ballot(reading("4006381333931", lines: 16), on: Self.sharp)
        #expect(asked == 0 && !ballot.candidates[0].wantsAnotherPass)
    }

    @Test func `every live pass has a number that fits into a byte`() {
        #expect(LivePlan.number(of: ReadPass(method: .soft(.retail), target: .dataBar)) <= Int(UInt8.max))
    }
}
