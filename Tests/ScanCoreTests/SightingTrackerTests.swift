import TestSupport
import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

extension [SightingTracker.Action] {
    var appeared: [String] { compactMap { if case .appeared(let s) = $0 { s.symbol.text } else { nil } } }
    var seen: [String] { compactMap { if case .seen(let s) = $0 { s.symbol.text } else { nil } } }
    var disappeared: [String] { compactMap { if case .disappeared(let s) = $0 { s.symbol.text } else { nil } } }
}

@Suite struct SightingTrackerTests {
    var tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)])

    @Test mutating func aCodeAppearsOnceAndStays() {
        #expect(tracker.handle(read(1, [symbol("a")])).appeared == ["a"])
        for sequence in UInt64(2)..<20 {
            let actions = tracker.handle(read(sequence, [symbol("a")]))
            #expect(actions.appeared.isEmpty && actions.seen == ["a"])
        }
        #expect(tracker.tracked.count == 1)
    }

    @Test mutating func itDisappearsOnlyAfterTheWholeAbsence() {
        _ = tracker.handle(read(1, [symbol("a")]))
        // Missing from frame 2 on (20 ms); 50 ms later is frame 7.
        for sequence in UInt64(2)...6 { #expect(tracker.handle(read(sequence)).isEmpty) }
        #expect(tracker.handle(read(7)).disappeared == ["a"])
        #expect(tracker.handle(read(8, [symbol("a")])).appeared == ["a"])
    }

    @Test mutating func aFrameThatMissesItRestartsTheAbsence() {
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...40 {
            let isShown = sequence % 5 == 0
            let actions = tracker.handle(read(sequence, isShown ? [symbol("a")] : []))
            #expect(actions.appeared.isEmpty && actions.disappeared.isEmpty)
        }
    }

    @Test mutating func noFramesAtAllAreNoAbsence() {
        _ = tracker.handle(read(1, [symbol("a")]))
        let later = tracker.handle(read(2, [symbol("a")], exposedAt: .ms(60_000)))
        #expect(later.appeared.isEmpty && later.seen == ["a"])
        #expect(tracker.handle(read(3, exposedAt: .ms(120_000))).disappeared.isEmpty)
    }

    @Test(arguments: [ReadResult.Outcome.crashed, .timedOut])
    func aFrameTheDecodersFailedOnProvesNothing(_ outcome: ReadResult.Outcome) {
        var tracker = self.tracker
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...100 {
            #expect(tracker.handle(read(sequence, outcome: outcome)).isEmpty)
        }
        #expect(tracker.handle(read(101, [symbol("a")])).appeared.isEmpty)
        // …and nothing for it either: a symbol in this result isn't looked at.
        #expect(tracker.handle(read(102, [symbol("b")], outcome: outcome)).isEmpty)
    }

    @Test mutating func anUnchangedFrameShowsWhatWasThere() {
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...100 {
            #expect(tracker.handle(read(sequence, outcome: .unchanged)).seen == ["a"])
        }
        // Its symbols count too: they may be new to a tracker that was reset in between.
        _ = tracker.reset()
        #expect(tracker.handle(read(101, [symbol("a")], outcome: .unchanged)).appeared == ["a"])
    }

    @Test mutating func whatWasMissingStaysMissingInAnUnchangedFrame() {
        _ = tracker.handle(read(1, [symbol("a")]))
        _ = tracker.handle(read(2))
        for sequence in UInt64(3)...6 { #expect(tracker.handle(read(sequence, outcome: .unchanged)).seen.isEmpty) }
        #expect(tracker.handle(read(7, outcome: .unchanged)).disappeared == ["a"])
    }

    @Test mutating func aBlankFrameShowsNothing() {
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...6 { _ = tracker.handle(read(sequence, outcome: .blank)) }
        #expect(tracker.handle(read(7, outcome: .blank)).disappeared == ["a"])
    }

    @Test mutating func aSymbolWithoutDataIsNothing() {
        #expect(tracker.handle(read(1, [symbol("")])).isEmpty)
        #expect(tracker.tracked.isEmpty)
    }

    @Test mutating func sameTextInAnotherSymbologyIsAnotherCode() {
        let both = [symbol("1", .qrCode, at: .at(0.2, 0.5)), symbol("1", .dataMatrix, at: .at(0.2, 0.5))]
        #expect(tracker.handle(read(1, both)).appeared.count == 2)
    }

    @Test mutating func anAddOnOnceReadIsKept() {
        _ = tracker.handle(read(1, [symbol("4006381333931", .ean13, addOn: "52")]))
        _ = tracker.handle(read(2, [symbol("4006381333931", .ean13)]))
        #expect(tracker.tracked.first?.symbol.addOn == "52")
    }

    @Test mutating func whereAddOnsAreReadACodeWaitsForItsOwn() {
        var settings = SymbologySettings()
        settings.addOns = true
        tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.ean13: settings])
        #expect(tracker.handle(read(1, [symbol("4006381333931", .ean13)])).appeared.isEmpty)
        // The look that shows it.
        let shown = tracker.handle(read(5, [symbol("4006381333931", .ean13, addOn: "52")]))
        #expect(shown.appeared == ["4006381333931"] && shown.seen == ["4006381333931"])
        #expect(tracker.tracked.first?.symbol.addOn == "52")
        // Others don't wait.
        #expect(tracker.handle(read(6, [symbol("a")])).appeared == ["a"])
    }

    @Test(arguments: [ReadResult.Outcome.decoded, .unchanged])
    func withoutOneItIsThereAfterAWhile(_ outcome: ReadResult.Outcome) {
        var settings = SymbologySettings()
        settings.addOns = true
        var tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.ean13: settings])
        let code = [symbol("4006381333931", .ean13)]
        #expect(tracker.handle(read(1, code)).appeared.isEmpty)
        for sequence in UInt64(2)...30 {
            #expect(tracker.handle(read(sequence, sequence % 2 == 0 ? code : [], outcome: outcome)).appeared.isEmpty)
        }
        // 300 ms later, in a frame that happens to miss it.
        let there = tracker.handle(read(31, outcome: outcome))
        #expect(there.appeared == ["4006381333931"] && there.seen == ["4006381333931"])
    }

    @Test mutating func aResetForgetsWhatWasInView() {
        _ = tracker.handle(read(1, [symbol("a"), symbol("w", .code39, at: .at(0.1, 0.1))]))
        #expect(tracker.reset().disappeared == ["a"])
        #expect(tracker.tracked.isEmpty && !tracker.hasPending)
    }
}

