import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

@Suite struct DecodingBallotTests {
    private func reading(
        _ symbology: Symbology, _ data: String, pass: Int, decoder: Evidence.Decoder = .zxing, strength: Int = 2,
        x: Double = 100, y: Double = 100
    ) -> PassReading {
        let corners = Quad(
            Point(x: x, y: y), Point(x: x + 200, y: y), Point(x: x + 200, y: y + 10), Point(x: x, y: y + 10))
        return PassReading(
            symbology: symbology, bytes: Array(data.utf8), text: data, aim: "", corners: corners, isInverted: false,
            decoder: decoder, strength: strength, pass: pass)
    }

    private func winners(_ readings: [PassReading], demandsAgreement: Bool = true) -> [String] {
        var ballot = Ballot(rules: SymbologyRules(DecodeRules(ReadingSettings())))
        for reading in readings { ballot.add(reading) }
        return ballot.winners(demandsAgreement: demandsAgreement)
            .map { String(decoding: $0.verdict.bytes, as: UTF8.self) }
    }

    @Test func aWeakSymbologyNeedsTwoPasses() {
        #expect(winners([reading(.code39, "ABC", pass: 1)]).isEmpty)
        #expect(winners([reading(.code39, "ABC", pass: 1), reading(.code39, "ABC", pass: 1)]).isEmpty)
        #expect(winners([reading(.code39, "ABC", pass: 1), reading(.code39, "ABC", pass: 2)]) == ["ABC"])
        let both = [reading(.code39, "ABC", pass: 1), reading(.code39, "ABC", pass: 2, decoder: .zbar, strength: 1)]
        #expect(winners(both) == ["ABC"])
    }

    @Test func anFNC1AtTheEndOfACode128IsNoPartOfItsData() {
        // Only ZXing tells of it.
        let both = [
            reading(.code128, "10ABC\u{1D}", pass: 1), reading(.code128, "10ABC", pass: 2, decoder: .zbar, strength: 9),
        ]
        #expect(winners(both) == ["10ABC"] && winners([both[0]]) == ["10ABC"])
        var ballot = Ballot(rules: SymbologyRules(DecodeRules(ReadingSettings())))
        for reading in both { ballot.add(reading) }
        #expect(ballot.candidates.count == 1 && ballot.candidates.first?.reading.text == "10ABC")
        #expect(winners([reading(.code128, "10ABC\u{1D}21", pass: 1)]) == ["10ABC\u{1D}21"])
    }

    @Test func anAddOnThatOnlyOneDecoderReadsTellsTheIdentifier() {
        var settings = ReadingSettings()
        settings.symbologies[.ean13]?.addOns = true
        var ballot = Ballot(rules: SymbologyRules(DecodeRules(settings)))
        ballot.add(reading(.ean13, "4006381333931", pass: 1, decoder: .zbar, strength: 40))
        var withAddOn = reading(.ean13, "4006381333931", pass: 2)
        withAddOn.addOn = "52"
        ballot.add(withAddOn)
        #expect(ballot.candidates.map(\.verdict.aim) == ["]E3"] && ballot.candidates.first?.reading.addOn == "52")
    }

    @Test func whatIsLeftOfACodeThatIsPaintedOverIsNoneButOneBelowItIs() throws {
        var picture = DecodingPicture(width: 640, height: 480)
        for y in [130.0, 330] { picture.paint(DecodingFixtures.itf14, x: 320, y: y, module: 3, barHeight: 40) }
        func seen(_ data: String, fromX left: Double = 118, y: Double) -> PassReading {
            var reading = reading(.itf, data, pass: 1, y: y)
            reading.scanLine = PassReading.ScanLine(left: Point(x: left, y: y), right: Point(x: 521, y: y))
            return reading
        }
        let whole = picture.withPlane { plane in
            var reading = seen("00012345678905", y: 110)
            reading.takeExtent(in: plane)
            return reading
        }
        #expect(whole.hasExtent)
        var ballot = Ballot(rules: SymbologyRules(DecodeRules(ReadingSettings())))
        ballot.add(whole)
        let candidate = try #require(ballot.candidates.first)
        func leaves(_ reading: PassReading) -> Bool { picture.withPlane { candidate.leaves(reading, in: $0) } }
        // Right at the lower end of its bars, where the cover ends; and of the code below.
        #expect(leaves(seen("678905", fromX: 330, y: 185)))
        #expect(!leaves(seen("678905", fromX: 330, y: 330)))
        // Other digits, and more of them.
        #expect(!leaves(seen("987654", fromX: 330, y: 185)))
        #expect(!leaves(seen("0001234567890500", y: 185)))
    }

