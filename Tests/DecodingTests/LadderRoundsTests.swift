import ReaderProtocol
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// What the ladder does over pictures that move, and with bars that the soft reader alone reads.
@Suite struct LadderRoundsTests {
    private static let rules = SymbologyRules(DecodeRules(ReadingSettings()))
    private static let wanted = DecoderSymbologies(rules.decoderSymbologies)
    private static let code39 = RegionLook.softCode39.pass(over: .bars)

    private static func bars(x: Double) -> LocatedRegion {
        LocatedRegion(
            kind: .bars, centre: Point(x: x, y: 100), direction: 0, length: 200, height: 60, module: 2, score: 1)
    }

    private static func look(_ x: Double, _ look: RegionLook = .softCode39) -> RegionTurn.Look {
        RegionTurn.Look(region: bars(x: x), pass: look.pass(over: .bars))
    }

    private static func reading(
        x: Double, _ text: String = "PART42", as symbology: Symbology = .code39, by decoder: Evidence.Decoder = .soft,
        pass: Int = LivePlan.number(of: code39), content: UInt64? = nil
    ) -> PassReading {
        PassReading(
            symbology: symbology, bytes: Array(text.utf8), aim: "]X0",
            corners: Quad(
                Point(x: x - 100, y: 70), Point(x: x + 100, y: 70), Point(x: x + 100, y: 130),
                Point(x: x - 100, y: 130)), hasExtent: true, isInverted: false, decoder: decoder, strength: 100,
            pass: pass, content: content)
    }

    private func rounds() -> LadderRounds {
        var rounds = LadderRounds(rules: Self.rules, wanted: Self.wanted)
        rounds.begin()
        return rounds
    }

    /// One order in which each look finds a code of its own place.
    @discardableResult
    private func order(
        _ rounds: inout LadderRounds, content: UInt64, portion: [RegionTurn.Look] = [], bars: [Double] = [],
        finds: Bool = true
    ) -> [LadderMove] {
        let moves = rounds.next(
            content: content,
            places: LadderPlaces(
                portion: { _ in portion }, looks: { $0 == Self.code39 ? bars.map { Self.look($0) } : [] }))
        for move in moves where rounds.pays(move) {
            let readings = finds ? move.look.map { [Self.reading(x: $0.region.centre.x)] } ?? [] : []
            _ = rounds.take(readings, of: move, pixels: 1, content: content) { _ in .seesNothing }
        }
        return moves
    }

    // MARK: What is reported

    @Test func `what the soft reader finds is reported at once, moving or not`() throws {
        let places = LadderPlaces(
            portion: { _ in [Self.look(300)] }, looks: { $0 == Self.code39 ? [Self.look(300)] : [] })
        func told(by course: inout some LadderCourse) -> [[UInt8]] {
            for _ in 0..<100 {
                guard let move = course.next(content: 1, places: places).first else { return [] }
                let isSoft = move.step.pass == Self.code39
                let found = course.take(isSoft ? [Self.reading(x: 300)] : [], of: move, pixels: 1, content: 1) { _ in
                    .seesNothing
                }
                if isSoft { return found.map(\.verdict.bytes) }
            }
            return []
        }
        var rounds = rounds()
        var ladder = Ladder(rules: Self.rules, wanted: Self.wanted)
        #expect(told(by: &rounds) == [Array("PART42".utf8)])
        #expect(told(by: &ladder) == [Array("PART42".utf8)])
    }

    @Test func `what another decoder finds in a region waits until it is firm, whoever looked`() throws {
        var rounds = rounds()
        let looks = [Self.look(300), Self.look(300, .zxingWhole)]
        let moves = rounds.next(content: 1, places: LadderPlaces(portion: { _ in looks }, looks: { _ in [] }))
        try #require(moves.count == 2)
        let told = moves.enumerated().map { number, move in
            rounds.take(
                [Self.reading(x: 300, "4006381333931", as: .ean13, by: .zxing, pass: number)], of: move, pixels: 1,
                content: 1
            ) { _ in .seesNothing }.count
        }
        #expect(told == [0, 1])
    }