@Suite struct SeveralCodesInAFrame {
    var tracker = SightingTracker(absence: .milliseconds(50))

    @Test mutating func theyComeInReadingOrder() {
        let symbols = [
            symbol("bottom", at: .at(0.1, 0.9)), symbol("right", at: .at(0.8, 0.22)), symbol("left", at: .at(0.2, 0.2)),
            symbol("middle", at: .at(0.5, 0.18)),
        ]
        let actions = tracker.handle(read(1, symbols))
        #expect(actions.seen == ["left", "middle", "right", "bottom"])
    }

    @Test mutating func equalCodesAreToldApartByTheirPlace() {
        let left = Quad.at(0.2, 0.5)
        let right = Quad.at(0.8, 0.5)
        #expect(tracker.handle(read(1, [symbol("a", at: left), symbol("a", at: right)])).appeared.count == 2)
        #expect(tracker.tracked.map(\.identity.ordinal) == [0, 1])
        // They drift and are listed the other way round; nothing new.
        let drifted = [symbol("a", at: .at(0.7, 0.55)), symbol("a", at: .at(0.1, 0.45))]
        #expect(tracker.handle(read(2, drifted)).appeared.isEmpty)
        #expect(tracker.tracked.map { $0.symbol.corners.centre.x < 0.5 } == [true, false])
    }

    @Test mutating func oneOfTwoEqualCodesMayLeave() {
        _ = tracker.handle(read(1, [symbol("a", at: .at(0.2, 0.5)), symbol("a", at: .at(0.8, 0.5))]))
        var gone: [SightingTracker.Action] = []
        for sequence in UInt64(2)...10 { gone += tracker.handle(read(sequence, [symbol("a", at: .at(0.8, 0.5))])) }
        #expect(gone.disappeared.count == 1)
        #expect(tracker.tracked.map(\.identity.ordinal) == [1])
        // The free ordinal is given again.
        _ = tracker.handle(read(11, [symbol("a", at: .at(0.2, 0.5)), symbol("a", at: .at(0.8, 0.5))]))
        #expect(Set(tracker.tracked.map(\.identity.ordinal)) == [0, 1])
    }

    @Test mutating func aSingleCodeMayMoveAnywhere() {
        _ = tracker.handle(read(1, [symbol("a", at: .at(0.1, 0.1))]))
        #expect(tracker.handle(read(2, [symbol("a", at: .at(0.9, 0.9))])).appeared.isEmpty)
    }

    @Test mutating func oneCodeFoundByTwoDecodersIsOne() {
        // A scan line without a height, and the whole code.
        let line = Quad.at(0.5, 0.55, width: 0.4, height: 0)
        let whole = Quad.at(0.51, 0.5, width: 0.4, height: 0.2)
        let both = [symbol("a", .ean13, at: line, decoder: .zbar), symbol("a", .ean13, at: whole)]
        #expect(tracker.handle(read(1, both)).appeared == ["a"])
        #expect(tracker.tracked.first?.reads == 2)
    }

    /// Seen on the demo scene: ZBar gave a UPC-A as a point, less than a bar's width before the first bar.
    @Test mutating func aPointJustOutsideALinearCodeIsThatCode() {
        let wide = Quad.at(0.5256, 0.4944, width: 0.2113, height: 0.0014)
        let point = Quad.at(0.4164, 0.5764, width: 0, height: 0)
        let both = [
            symbol("412345000179", .upcA, at: wide),
            symbol("412345000179", .upcA, at: point, pass: 2, decoder: .zbar),
        ]
        _ = tracker.handle(read(1, both))
        _ = tracker.handle(read(2, both, outcome: .unchanged))
        #expect(tracker.tracked.count == 1)
    }