    @Test func whatErrorCorrectionMayInventNeedsTwoPassesOrCorrectionThatIsLeft() {
        for symbology in [Symbology.pdf417, .aztec, .microQRCode] {
            let one = reading(symbology, "1234", pass: 1, strength: 49)
            #expect(winners([one]).isEmpty)
            #expect(winners([one, one]).isEmpty)
            #expect(winners([one, reading(symbology, "1234", pass: 2, strength: 0)]) == ["1234"])
            #expect(winners([reading(symbology, "1234", pass: 1, strength: 50)]) == ["1234"])
            // Made up twice, it would be something else each time.
            #expect(winners([one, reading(symbology, "12E4", pass: 2, strength: 0)]).isEmpty)
            // What had correction left is the one that is printed, whichever comes first, and however often the other is made up.
            let sound = reading(symbology, "5678", pass: 3, strength: 90)
            #expect(winners([one, sound]) == ["5678"] && winners([sound, one]) == ["5678"])
            #expect(winners([one, reading(symbology, "1234", pass: 2, strength: 0), sound]) == ["5678"])
            // A live frame isn't the last one.
            #expect(winners([one], demandsAgreement: false) == ["1234"])
            var ballot = Ballot(rules: SymbologyRules(DecodeRules(ReadingSettings())))
            ballot.add(one)
            #expect(ballot.reportable.count == 1 && !ballot.isSettled)
        }
        // So many check words fit nothing by chance.
        let long = String(repeating: "A", count: 24)
        #expect(winners([reading(.aztec, long, pass: 1, strength: 0)]) == [long])
        #expect(winners([reading(.aztec, String(long.dropLast()), pass: 1, strength: 0)]).isEmpty)
        #expect(winners([reading(.pdf417, long, pass: 1, strength: 0)]).isEmpty)
        #expect(winners([reading(.dataMatrix, "1234", pass: 1, strength: 0)]) == ["1234"])
    }

    @Test func aLiveFrameIsJudgedByTheTracker() {
        #expect(winners([reading(.code39, "ABC", pass: 1)], demandsAgreement: false) == ["ABC"])
    }

    @Test func codesOneAboveTheOtherAreBothRightInALiveFrame() {
        let upper = reading(.code39, "ABC", pass: 1)
        let lower = reading(.code128, "DEF", pass: 2, decoder: .zbar, strength: 3, y: 180)
        #expect(winners([upper, lower], demandsAgreement: false) == ["ABC", "DEF"])
        let sameRows = reading(.code128, "DEF", pass: 2, decoder: .zbar, strength: 3, y: 105)
        #expect(winners([upper, sameRows], demandsAgreement: false) == ["ABC"])
        let twoEAN = [reading(.ean13, "4006381333931", pass: 1), reading(.ean13, "9004593978587", pass: 2, y: 180)]
        #expect(winners(twoEAN, demandsAgreement: false) == ["4006381333931"])
    }

    @Test(arguments: [true, false]) func codesWhoseBarsShowThatTheyAreTwoBothStand(demandsAgreement: Bool) {
        let both = [100.0, 160].enumerated().flatMap { index, y in
            (1...2).map { pass in
                var reading = reading(.ean13, index == 0 ? "4006381333931" : "9004593978587", pass: pass, y: y)
                reading.corners = reading.corners.mapped { Point(x: $0.x, y: $0.y > y ? y + 50 : y) }
                reading.hasExtent = true
                return reading
            }
        }
        #expect(winners(both, demandsAgreement: demandsAgreement) == ["4006381333931", "9004593978587"])
        // Overlapping bars belong to one code, or to a part of it.
        let one = both.map { reading in
            var moved = reading
            moved.corners = moved.corners.mapped { Point(x: $0.x, y: $0.y > 150 ? $0.y - 60 : $0.y) }
            return moved
        }
        #expect(winners(one, demandsAgreement: demandsAgreement) == ["4006381333931"])
    }

