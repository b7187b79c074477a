import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// The still reader's ladder, one pass per frame.
@Suite("The ladder over frames")
struct LadderReadingTests {
    private static let rules = DecodeRules(ReadingSettings())

    /// Goes up the ladder on frames of one picture.
    /// - Returns: what the passes reported, in their order, and how many there were.
    private func climb(_ picture: DecodingPicture, round: UInt16 = 0) -> (told: [[Symbol]], passes: Int) {
        let engine = DecodeEngine(rules: Self.rules)
        var told = [picture.read(by: engine, effort: .ladder(.init(round: round, begins: true, holds: true)))]
        while !engine.isLadderOver {
            told.append(picture.read(by: engine, effort: .ladder(.init(round: round, begins: false, holds: true))))
        }
        return (told.filter { !$0.isEmpty }, told.count)
    }

    private func texts(_ symbols: [Symbol]) -> Set<String> { Set(symbols.compactMap(\.text)) }

    private static let tilted: DecodingPicture = {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.ean13, x: 200, y: 150, module: 2, degrees: 30)
        picture.paint(DecodingFixtures.qrLink, x: 450, y: 330, module: 3, degrees: 12)
        return picture
    }()

    @Test(
        "over a picture that holds, it reads what the still reader reads, wherever a round begins",
        arguments: [0, 1, 7] as [UInt16])
    func whole(round: UInt16) {
        let still = Self.tilted.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        #expect(texts(still) == ["4006381333931", "https://example.org/1"])
        #expect(texts(climb(Self.tilted, round: round).told.flatMap(\.self)) == texts(still))
    }

    @Test("a picture without codes gets every pass once, and none reports anything")
    func empty() {
        let (told, passes) = climb(DecodingPicture(width: 320, height: 240))
        #expect(told.isEmpty)
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        let possible = Set(ReadPlan.exhaustive.map(\.pass)).filter { !$0.symbologies(of: wanted).isEmpty }
        #expect(passes > 40 && passes <= possible.count)
    }

    private static func reading(lines: Int) -> PassReading {
        PassReading(
            symbology: .ean13, bytes: Array("4006381333931".utf8), aim: "]E0",
            corners: Quad(Point(x: 10, y: 10), Point(x: 90, y: 10), Point(x: 90, y: 40), Point(x: 10, y: 40)),
            isInverted: false, decoder: .zxing, strength: lines)
    }

    @Test("a linear code that one pass saw is reported when the first stage is over; at once while the picture moves")
    func single() throws {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var reading = Self.reading(lines: 2)
        for holds in [true, false] {
            var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
            var told: [Int] = []
            var passes = 0
            while let move = ladder.next(holds: holds) {
                reading.pass = passes
                passes += 1
                let found = ladder.take(passes == 2 ? [reading] : [], of: move, holds: holds)
                if !found.isEmpty { told.append(passes) }
            }
            // Without DataBar, which the rules don't ask for; with the search for QR codes, which comes in between.
            let stages = ReadPlan.exhaustive.filter { !$0.pass.symbologies(of: wanted).isEmpty }
                .count { $0.stage == .first || $0.pass.isLocated && $0.pass.region == nil }
            #expect(holds ? told.first == stages : told == [2], "\(told)")
        }
    }

    @Test("a linear code that only a later pass saw while the picture moves isn't reported: treatments invent bars")
    func singleLater() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
        let reading = Self.reading(lines: 2)
        var wasSeen = false
        while let move = ladder.next(holds: false) {
            let sees = !wasSeen && move.step.stage != .first
            wasSeen = wasSeen || sees
            #expect(ladder.take(sees ? [reading] : [], of: move, holds: false).isEmpty)
        }
        #expect(wasSeen)
    }

    @Test("a code that two passes saw is reported at once, by the later one")
    func firm() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
        var reading = Self.reading(lines: 2)
        for pass in 0..<3 {
            guard let move = ladder.next() else { return }
            reading.pass = pass
            let found = ladder.take(pass == 1 ? [] : [reading], of: move)
            #expect(found.map(\.verdict.bytes) == (pass == 2 ? [reading.bytes] : []))
        }
    }

    @Test(
        "what found a linear code, or one whose error correction may invent it, looks again at the next frame, once",
        arguments: [Symbology.ean13, .pdf417])
    func again(symbology: Symbology) {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
        var reading = Self.reading(lines: 32)
        reading.symbology = symbology
        for pass in 0..<2 {
            reading.pass = pass
            guard let move = ladder.next(content: 1) else {
                Issue.record("no move")
                return
            }
            _ = ladder.take([reading], of: move, content: 1)
        }
        guard let other = ladder.next(content: 1) else {
            Issue.record("no move")
            return
        }
        #expect(!other.isRepeated, "the frame is still the same")
        _ = ladder.take([], of: other, content: 1)
        guard let repeated = ladder.next(content: 2) else {
            Issue.record("no move")
            return
        }
        #expect(repeated.isRepeated)
        #expect(repeated.step.pass != other.step.pass)
        let found = ladder.take([reading], of: repeated, content: 2)
        #expect(found.count == 1)
        let next = ladder.next(content: 3)
        #expect(next?.isRepeated == false)
    }

    @Test("what one look found and another would confirm waits, and once it is confirmed no more")
    func waiting() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
        var reading = PassReading(
            symbology: .pdf417, bytes: Array("SHIPMENT 0042".utf8), aim: "]L0",
            corners: Quad(Point(x: 10, y: 10), Point(x: 190, y: 10), Point(x: 190, y: 90), Point(x: 10, y: 90)),
            isInverted: false, decoder: .zxing, strength: 0)
        #expect(ladder.waiting(in: []).isEmpty)
        #expect(ladder.waiting(in: [reading]).map(\.verdict.bytes) == [reading.bytes])
        var other = reading
        other.pass += 1
        #expect(ladder.waiting(in: [reading, other]).isEmpty)
        // Confirmed by what an earlier move saw.
        guard let move = ladder.next() else { return }
        _ = ladder.take([reading], of: move)
        #expect(ladder.waiting(in: [reading]).map(\.verdict.bytes) == [reading.bytes])
        #expect(ladder.waiting(in: [other]).isEmpty)
        // What the move didn't see isn't its business.
        reading.bytes = Array("another".utf8)
        #expect(ladder.waiting(in: []).isEmpty)
    }

    @Test("of a frame that stays the same to the last bit, the ladder has an end")
    func endOfTheSame() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(round: 0, rules: SymbologyRules(Self.rules), wanted: wanted)
        var reading = Self.reading(lines: 32)
        for pass in 0..<1000 {
            reading.pass = pass
            guard let move = ladder.next() else { break }
            _ = ladder.take([reading], of: move)
        }
        #expect(ladder.isOver)
    }

    @Test("a code on a can, which no turn straightens, is read by the ladder")
    func bent() {
        var flat = DecodingPicture(width: 240, height: 240)
        flat.paint(SmallQRCode.rows("a can on a shelf"), x: 120, y: 120, module: 6)
        var can = flat
        flat.withPlane { plane in
            let bent = Bow.down(plane, percent: 20)
            can.pixels = (0..<bent.height).flatMap { y in
                Array(UnsafeBufferPointer(start: bent.row(y), count: bent.width))
            }
        }
        let engine = DecodeEngine(rules: Self.rules)
        #expect(
            (0..<UInt32(engine.quickTurnCount)).allSatisfy { can.read(by: engine, effort: .quick(turn: $0)).isEmpty })
        #expect(texts(climb(can).told.flatMap(\.self)) == ["a can on a shelf"])
    }

    @Test("what stands is reported at a stage's end, though the last step has no region to look at")
    func endWithoutRegion() throws {
        let wanted = DecoderSymbologies([Symbology.qrCode])
        // These are the last steps of a round that begins after the regions' steps.
        let reading = PassReading(
            symbology: .qrCode, bytes: Array("once".utf8), aim: "]Q1",
            corners: Quad(Point(x: 10, y: 10), Point(x: 90, y: 10), Point(x: 90, y: 90), Point(x: 10, y: 90)),
            isInverted: false, decoder: .zbar, strength: 0)
        let all = Set(
            (0...200 as ClosedRange<UInt16>).map { round in
                var ladder = Ladder(round: round, rules: SymbologyRules(Self.rules), wanted: wanted)
                var told = 0
                while let move = ladder.next() {
                    told += ladder.take(move.step.stage != .first ? [reading] : [], of: move).count
                }
                told += ladder.remainder(holds: true).count
                return told > 0
            })
        #expect(all == [true])
    }

    @Test("a process that hasn't begun finds nothing when told to go on")
    func notBegun() {
        let engine = DecodeEngine(rules: Self.rules)
        #expect(Self.tilted.read(by: engine, effort: .ladder(.init(round: 3, begins: false, holds: true))).isEmpty)
        #expect(engine.isLadderOver)
    }
}

extension Ladder {
    /// Without regions.
    fileprivate mutating func next(holds: Bool = true, content: UInt64 = 1) -> Move? {
        next(holds: holds, content: content) { _ in [] }
    }

    fileprivate mutating func take(
        _ readings: [PassReading], of move: Move, holds: Bool = true, content: UInt64 = 1
    ) -> [Candidate] {
        take(readings, of: move, pixels: 1, holds: holds, content: content) { _ in .seesNothing }
    }
}