    /// ZBar names one of the code's ends when a single scan line read it.
    @Test(arguments: [0.297, 0.303, 0.697, 0.703])
    mutating func anEndOfACodeIsNoSecondCode(x: Double) {
        let line = Quad.at(0.5, 0.5, width: 0.4, height: 0.002)
        let end = Quad.at(x, 0.58, width: 0, height: 0)
        let both = [symbol("a", .upcA, at: line), symbol("a", .upcA, at: end, pass: 2, decoder: .zbar)]
        #expect(tracker.handle(read(1, both)).appeared == ["a"])
        #expect(tracker.handle(read(2, both.reversed())).appeared == [])
    }

    @Test mutating func theEndOfAnEqualLabelBesideItIsAnotherCode() {
        let left = Quad.at(0.3, 0.5, width: 0.3, height: 0.002)
        let right = Quad.at(0.51, 0.5, width: 0, height: 0)
        let both = [symbol("a", .upcA, at: left), symbol("a", .upcA, at: right, pass: 2)]
        #expect(tracker.handle(read(1, both)).appeared.count == 2)
    }

    /// Passes alternate over frames: the one that can read a code may not have had its turn.
    @Test func aCodeIsGoneOnlyWhenEveryPassHasLooked() {
        var limits = SightingTracker.Limits()
        limits.missedReads = 10
        var tracker = SightingTracker(absence: .milliseconds(50), limits: limits)
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...10 { #expect(tracker.handle(read(sequence)).disappeared.isEmpty) }
        var blank = tracker
        #expect(blank.handle(read(11, outcome: .blank)).disappeared == ["a"])
        #expect(tracker.handle(read(11, outcome: .unchanged)).disappeared.isEmpty)
        #expect(tracker.handle(read(12)).disappeared == ["a"])
    }

    @Test mutating func equalLabelsBelowEachOtherAreTwo() {
        let upper = Quad.at(0.5, 0.40, width: 0.4, height: 0.08)
        let lower = Quad.at(0.5, 0.55, width: 0.4, height: 0.08)
        #expect(
            tracker.handle(read(1, [symbol("a", .code128, at: upper), symbol("a", .code128, at: lower)])).appeared.count
                == 2)
    }

    @Test func moreCodesThanTheLimitAreIgnoredAndCounted() {
        var limits = SightingTracker.Limits()
        limits.maxSightings = 4
        var tracker = SightingTracker(absence: .milliseconds(50), limits: limits)
        let many = (0..<6).map { symbol("\($0)", at: .at(Double($0) * 0.1, 0.5)) }
        #expect(tracker.handle(read(1, many)).appeared.count == 4)
        #expect(tracker.handle(read(2, [symbol("new")])).appeared.isEmpty)
        #expect(tracker.overflowCount == 1)
        #expect(tracker.tracked.count == 4)
    }

    @Test func aPendingCodeThatLeftMakesRoom() {
        var limits = SightingTracker.Limits()
        limits.maxSightings = 1
        var tracker = SightingTracker(
            absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)], limits: limits)
        _ = tracker.handle(read(1, [symbol("w", .code39)]))
        _ = tracker.handle(read(2))
        #expect(tracker.handle(read(3, [symbol("a")])).appeared == ["a"])
    }
}