    @Test func `what a later look of a portion outvotes isn't reported`() throws {
        var rounds = rounds()
        let looks = [Self.look(300), Self.look(320, .zxingWhole)]
        let moves = rounds.next(content: 1, places: LadderPlaces(portion: { _ in looks }, looks: { _ in [] }))
        try #require(moves.count == 2)
        let found = rounds.take([Self.reading(x: 300)], of: moves[0], pixels: 1, content: 1) { _ in .seesNothing }
        #expect(rounds.standing(found).map(\.verdict.bytes) == [Array("PART42".utf8)])
        let other = rounds.take(
            [Self.reading(x: 310, "4006381333931", as: .ean13, by: .zxing, pass: 1)], of: moves[1], pixels: 1,
            content: 1
        ) { _ in .seesNothing }
        #expect(rounds.standing(found + other).isEmpty)
    }

    @Test func `a code that has moved is reported where it is now`() throws {
        var rounds = rounds()
        order(&rounds, content: 1, portion: [Self.look(300)])
        let places = LadderPlaces(portion: { _ in [] }, looks: { _ in [Self.look(340)] })
        let moves = rounds.next(content: 2, places: places)
        let move = try #require(moves.first)
        let found = rounds.take([Self.reading(x: 340, content: 2)], of: move, pixels: 1, content: 2) { _ in .seesNothing
        }
        #expect(found.map(\.reading.corners.centre.x) == [340])
    }

    // MARK: Looking again

    @Test func `what found a code looks again at the next frame, wherever that is by then`() {
        func next(content: UInt64, bars: [Double]) -> LadderMove? {
            var rounds = rounds()
            order(&rounds, content: 1, portion: [Self.look(300)])
            return order(&rounds, content: content, bars: bars).first
        }
        let moved = next(content: 2, bars: [500, 330, 200])
        #expect(moved?.isRepeated == true && moved?.look?.region.centre.x == 330)
        #expect(next(content: 2, bars: [500])?.isRepeated == false)
        #expect(next(content: 1, bars: [300])?.isRepeated == false)
    }

    @Test func `each of a portion's finds is looked at again, and once`() {
        var rounds = rounds()
        let places = [200.0, 600, 1000]
        order(&rounds, content: 1, portion: places.map { Self.look($0) })
        let again = order(&rounds, content: 2, bars: places.map { $0 + 20 })
        #expect(again.map(\.look?.region.centre.x) == [220, 620, 1020])
        #expect(again.map(\.isRepeated) == [true, true, true])
        #expect(order(&rounds, content: 3, bars: places).allSatisfy { !$0.isRepeated })
    }

    @Test func `two finds that have come to lie at one place are looked at once`() {
        var rounds = rounds()
        order(&rounds, content: 1, portion: [Self.look(330), Self.look(450)])
        #expect(order(&rounds, content: 2, bars: [390]).map(\.look?.region.centre.x) == [390])
    }

    @Test func `at the beginning of each round it looks where it found something, until nothing was there twice`() {
        var rounds = rounds()
        order(&rounds, content: 1, portion: [Self.look(300)])
        #expect(order(&rounds, content: 2, bars: [310]).map(\.isRepeated) == [true])
        for (content, finds) in zip(UInt64(3)..., [true, false, true, false, false]) {
            rounds.begin()
            let moves = order(&rounds, content: content, bars: [310], finds: finds)
            #expect(moves.map(\.isRepeated) == [true], "\(content)")
        }
        rounds.begin()
        #expect(order(&rounds, content: 8, bars: [310]).allSatisfy { !$0.isRepeated })
    }

    @Test func `a find in the last order of a round is looked at again in the next round`() {
        var rounds = rounds()
        order(&rounds, content: 1, portion: [Self.look(300)])
        rounds.begin()
        #expect(order(&rounds, content: 2, bars: [310]).map(\.isRepeated) == [true])
    }

    @Test func `a code that is gone makes room for others`() {
        var rounds = rounds()
        let places = [200.0, 600, 1000, 1400]
        order(&rounds, content: 1, portion: places.map { Self.look($0) })
        #expect(order(&rounds, content: 2, bars: places).map(\.isRepeated) == [true, true, true, true])
        // A fifth one isn't kept, so a round begins with the four.
        order(&rounds, content: 3, portion: [Self.look(1800)])
        order(&rounds, content: 4, bars: [1800])
        rounds.begin()
        #expect(order(&rounds, content: 5, bars: places + [1800]).map(\.look?.region.centre.x) == places)
        // Two rounds without them: the fifth, found once more, is.
        for content in UInt64(6)...7 {
            rounds.begin()
            order(&rounds, content: content)
        }
        order(&rounds, content: 8, portion: [Self.look(1800)])
        order(&rounds, content: 9, portion: [Self.look(1800)], bars: [1800])
        order(&rounds, content: 10, bars: [1800])
        rounds.begin()
        #expect(order(&rounds, content: 11, bars: places + [1800]).map(\.look?.region.centre.x) == [1800])
    }

