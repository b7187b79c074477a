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
    private func climb(_ picture: DecodingPicture, by engine: DecodeEngine = DecodeEngine(rules: rules))
        -> (told: [[Symbol]], passes: Int)
    {
        var told = [picture.read(by: engine, effort: .ladder(.init(round: 0, begins: true)))]
        while !engine.isLadderOver {
            told.append(picture.read(by: engine, effort: .ladder(.init(round: 0, begins: false))))
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
        "over a picture that holds, it reads what the still reader reads, however many rounds there were before",
        arguments: [0, 1, 7] as [UInt16])
    func whole(rounds: UInt16) {
        let engine = DecodeEngine(rules: Self.rules)
        for round in 0..<rounds {
            _ = Self.tilted.read(by: engine, effort: .ladder(.init(round: round + 1, begins: true)))
        }
        let still = Self.tilted.read(by: DecodeEngine(rules: Self.rules), effort: .exhaustive)
        #expect(texts(still) == ["4006381333931", "https://example.org/1"])
        let told = climb(Self.tilted, by: engine).told
        #expect(texts(told.flatMap(\.self)) == texts(still))
        #expect(texts(told.last ?? []) == texts(still), "the end tells of all that stands")
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
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
        var told: [Int] = []
        var passes = 0
        while let move = ladder.next() {
            reading.pass = passes
            passes += 1
            if !ladder.take(passes == 2 ? [reading] : [], of: move).isEmpty { told.append(passes) }
        }
        // Without DataBar, which the rules don't ask for; with the searches for matrix codes, which come in between.
        let stages = ReadPlan.steps(for: wanted).count {
            $0.stage == .first || $0.pass.isLocated && $0.pass.region == nil
        }
        #expect(told.first == stages, "\(told)")

        var rounds = LadderRounds(rules: SymbologyRules(Self.rules), wanted: wanted)
        rounds.begin()
        let next = rounds.next()
        let move = try #require(next)
        #expect(move.step.stage == .first)
        #expect(rounds.take([reading], of: move).count == 1)
    }

    @Test("a linear code that only a later pass saw while the picture moves isn't reported: treatments invent bars")
    func singleLater() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        let reading = Self.reading(lines: 2)
        var seen = 0
        for sought in 0..<40 {
            var rounds = LadderRounds(rules: SymbologyRules(Self.rules), wanted: wanted)
            rounds.begin()
            for number in 0...sought {
                guard let move = rounds.next() else {
                    Issue.record("no move")
                    return
                }
                let sees = number == sought && move.step.stage != .first
                seen += sees ? 1 : 0
                #expect(rounds.take(sees ? [reading] : [], of: move).isEmpty)
            }
        }
        #expect(seen == 20)
    }

    @Test("a code that two passes saw is reported at once, by the later one")
    func firm() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
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
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
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

    @Test("two codes that were found in one frame are both looked at again in the next one")
    func bothAgain() throws {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
        var sought: [[UInt8]] = []
        for (number, digits) in ["4006381333931", "9780201379624"].enumerated() {
            var reading = Self.reading(lines: 32)
            reading.bytes = Array(digits.utf8)
            reading.decoder = .soft
            let x = 200.0 * Double(number)
            reading.corners = Quad(
                Point(x: x, y: 10), Point(x: x + 80, y: 10), Point(x: x + 80, y: 40), Point(x: x, y: 40))
            sought.append(reading.bytes)
            let next = ladder.next(content: 1)
            let move = try #require(next)
            #expect(ladder.take([reading], of: move, content: 1).map(\.verdict.bytes) == [reading.bytes])
        }
        let again = [ladder.next(content: 2), ladder.next(content: 2)].compactMap { $0?.sought }
        #expect(again == sought)
        #expect(ladder.next(content: 2)?.isRepeated == false)
    }

    @Test("a code whose FNC1 at the end separates nothing is reported, and looked at again")
    func lastSeparator() throws {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
        var reading = Self.reading(lines: 32)
        (reading.symbology, reading.aim, reading.decoder) = (.code128, "]C1", .soft)
        reading.bytes = Array("10ABC".utf8) + [29]
        let next = ladder.next(content: 1)
        let move = try #require(next)
        #expect(ladder.take([reading], of: move, content: 1).map(\.verdict.bytes) == [Array("10ABC".utf8)])
        #expect(ladder.next(content: 2)?.isRepeated == true)
    }

    @Test("what one look found and another would confirm waits, and once it is confirmed no more")
    func waiting() {
        let wanted = DecoderSymbologies(SymbologyRules(Self.rules).decoderSymbologies)
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
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
        var ladder = Ladder(rules: SymbologyRules(Self.rules), wanted: wanted)
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

    @Test("what stands at the end has been reported, whichever pass saw it, whatever the rules ask for")
    func end() {
        for symbology in Self.rules.symbologies.keys {
            var rules = Self.rules
            rules.symbologies = rules.symbologies.filter { $0.key == symbology }
            let wanted = DecoderSymbologies(SymbologyRules(rules).decoderSymbologies)
            var reading = Self.reading(lines: 32)
            (reading.symbology, reading.bytes) = (.qrCode, Array("once".utf8))
            rules.symbologies[.qrCode] = Self.rules.symbologies[.qrCode]
            let passes = ReadPlan.steps(for: wanted).count { $0.pass.region == nil }
            for sought in 0..<passes {
                var ladder = Ladder(rules: SymbologyRules(rules), wanted: wanted)
                var told = 0
                var number = 0
                while let move = ladder.next() {
                    told += ladder.take(number == sought ? [reading] : [], of: move).count
                    number += 1
                }
                // Those of the last stages aren't made when a code stands.
                #expect(told > 0 || number <= sought, "\(symbology), pass \(sought)")
            }
        }
    }

    @Test("a process that hasn't begun finds nothing when told to go on")
    func notBegun() {
        let engine = DecodeEngine(rules: Self.rules)
        #expect(Self.tilted.read(by: engine, effort: .ladder(.init(round: 3, begins: false))).isEmpty)
        #expect(engine.isLadderOver)
        #expect(Self.tilted.read(by: engine, effort: .ladder(.init(round: 0, begins: false))).isEmpty)
        #expect(engine.isLadderOver)
    }
}

extension LadderCourse {
    /// Without regions.
    fileprivate mutating func next(content: UInt64 = 1) -> LadderMove? {
        next(content: content, places: LadderPlaces(portion: { _ in [] }, looks: { _ in [] })).first
    }

    fileprivate mutating func take(_ readings: [PassReading], of move: LadderMove, content: UInt64 = 1) -> [Candidate] {
        take(readings, of: move, pixels: 1, content: content) { _ in .seesNothing }
    }
}