@Suite struct AgreementOfWeakCodes {
    var tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 3)])

    /// Each picture was read in another pass, if none is given.
    static func weak(content: UInt64 = 0, pass: UInt8? = nil, decoder: Evidence.Decoder = .zxing) -> [Symbol] {
        [symbol("w", .code39, content: content, pass: pass ?? UInt8(truncatingIfNeeded: content), decoder: decoder)]
    }

    @Test mutating func equalEvidenceIsOneObservation() {
        for sequence in UInt64(1)...20 {
            #expect(tracker.handle(read(sequence, Self.weak(content: 7))).isEmpty)
        }
        #expect(tracker.hasPending)
        #expect(tracker.tracked.first?.reads == 1)
    }

    @Test mutating func otherPixelsAnotherPassAndAnotherDecoderCount() {
        #expect(tracker.handle(read(1, Self.weak(content: 7))).isEmpty)
        #expect(tracker.handle(read(2, Self.weak(content: 7, decoder: .zbar))).isEmpty)
        let actions = tracker.handle(read(3, Self.weak(content: 7, pass: 1)))
        #expect(actions.appeared == ["w"] && actions.seen == ["w"])
        #expect(!tracker.hasPending)
    }

    @Test("one pass of ZXing's needs four pictures, and ZBar alone more than a few lines, as stills ask for")
    func onePassOrOneDecoder() {
        func appearance(_ decoder: Evidence.Decoder, passes: UInt64) -> UInt64? {
            var tracker = SightingTracker(
                absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)])
            return (UInt64(1)...20).first { number in
                let look = Self.weak(content: number, pass: UInt8(number % passes), decoder: decoder)
                return !tracker.handle(read(number, look)).appeared.isEmpty
            }
        }
        #expect(appearance(.zxing, passes: 1) == 4)
        #expect(appearance(.zxing, passes: 2) == 2)
        #expect(appearance(.zbar, passes: 2) == nil)
    }

    @Test mutating func aMissingFrameBetweenDoesNotForgetThem() {
        _ = tracker.handle(read(1, Self.weak(content: 1)))
        for sequence in UInt64(2)...10 { _ = tracker.handle(read(sequence)) }
        _ = tracker.handle(read(11, Self.weak(content: 2)))
        #expect(tracker.handle(read(12, Self.weak(content: 3))).appeared == ["w"])
    }

    @Test mutating func aMisreadIsForgottenWithoutATrace() {
        var actions: [SightingTracker.Action] = []
        actions += tracker.handle(read(1, Self.weak(content: 1)))
        for sequence in UInt64(2)...60 { actions += tracker.handle(read(sequence)) }
        #expect(actions.isEmpty && tracker.tracked.isEmpty)
    }

    @Test mutating func aFalseCodeDoesNotHoldTheGateOpenForEver() {
        for sequence in UInt64(1)...199 { _ = tracker.handle(read(sequence, Self.weak(content: 1))) }
        #expect(tracker.hasPending)
        for sequence in UInt64(200)...202 { _ = tracker.handle(read(sequence, Self.weak(content: 1))) }
        #expect(!tracker.hasPending)
    }

    @Test mutating func anAgreementThatCannotBeReachedIsCapped() {
        var tracker = SightingTracker(absence: .zero, symbologies: [.code39: SymbologySettings(agreement: 1000)])
        var appeared: [String] = []
        for content in UInt64(1)...8 { appeared += tracker.handle(read(content, Self.weak(content: content))).appeared }
        #expect(appeared == ["w"])
    }
}

@Suite("A number that ZBar alone saw on few scan lines")
struct FewScanLines {
    private var tracker = SightingTracker(absence: .milliseconds(50))

    private func look(
        pass: UInt8, content: UInt64, decoder: Evidence.Decoder = .zbar, lines: Int = 3, x: Double = 0.5
    ) -> [Symbol] {
        var symbol = symbol(
            "n", .ean13, at: .at(x, 0.5), content: content, pass: pass,
            decoder: decoder)
        symbol.evidence.strength = lines
        return [symbol]
    }

    @Test("isn't in view by the same pass on other pixels of the same view, which has the same errors")
    mutating func samePass() {
        for frame in UInt64(1)...50 {
            #expect(
                tracker.handle(read(frame, look(pass: 3, content: frame, x: 0.5 + 0.002 * Double(frame % 2)))).isEmpty)
        }
        #expect(tracker.hasPending)
    }

    @Test("is in view when two passes saw it in four frames: what both make of one frame isn't enough")
    mutating func otherPass() {
        for frame in UInt64(1)...3 {
            let looks = look(pass: 3, content: frame) + look(pass: 4, content: frame)
            #expect(tracker.handle(read(frame, looks)).isEmpty)
        }
        #expect(tracker.handle(read(4, look(pass: 4, content: 4))).appeared == ["n"])
    }

    @Test("is in view when ZXing saw it, too, or when it was on many lines")
    mutating func strong() {
        #expect(tracker.handle(read(1, look(pass: 3, content: 1))).isEmpty)
        #expect(tracker.handle(read(2, look(pass: 5, content: 2, decoder: .zxing))).appeared == ["n"])
        for (decoder, lines) in [(Evidence.Decoder.zxing, 16), (.zbar, 32)] {
            var other = FewScanLines().tracker
            #expect(other.handle(read(1, look(pass: 3, content: 1, decoder: decoder, lines: lines))).appeared == ["n"])
        }
    }

    @Test("waits if ZXing saw it and nobody else, until the soft reader, another pass or a fourth frame says the same")
    mutating func fewOfZXings() {
        #expect(tracker.handle(read(1, look(pass: 3, content: 1, decoder: .zxing))).isEmpty)
        #expect(tracker.handle(read(2, look(pass: 3, content: 2, decoder: .zxing))).isEmpty)
        #expect(tracker.hasPending)
        var other = tracker
        #expect(other.handle(read(3, look(pass: 9, content: 3, decoder: .soft, lines: 1))).appeared == ["n"])
        #expect(tracker.handle(read(3, look(pass: 3, content: 3, decoder: .zxing))).isEmpty)
        #expect(tracker.handle(read(4, look(pass: 3, content: 4, decoder: .zxing))).appeared == ["n"])
    }

    @Test("is in view when the same pass saw it from another viewpoint, in four frames")
    mutating func moved() {
        for frame in UInt64(1)...3 {
            #expect(tracker.handle(read(frame, look(pass: 3, content: frame, x: 0.5 + 0.01 * Double(frame)))).isEmpty)
        }
        #expect(tracker.handle(read(4, look(pass: 3, content: 4, x: 0.54))).appeared == ["n"])
    }

    @Test("that the soft reader has contradicted needs a second decoder, for two seconds")
    mutating func refuted() {
        let number = RefutedCode(symbology: .ean13, bytes: Array("n".utf8))
        #expect(tracker.handle(read(1, refuted: [number])).isEmpty)
        for frame in UInt64(2)...40 {
            #expect(tracker.handle(read(frame, look(pass: 3, content: frame, decoder: .zxing))).isEmpty)
        }
        var later = tracker
        #expect(later.handle(read(202, look(pass: 3, content: 99, decoder: .zxing))).appeared == ["n"])
        #expect(tracker.handle(read(41, look(pass: 3, content: 41))).appeared == ["n"])
    }

    @Test("is read after it has moved through more viewpoints than are told apart")
    func manyViewpoints() {
        var tracker = SightingTracker(absence: .milliseconds(50))
        func look(_ decoder: Evidence.Decoder, _ frame: UInt64) -> [Symbol] {
            [symbol("n", .ean8, at: .at(0.2 + 0.02 * Double(frame), 0.5), content: frame, pass: 3, decoder: decoder)]
        }
        for frame in UInt64(1)...20 { #expect(tracker.handle(read(frame, look(.soft, frame))).isEmpty) }
        #expect(tracker.handle(read(21, look(.zxing, 21))).appeared == ["n"])
    }
}