    @Test func `two codes one above the other are both followed`() throws {
        var rounds = rounds()
        let texts = ["PART42", "PART43"]
        func find(_ moves: [LadderMove], content: UInt64) {
            for (number, move) in moves.enumerated() {
                let readings = texts.enumerated().filter { $0.offset == number % 2 }.map {
                    var reading = Self.reading(x: move.look?.region.centre.x ?? 0, $0.element)
                    reading.corners = move.look?.region.corners ?? reading.corners
                    return reading
                }
                _ = rounds.take(readings, of: move, pixels: 1, content: content) { _ in .seesNothing }
            }
        }
        let looks = [20.0, 90].map { y in
            var region = Self.bars(x: 300)
            region.centre.y = y
            return RegionTurn.Look(region: region, pass: Self.code39)
        }
        let places = LadderPlaces(portion: { _ in looks }, looks: { $0 == Self.code39 ? looks : [] })
        find(rounds.next(content: 1, places: places), content: 1)
        let again = rounds.next(content: 2, places: places)
        #expect(again.map(\.sought) == texts.map { Array($0.utf8) })
        find(again, content: 2)
        rounds.begin()
        #expect(rounds.next(content: 3, places: places).map(\.sought) == texts.map { Array($0.utf8) })
    }

    @Test func `where a portion has just read a code, its other looks don't pay`() throws {
        var rounds = rounds()
        let looks = [Self.look(300), Self.look(300, .softCode93)]
        let moves = rounds.next(content: 1, places: LadderPlaces(portion: { _ in looks }, looks: { _ in [] }))
        try #require(moves.count == 2)
        #expect(rounds.pays(moves[1]))
        _ = rounds.take([Self.reading(x: 300)], of: moves[0], pixels: 1, content: 1) { _ in .seesNothing }
        #expect(!rounds.pays(moves[1]))
    }

    // MARK: What comes next

    @Test func `portions and passes alternate, and each goes on from round to round where it was`() {
        var rounds = LadderRounds(rules: Self.rules, wanted: Self.wanted)
        var portions: [UInt32] = []
        var passes: [ReadPlan.Step] = []
        // In each frame a portion finds a code, so the order after it looks there again.
        for number in 0..<600 {
            if number.isMultiple(of: 7) { rounds.begin() }
            let places = LadderPlaces(
                portion: { number in
                    portions.append(number)
                    return [Self.look(300)]
                }, looks: { $0 == Self.code39 ? [Self.look(300)] : [] })
            for move in rounds.next(content: UInt64(number), places: places) {
                let readings = move.look == nil ? [] : [Self.reading(x: 300)]
                _ = rounds.take(readings, of: move, pixels: 1, content: UInt64(number)) { _ in .seesNothing }
                if move.look == nil { passes.append(move.step) }
            }
        }
        #expect(portions.count > 150 && portions == Array(0..<UInt32(portions.count)))
        #expect(abs(portions.count - passes.count) <= 1)
        #expect(passes.map { $0.stage == .first } == passes.indices.map { $0.isMultiple(of: 2) })
        let all = ReadPlan.steps(for: Self.wanted)
        let first = all.filter { $0.stage == .first }
        #expect(passes.filter { $0.stage == .first }.prefix(2 * first.count) == (first + first)[...])
        // But the last ones, which wait until several codes stand.
        let others = all.filter { [.second, .hard].contains($0.stage) && $0.pass.region == nil }
        #expect(Set(others).isSubset(of: passes))
    }