    /// As ZXing-C++ 3.1.1 reads a slanted ITF-14: each extent follows other bars.
    @Test(arguments: [true, false]) func aPartOfALongerCodeIsNoneHoweverOftenItIsSeen(demandsAgreement: Bool) {
        func seen(_ data: String, pass: Int, _ corners: Quad) -> PassReading {
            var reading = reading(.itf, data, pass: pass)
            reading.corners = corners
            reading.hasExtent = true
            return reading
        }
        let whole = Quad(
            Point(x: 257, y: 512), Point(x: 901, y: 566), Point(x: 913, y: 650), Point(x: 205, y: 608))
        let part = Quad(Point(x: 604, y: 592), Point(x: 912, y: 601), Point(x: 930, y: 715), Point(x: 591, y: 715))
        let wholes = [1, 2].map { seen("97422856950715", pass: $0, whole) }
        let parts = (1...5).map { seen("950715", pass: $0, part) }
        for all in [parts + wholes, wholes + parts] {
            #expect(winners(all, demandsAgreement: demandsAgreement) == ["97422856950715"])
        }
        // Also where its middle is in the whole one.
        let within = parts.map { seen("950715", pass: $0.pass, part.mapped { Point(x: $0.x, y: $0.y - 20) }) }
        for all in [within + wholes, wholes + within] {
            #expect(winners(all, demandsAgreement: demandsAgreement) == ["97422856950715"])
        }
        // A longer one that a single line of ZBar's shows is none.
        var line = seen("97422856950715", pass: 9, whole)
        line.decoder = .zbar
        line.strength = 1
        #expect(winners(within + [line], demandsAgreement: demandsAgreement) == ["950715"])
        // Further down it is a code of its own.
        let below = parts.map { seen("950715", pass: $0.pass, part.mapped { Point(x: $0.x, y: $0.y + 80) }) }
        #expect(winners(wholes + below, demandsAgreement: true) == ["97422856950715", "950715"])
    }

    @Test func theBetterSupportedOfTwoReadingsAtOnePlaceStands() {
        let right = [1, 2].map { reading(.ean13, "4006381333931", pass: $0) }
        let wrong = (3...7).map { reading(.ean13, "9004593978587", pass: $0, decoder: .zbar, strength: 90) }
        #expect(winners(wrong + right) == ["4006381333931"])
        let elsewhere = wrong.map { reading -> PassReading in
            var moved = reading
            moved.corners = moved.corners.mapped { Point(x: $0.x + 500, y: $0.y) }
            return moved
        }
        #expect(winners(elsewhere + right) == ["9004593978587", "4006381333931"])
    }

    @Test func whatBothDecodersFindAtOnePlaceIsOneCode() {
        let two = [
            reading(.qrCode, "x", pass: 0), reading(.qrCode, "x", pass: 1, decoder: .zbar, x: 105),
            reading(.qrCode, "x", pass: 0, x: 600),
        ]
        #expect(winners(two) == ["x", "x"])
    }

    @Test func zbarsDifferentBytesOfAQRCodeGiveWay() {
        let two = [reading(.qrCode, "y", pass: 1, decoder: .zbar), reading(.qrCode, "x", pass: 0)]
        #expect(winners(two) == ["x"])
    }

    @Test func zbarAloneNeedsEnoughScanLines() {
        #expect(winners([reading(.ean13, "4006381333931", pass: 1, decoder: .zbar, strength: 1)]).isEmpty)
        #expect(winners([reading(.ean13, "4006381333931", pass: 1, decoder: .zbar, strength: 40)]) == ["4006381333931"])
        #expect(winners([reading(.itf, "901985", pass: 1, decoder: .zbar, strength: 1)]).isEmpty)
    }
}