@Suite struct LateResults {
    var tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)])

    @Test mutating func aLateOneNeverCreatesASighting() {
        _ = tracker.handle(read(5))
        #expect(tracker.handle(read(4, [symbol("a")])).isEmpty)
        #expect(tracker.handle(read(5, [symbol("a")])).isEmpty)
        #expect(tracker.tracked.isEmpty)
    }

    @Test mutating func aLateOneNeverRemovesASighting() {
        _ = tracker.handle(read(20, [symbol("a")]))
        for sequence in UInt64(1)...19 { #expect(tracker.handle(read(sequence)).isEmpty) }
        #expect(tracker.handle(read(21, [symbol("a")])).appeared.isEmpty)
    }

    @Test mutating func aLateOneConfirmsAPendingSighting() {
        _ = tracker.handle(read(5, [symbol("w", .code39, content: 1)]))
        let actions = tracker.handle(read(4, [symbol("w", .code39, content: 2, pass: 1)]))
        #expect(actions.appeared == ["w"] && actions.seen == ["w"])
        #expect(tracker.tracked.first?.frame.sequence == 5)
        #expect(tracker.handle(read(3, [symbol("w", .code39, content: 3)])).isEmpty)
    }

    @Test mutating func afterAResetTheyAreStillLate() {
        _ = tracker.handle(read(5, [symbol("a")]))
        _ = tracker.reset()
        #expect(tracker.handle(read(4, [symbol("a")])).isEmpty)
    }
}

/// Two linear codes can't be within the same bars.
@Suite struct DisputedPlaceTests {
    var tracker = SightingTracker(absence: .milliseconds(500), symbologies: [:])

    /// At the same place, a little to the side as misreads are, or below.
    private static func ean(_ digits: String, x: Double = 0.3, y: Double = 0.3) -> Symbol {
        var ean = symbol(digits, .ean13)
        ean.corners = Quad(
            Point(x: x, y: y), Point(x: x + 0.3, y: y), Point(x: x + 0.3, y: y + 0.2), Point(x: x, y: y + 0.2))
        return ean
    }

    private let right = ean("0023942431015")
    private let wrong = ean("8574731373478", x: 0.32)

    @Test mutating func aMisreadBetweenLooksAtTheCodeItselfIsNoScan() {
        #expect(tracker.handle(read(1, [right])).appeared == ["0023942431015"])
        for sequence in UInt64(2)..<200 {
            let shown = sequence % 3 == 0 ? [wrong] : sequence % 3 == 1 ? [right] : []
            #expect(tracker.handle(read(sequence, shown)).appeared.isEmpty)
        }
    }