    @Test func `what no turn or portion looks at has its turn among the passes, some regions at a time`() {
        var rounds = rounds()
        let bent = Set(
            ReadPlan.steps(for: Self.wanted).map(\.pass).filter { $0.region != nil && !RegionLook.isOfTurns($0) })
        #expect(bent.count == 12)
        let finders = (0..<9).map { number in
            LocatedRegion(
                kind: .finders, centre: Point(x: 100 * Double(number), y: 100), direction: 0, length: 60, height: 60,
                module: 2, score: 1)
        }
        var seen: Set<ReadPass> = []
        var places: Set<LocatedRegion> = []
        for number in 0..<400 {
            let moves = rounds.next(
                content: UInt64(number),
                places: LadderPlaces(
                    portion: { _ in [] },
                    looks: { pass in
                        pass.region == .finders ? finders.map { RegionTurn.Look(region: $0, pass: pass) } : []
                    }))
            #expect((1...4).contains(moves.count))
            seen.formUnion(moves.filter { $0.look != nil }.map(\.step.pass))
            places.formUnion(moves.compactMap(\.look?.region))
        }
        #expect(seen == bent && places == Set(finders))
    }

    @Test func `without places, passes over everything come one after the other`() {
        var rounds = rounds()
        let steps = ReadPlan.steps(for: Self.wanted)
        let moves = (0..<12).flatMap { order(&rounds, content: UInt64($0)) }
        #expect(moves.count == 12 && moves.allSatisfy { $0.look == nil })
        #expect(moves.map { $0.step.stage == .first } == (0..<12).map { $0.isMultiple(of: 2) })
        #expect(Set(moves.map(\.step)).count == 6 + steps.count { $0.stage == .first })
    }

    @Test func `where the rules ask for nothing, it is over`() {
        var rounds = LadderRounds(rules: Self.rules, wanted: DecoderSymbologies([]))
        rounds.begin()
        #expect(rounds.isOver && order(&rounds, content: 1).isEmpty)
    }

    // MARK: The engine

    /// A blurred Code 93 that no other decoder reads, which moves from frame to frame.
    private static func frame(_ number: Int) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 240)
        picture.paint(
            DecodingFixtures.code93, x: 300 + 7.3 * Double(number), y: 120 + 2.6 * Double(number), module: 2,
            barHeight: 40)
        picture.blurAcross(radius: 1, times: 3)
        picture.addNoise(amplitude: 2, seed: UInt64(number + 1))
        return picture
    }

    @Test func `a blurred code in a hand is seen in two frames, one after the other, within two rounds`() throws {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        _ = Self.frame(0).read(by: engine, effort: .ladder(.init(round: 0, begins: true)))
        var seen: [Int] = []
        for number in 1...2 * ReadEffort.LadderOrder.movingRound {
            let (round, order) = (number - 1).quotientAndRemainder(dividingBy: ReadEffort.LadderOrder.movingRound)
            let symbols = Self.frame(number)
                .read(by: engine, effort: .ladder(.init(round: UInt16(round + 1), begins: order == 0)))
            #expect(symbols.allSatisfy { $0.symbology == .code93 && $0.evidence.decoder == .soft })
            if let symbol = symbols.first {
                seen.append(number)
                #expect(abs(symbol.corners.centre.x * 640 - 300 - 7.3 * Double(number)) < 4)
            }
        }
        try #require(seen.count >= 2)
        #expect(seen[1] == seen[0] + 1, "\(seen)")
    }

    @Test func `a blurred code that is held still is seen in two frames long before the ladder's end`() {
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        var frames: [UInt64] = []
        var orders = 0
        repeat {
            var picture = Self.frame(0)
            picture.addNoise(amplitude: 1, seed: UInt64(orders))
            let symbols = picture.read(by: engine, effort: .ladder(.init(round: 0, begins: orders == 0)))
            for content in symbols.map(\.evidence.content) where !frames.contains(content) { frames.append(content) }
            orders += 1
        } while frames.count < 2 && !engine.isLadderOver
        #expect(frames.count == 2)
        #expect(orders < 30, "\(orders)")
    }

    @Test func `bars that ZXing reads as they are get no look of the soft reader's`() {
        var picture = DecodingPicture(width: 640, height: 240)
        picture.paint(DecodingFixtures.code128, x: 320, y: 120, module: 3)
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        var seen = 0
        for order in 0..<60 {
            picture.addNoise(amplitude: 1, seed: UInt64(order))
            let symbols = picture.read(by: engine, effort: .ladder(.init(round: 1, begins: order == 0)))
            seen += symbols.isEmpty ? 0 : 1
            #expect(symbols.allSatisfy { $0.symbology == .code128 && $0.evidence.decoder != .soft })
        }
        #expect(seen > 0)
    }
}