    @Test mutating func inOneFrameWithTheCodeItselfItIsNoneEither() {
        _ = tracker.handle(read(1, [right]))
        for sequence in UInt64(2)..<20 { #expect(tracker.handle(read(sequence, [right, wrong])).appeared.isEmpty) }
        for sequence in UInt64(20)..<40 { #expect(tracker.handle(read(sequence, [wrong, right])).appeared.isEmpty) }
    }

    @Test mutating func anotherArticleAtTheSamePlaceIsReadAtItsSecondLook() {
        _ = tracker.handle(read(1, [right]))
        #expect(tracker.handle(read(2, [wrong])).appeared.isEmpty)
        #expect(tracker.handle(read(3)).appeared.isEmpty)
        #expect(tracker.handle(read(4, [wrong])).appeared == ["8574731373478"])
    }

    @Test mutating func aMisreadThatWasFirstDoesNotKeepTheCodeAway() {
        _ = tracker.handle(read(1, [wrong]))
        #expect(tracker.handle(read(2, [right])).appeared.isEmpty)
        #expect(tracker.handle(read(3, [right])).appeared == ["0023942431015"])
    }

    @Test("two contents of one Aztec that error correction made up are none, however often they take turns")
    func inventedContents() {
        for symbology in [Symbology.aztec, .pdf417, .microQRCode] {
            var tracker = SightingTracker(absence: .milliseconds(500))
            for sequence in UInt64(1)...40 {
                let text = sequence % 2 == 0 ? "a" : "b"
                let shown = [symbol(text, symbology, content: sequence, pass: UInt8(sequence % 3))]
                #expect(tracker.handle(read(sequence, shown)).appeared.isEmpty)
            }
            // The one that is there shows twice without the other.
            _ = tracker.handle(read(42, [symbol("a", symbology, content: 42)]))
            #expect(tracker.handle(read(43, [symbol("a", symbology, content: 43)])).appeared == ["a"])
        }
    }

    /// An EAN-8 fits the inner digits of a slanted UPC-A; their extents don't cover each other's centres.
    @Test mutating func aPartOfACodeThatAnotherFrameShowsWholeIsNoScan() {
        let whole = Self.ean("0100250897969")
        let part = Self.ean("02508979", x: 0.36, y: 0.42)
        #expect(tracker.handle(read(1, [whole])).appeared == ["0100250897969"])
        for sequence in UInt64(2)..<40 {
            let shown = sequence % 5 == 0 ? [whole] : [part]
            #expect(tracker.handle(read(sequence, shown)).appeared.isEmpty)
        }
        // Other digits there are another label.
        #expect(tracker.handle(read(41, [Self.ean("96385074", x: 0.36, y: 0.42)])).appeared == ["96385074"])
    }

    @Test mutating func aPartThatWasFirstDoesNotKeepTheWholeAway() {
        let part = Self.ean("02508979")
        #expect(tracker.handle(read(1, [part])).appeared == ["02508979"])
        #expect(tracker.handle(read(2, [Self.ean("0100250897969"), part])).appeared == ["0100250897969"])
    }

    @Test mutating func codesBelowEachOtherAreNotInDoubt() {
        #expect(tracker.handle(read(1, [right, Self.ean("8574731373478", y: 0.55)])).appeared.count == 2)
    }

    @Test mutating func aPictureThatHoldsShowsWhatItShowedAndIsNoFurtherLook() {
        _ = tracker.handle(read(1, [right]))
        _ = tracker.handle(read(2, [wrong]))
        for sequence in UInt64(3)..<20 {
            #expect(tracker.handle(read(sequence, [right, wrong], outcome: .unchanged)).appeared.isEmpty)
        }
    }

    @Test mutating func theLadderIsHeldToTheSame() {
        _ = tracker.handle(read(1, [right]))
        for sequence in UInt64(2)..<20 {
            _ = tracker.handle(read(sequence, [right]))
            #expect(tracker.handle(read(sequence - 1, [wrong], outcome: .climbed)).appeared.isEmpty)
        }
    }
}

/// What only thorough turns read, between quick ones.
@Suite struct ThoroughSightingTests {
    var tracker = SightingTracker(absence: .milliseconds(50))

    @Test mutating func whatOnlyThoroughTurnsSeeIsNotMissedByQuickOnes() {
        #expect(tracker.handle(read(1, [symbol("a")], isThorough: true)).appeared == ["a"])
        for sequence in UInt64(2)..<100 { #expect(tracker.handle(read(sequence)).isEmpty, "quick turns can't see it") }
        #expect(tracker.handle(read(100, [symbol("a")], isThorough: true)).appeared.isEmpty)
    }

    @Test mutating func thoroughTurnsWithoutItSayThatItIsGone() {
        _ = tracker.handle(read(1, [symbol("a")], isThorough: true))
        var gone: [String] = []
        for sequence in UInt64(2)..<10 { gone += tracker.handle(read(sequence, isThorough: true)).disappeared }
        #expect(gone == ["a"])
    }

    @Test mutating func aQuickTurnThatSeesItMakesItAnyOther() {
        _ = tracker.handle(read(1, [symbol("a")], isThorough: true))
        _ = tracker.handle(read(2, [symbol("a")]))
        var gone: [String] = []
        for sequence in UInt64(3)..<20 { gone += tracker.handle(read(sequence)).disappeared }
        #expect(gone == ["a"])
    }

    @Test mutating func withoutAThoroughTurnItIsGoneAfterAWhile() {
        _ = tracker.handle(read(1, [symbol("a")], isThorough: true))
        var gone: UInt64?
        for sequence in UInt64(2)..<1100 where !tracker.handle(read(sequence)).disappeared.isEmpty { gone = sequence }
        // Ten seconds, of ten milliseconds a frame.
        #expect(gone == 1001)
    }

    @Test(arguments: [true, false])
    mutating func ofMixedTurnsOneQuickOneMayBeTheOnlyOneThatSeesIt(isMixed: Bool) {
        tracker = SightingTracker(absence: .milliseconds(50), limits: .alternatingTurns)
        var (appeared, turn) = (0, 0)
        for sequence in UInt64(1)..<500 {
            let isThorough = isMixed && sequence % 3 == 0
            let seesIt = !isThorough && turn % ReadEffort.Kind.quick.turns == 0
            if !isThorough { turn += 1 }
            let actions = tracker.handle(read(sequence, seesIt ? [symbol("a")] : [], isThorough: isThorough))
            appeared += actions.appeared.count
        }
        #expect(appeared == 1)
    }

    @Test mutating func whereAllTurnsAreThoroughTheyMissWhatQuickOnesSaw() {
        _ = tracker.handle(read(1, [symbol("a")]))
        var gone: [String] = []
        for sequence in UInt64(2)..<20 { gone += tracker.handle(read(sequence, isThorough: true)).disappeared }
        #expect(gone == ["a"])
    }
}

/// Codes that few frames show, while something unread lies where they were.
@Suite struct SeldomSeenTests {
    var tracker = SightingTracker(absence: .milliseconds(50))
    private static let here = [CodePlace(kind: .finders, corners: .at(0.5, 0.5))]

    /// Frames without the code, with these places; what is gone then.
    private mutating func pass(_ frames: ClosedRange<UInt64>, _ places: [CodePlace]) -> [String] {
        frames.flatMap { tracker.handle(read($0, places: places)).disappeared }
    }

    @Test mutating func aCodeThatOneLuckyLookReadIsScannedOnce() {
        _ = tracker.handle(read(1, [symbol("a")]))
        #expect(pass(2...60, Self.here).isEmpty)
        #expect(tracker.handle(read(61, [symbol("a")])).appeared.isEmpty)
        #expect(pass(62...120, Self.here).isEmpty)
        // Taken away.
        #expect(pass(121...130, []) == ["a"])
        #expect(tracker.handle(read(131, [symbol("a")])).appeared == ["a"])
    }

    @Test mutating func itMayMoveMeanwhile() {
        _ = tracker.handle(read(1, [symbol("a")]))
        for step in UInt64(1)...40 {
            let place = CodePlace(kind: .finders, corners: .at(0.5 - 0.01 * Double(step), 0.5))
            #expect(pass(step + 1...step + 1, [place]).isEmpty)
        }
    }

    @Test mutating func whatMostFramesShowedIsGoneWhenTheyDoNot() {
        for sequence in UInt64(1)...20 { _ = tracker.handle(read(sequence, [symbol("a")])) }
        #expect(pass(21...40, Self.here) == ["a"])
    }

    @Test mutating func aPictureThatHeldCountsAsShowingIt() {
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in UInt64(2)...20 { _ = tracker.handle(read(sequence, [symbol("a")], outcome: .unchanged)) }
        #expect(pass(21...40, Self.here) == ["a"])
    }

    @Test(arguments: [(7, false), (8, true)])
    func whatWasAwayForHalfARoundIsAnother(framesAway: UInt64, isAnother: Bool) {
        var tracker = SightingTracker(absence: .milliseconds(50), limits: .alternatingTurns)
        _ = tracker.handle(read(1, [symbol("a")]))
        for sequence in 2..<2 + framesAway { _ = tracker.handle(read(sequence)) }
        let gone = (2 + framesAway..<60).flatMap { tracker.handle(read($0, places: Self.here)).disappeared }
        #expect(gone == (isAnother ? ["a"] : []))
    }

    @Test mutating func aPictureThatHoldsWithSomethingUnreadDoesNotShowIt() {
        _ = tracker.handle(read(1, [symbol("a")]))
        #expect(pass(2...3, Self.here).isEmpty)
        for sequence in UInt64(4)...1000 {
            #expect(tracker.handle(read(sequence, outcome: .unchanged)).seen.isEmpty)
        }
        #expect(pass(1001...1020, Self.here) == ["a"])
    }

    @Test mutating func notForEver() {
        _ = tracker.handle(read(1, [symbol("a")]))
        #expect(pass(2...1000, Self.here).isEmpty)
        #expect(pass(1001...1020, Self.here) == ["a"])
    }

    @Test(arguments: [
        ("another code is read there", [CodePlace(kind: .finders, corners: .at(0.5, 0.5))], [symbol("b")]),
        ("it is elsewhere", [CodePlace(kind: .finders, corners: .at(0.2, 0.5))], []),
        ("it is much larger", [CodePlace(kind: .finders, corners: .at(0.5, 0.5, width: 0.4, height: 0.4))], []),
    ]) func whatCannotBeItDoesNotKeepIt(what: String, places: [CodePlace], others: [Symbol]) {
        var tracker = tracker
        _ = tracker.handle(read(1, [symbol("a")]))
        let gone = (UInt64(2)...20).flatMap { tracker.handle(read($0, others, places: places)).disappeared }
        #expect(gone == ["a"], "\(what)")
    }

    @Test mutating func barsAreNeededForALinearCode() {
        _ = tracker.handle(read(1, [symbol("a", .code128)]))
        #expect(pass(2...20, Self.here) == ["a"])
        _ = tracker.handle(read(21, [symbol("a", .code128)]))
        #expect(pass(22...60, [CodePlace(kind: .bars, corners: .at(0.5, 0.5))]).isEmpty)
    }

    @Test mutating func aWeakCodeIsNotRememberedForIt() {
        tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)])
        let bars = [CodePlace(kind: .bars, corners: .at(0.5, 0.5))]
        _ = tracker.handle(read(1, AgreementOfWeakCodes.weak(content: 1)))
        for sequence in UInt64(2)...70 { _ = tracker.handle(read(sequence, places: bars)) }
        #expect(tracker.tracked.isEmpty)
    }
}

/// What the ladder reads beside the frames.
@Suite struct LadderSightingTests {
    var tracker = SightingTracker(absence: .milliseconds(50), symbologies: [.code39: SymbologySettings(agreement: 2)])

    @Test mutating func whatOnlyTheLadderSeesAppearsOnceAndIsNotMissedByReads() {
        _ = tracker.handle(read(1))
        let climbed = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        #expect(climbed.appeared == ["a"] && climbed.seen == ["a"])
        for sequence in UInt64(2)..<100 { #expect(tracker.handle(read(sequence)).isEmpty, "reads can't see it") }
        #expect(tracker.handle(read(50, [symbol("a")], outcome: .climbed)).appeared.isEmpty)
    }

    @Test mutating func aWholeLadderWithoutItSaysThatItIsGone() {
        _ = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        for sequence in UInt64(2)..<10 { _ = tracker.handle(read(sequence)) }
        #expect(tracker.handle(read(9, outcome: .climbedToEnd)).isEmpty)
        #expect(tracker.handle(read(10)).disappeared == ["a"])
        #expect(
            tracker.handle(read(11, [symbol("a")], outcome: .climbed)).appeared == ["a"], "and comes again as a new one"
        )
    }

    @Test mutating func aBlankPictureSaysSoToo() {
        _ = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        for sequence in UInt64(2)...7 { _ = tracker.handle(read(sequence, outcome: .blank)) }
        #expect(tracker.tracked.isEmpty)
    }

    @Test mutating func inAPictureThatMovesAllTheTimeItIsGoneAfterAWhile() {
        _ = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        var gone: [String] = []
        for sequence in UInt64(2)..<400 { gone += tracker.handle(read(sequence)).disappeared }
        #expect(gone == ["a"])
    }

    @Test mutating func onceItIsOverdueOneReadIsEnough() {
        // Reads of a scene that stands still come rarely: an equal article that takes its place mustn't wait for a round of them.
        tracker = SightingTracker(absence: .milliseconds(50), limits: .alternatingTurns)
        _ = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        #expect(tracker.handle(read(2, exposedAt: .ms(1_000))).isEmpty)
        #expect(tracker.handle(read(3, exposedAt: .ms(2_900))).isEmpty)
        #expect(tracker.handle(read(4, exposedAt: .ms(3_400))).disappeared == ["a"])
    }

    @Test mutating func aReadThatSeesItMakesItAnyOther() {
        _ = tracker.handle(read(1, [symbol("a")], outcome: .climbed))
        _ = tracker.handle(read(2, [symbol("a")]))
        var gone: [String] = []
        for sequence in UInt64(3)..<20 { gone += tracker.handle(read(sequence)).disappeared }
        #expect(gone == ["a"])
    }

    @Test mutating func aLookAtAFrameFromBeforeACodeWentDoesNotBringItBack() {
        _ = tracker.handle(read(1, [symbol("a")]))
        var sequence: UInt64 = 2
        while !tracker.tracked.isEmpty {
            _ = tracker.handle(read(sequence))
            sequence += 1
        }
        #expect(tracker.handle(read(3, [symbol("a")], outcome: .climbed)).isEmpty)
        #expect(tracker.tracked.isEmpty)
        _ = tracker.handle(read(sequence))
        #expect(tracker.handle(read(sequence, [symbol("a")], outcome: .climbed)).appeared == ["a"])
    }

    @Test mutating func aWeakCodeNeedsItsAgreementInTheLadderToo() {
        let first = AgreementOfWeakCodes.weak(content: 1, pass: 70)
        #expect(tracker.handle(read(1, first, outcome: .climbed)).isEmpty)
        #expect(tracker.handle(read(2, first, outcome: .climbed)).isEmpty)
        let other = AgreementOfWeakCodes.weak(content: 2, pass: 71)
        #expect(tracker.handle(read(2, other, outcome: .climbed)).seen.count == 1)
    }
}
