import ReaderProtocol
import TestSupport
import Testing
import Vocabulary

@testable import Reading

/// Idle time is spent on the ladder, at no cost to any frame.
@Suite("The ladder in idle time")
struct LadderTests {
    private static let symbol = Symbol(
        symbology: .qrCode, bytes: [65], text: "A",
        corners: Quad(Point(x: 0.1, y: 0.1), Point(x: 0.2, y: 0.1), Point(x: 0.2, y: 0.2), Point(x: 0.1, y: 0.2)))

    private func orders(_ bench: ReaderMachineBench) -> [ReadEffort.LadderOrder] {
        bench.turns.compactMap { if case .ladder(let order) = $0 { order } else { nil } }
    }

    @Test("once a frame has been read, the spare begins the ladder on it; a fresh frame is still read at once")
    func beside() {
        var bench = ReaderMachineBench(climbs: true)
        bench.deliver()
        #expect(bench.reads == [1], "one process is kept for fresh frames")
        bench.answer(1)
        #expect(bench.reads == [1, 2])
        #expect(orders(bench) == [.init(round: 0, begins: true)])
        bench.deliver()
        #expect(bench.reads == [1, 2, 1], "the fresh frame doesn't wait for the ladder's pass")
        bench.answer(2)
        #expect(bench.reads == [1, 2, 1], "no pass begins while a frame is being read")
        bench.answer(1)
        #expect(bench.reads == [1, 2, 1, 2])
    }

    @Test("the ladder goes through a picture that holds once; while a session waits, again")
    func once() {
        var bench = ReaderMachineBench(usesGate: true, climbs: true)
        for _ in 0..<40 {
            bench.deliver(Self.other)
            if bench.reads.last == 1 { bench.answer(1) }
        }
        #expect(orders(bench) == [.init(round: 0, begins: true)])
        for _ in 0..<5 { bench.answer(2) }
        #expect(orders(bench).dropFirst().allSatisfy { $0 == .init(round: 0, begins: false) })
        #expect(orders(bench).count == 6)
        bench.answer(2, isLadderOver: true)
        #expect(orders(bench).count == 6)
        bench.deliver(Self.other)
        #expect(orders(bench).count == 6, "the picture is the same")
        bench.machine.gate.effort = .thorough
        bench.deliver(Self.other)
        bench.answer(1)
        #expect(orders(bench).last == .init(round: 0, begins: true))
    }

    @Test("a code that it finds is reported beside the frames' results, and held-back frames show it from then on")
    func found() {
        var bench = ReaderMachineBench(usesGate: true, climbs: true)
        for _ in 0..<40 {
            bench.deliver(Self.other)
            if bench.reads.last == 1 { bench.answer(1) }
        }
        bench.results = []
        bench.answer(2)
        #expect(bench.results.isEmpty, "a pass that finds nothing reports nothing")
        bench.answer(2, [Self.symbol])
        #expect(bench.results.map(\.outcome) == [.climbed])
        #expect(bench.results.last?.symbols.first?.text == "A")
        bench.deliver(Self.other)
        #expect(bench.results.last?.outcome == .unchanged)
        #expect(bench.results.last?.symbols.map(\.text) == ["A"])
        bench.answer(2, [Self.symbol], isLadderOver: true)
        #expect(bench.results.last?.outcome == .climbedToEnd)
    }

    /// What is asked for on frames of these pictures, one after the other.
    private func orders(_ plan: inout LadderPlan, on pictures: [UInt64]) -> [ReadEffort.LadderOrder] {
        pictures.compactMap { picture in
            guard let order = plan.order(for: picture, worker: 2, repeats: false, at: .zero) else { return nil }
            plan.begin(order, of: picture, worker: 2)
            _ = plan.end(isLadderOver: false, picture: picture)
            return order
        }
    }

    private static let round = ReadEffort.LadderOrder.movingRound

    @Test("as soon as the picture moves there are rounds, which are short")
    func moving() {
        var plan = LadderPlan()
        let orders = orders(&plan, on: Array(0..<UInt64(1 + 3 * Self.round)))
        #expect(orders.first == .init(round: 0, begins: true))
        #expect(
            orders.dropFirst().map(\.begins)
                == (0..<3).flatMap { _ in [true] + [Bool](repeating: false, count: Self.round - 1) })
        #expect(orders.dropFirst().map(\.round) == [1, 2, 3].flatMap { [UInt16](repeating: $0, count: Self.round) })
    }

    @Test(
        "a picture that has held throughout a round gets the ladder, from its beginning; one that has come within a round has one of its own first"
    )
    func holdsAgain() {
        var plan = LadderPlan()
        _ = orders(&plan, on: [1, 2])
        let held = orders(&plan, on: [UInt64](repeating: 2, count: Self.round + 3))
        #expect(held.map(\.round) == [UInt16](repeating: 1, count: Self.round - 1) + [0, 0, 0, 0])
        #expect(held.map(\.begins) == (0..<Self.round + 3).map { $0 == Self.round - 1 })
        let other = orders(&plan, on: [3] + [UInt64](repeating: 4, count: 2 * Self.round))
        #expect(
            other.map(\.round) == [UInt16](repeating: 1, count: Self.round)
                + [UInt16](repeating: 2, count: Self.round) + [0])
    }

    @Test("after a blank picture or a pause, it begins from its beginning, whatever came before")
    func forgets() {
        var plan = LadderPlan()
        _ = orders(&plan, on: [1, 2, 3])
        plan.forget()
        #expect(
            orders(&plan, on: [4, 4, 5]) == [
                .init(round: 0, begins: true), .init(round: 0, begins: false), .init(round: 1, begins: true),
            ])
    }

    @Test("the number of a round that follows the last one is none of a picture that holds")
    func wraps() {
        var plan = LadderPlan()
        _ = orders(&plan, on: [0])
        var rounds: Set<UInt16> = []
        for picture in 1...UInt64(UInt16.max) + 10 {
            // A whole round each.
            for order in orders(&plan, on: (0..<UInt64(Self.round)).map { picture * 100 + $0 }) {
                rounds.insert(order.round)
            }
        }
        #expect(!rounds.contains(0) && rounds.count == Int(UInt16.max))
    }

    @Test("a warm machine's ladder takes its share of the time", arguments: [1, 0.5, 0.25, 0.1])
    func warm(share: Double) {
        var plan = LadderPlan()
        var now = Instant.zero
        var passes = 0
        // Passes of 40 ms, asked for each 10 ms.
        while now < .zero.advanced(by: .seconds(100)) {
            if let order = plan.order(for: 1, worker: 2, repeats: false, at: now) {
                plan.begin(order, of: 1, worker: 2)
                now = now.advanced(by: .milliseconds(40))
                plan.cool(after: .milliseconds(40), share: share, at: now)
                passes += 1
            } else {
                now = now.advanced(by: .milliseconds(10))
            }
        }
        #expect(abs(Double(passes) * 0.04 / 100 - share) < 0.01, "\(passes) passes")
    }

    @Test("the pause is counted from the end of a pass")
    func warmPause() {
        var bench = ReaderMachineBench(climbs: true)
        bench.machine.ladderShare = 0.5
        bench.deliver()
        bench.answer(1)
        #expect(bench.reads == [1, 2])
        bench.now = bench.now.advanced(by: .milliseconds(40))
        bench.answer(2)
        bench.pass(.milliseconds(39))
        #expect(bench.reads == [1, 2])
        bench.pass(.milliseconds(1))
        #expect(bench.reads == [1, 2, 2])
    }

    @Test("a process lost in the ladder is replaced and costs no frame; the ladder rests, longer each time")
    func lost() {
        var plan = LadderPlan()
        var now = Instant.zero
        var rests: [Duration] = []
        for worker in UInt32(2)..<12 {
            guard let order = plan.order(for: 1, worker: worker, repeats: false, at: now) else { continue }
            plan.begin(order, of: 1, worker: worker)
            // Other passes succeed before the one that doesn't.
            _ = plan.end(isLadderOver: false, picture: 1)
            plan.lose(at: now)
            let start = now
            while plan.order(for: 1, worker: worker + 1, repeats: false, at: now) == nil {
                now = now.advanced(by: .seconds(1))
            }
            rests.append(start.duration(to: now))
        }
        #expect(rests.prefix(3) == [.seconds(2), .seconds(4), .seconds(8)])
        #expect(rests.last == LadderPlan.longestRest)

        var bench = ReaderMachineBench(climbs: true)
        bench.deliver()
        bench.answer(1)
        bench.handle(.workerEnded(2, .crashed(signal: 6)))
        #expect(bench.machine.counters.workerRestarts == 1)
        bench.deliver()
        bench.answer(1)
        #expect(bench.results.map(\.outcome) == [.decoded, .decoded])
    }

    @Test("a pass that hangs is ended; after a pause its answer doesn't count")
    func ended() {
        var bench = ReaderMachineBench(climbs: true)
        bench.deliver()
        bench.answer(1)
        bench.handle(.paused(true))
        bench.answer(2, [Self.symbol])
        #expect(bench.results.map(\.outcome) == [.decoded])
        bench.handle(.paused(false))
        bench.deliver()
        bench.answer(1)
        #expect(orders(bench).last == .init(round: 0, begins: true))
        bench.pass(.seconds(100))
        #expect(bench.killed == [2])
    }

    @Test("every slot comes back, whatever happens in whatever order", arguments: 0..<200 as Range<UInt64>)
    func slots(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bench = ReaderMachineBench(workers: 1 + Int(seed % 3), usesGate: seed % 2 == 0, climbs: true)
        /// Those that owe an answer.
        var busy: [ReaderMachine.WorkerID] = []
        let pictures = [TestPicture(width: 64, height: 64).signature, Self.other]
        for _ in 0..<200 {
            var place = bench.actions.count
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5: bench.deliver(pictures[Int.random(in: 0...1, using: &random)])
            case 5..<9:
                guard let index = busy.indices.randomElement(using: &random) else { break }
                let worker = busy.remove(at: index)
                bench.answer(
                    worker, Bool.random(using: &random) ? [Self.symbol] : [], isLadderOver: Bool.random(using: &random))
            case 9: bench.handle(.paused(Bool.random(using: &random)))
            case 10: bench.pass(.milliseconds(Int.random(in: 1...3000, using: &random)))
            default:
                guard let index = busy.indices.randomElement(using: &random) else { break }
                bench.handle(.workerEnded(busy.remove(at: index), .crashed(signal: 6)))
            }
            // What follows from them, too.
            while place < bench.actions.count {
                defer { place += 1 }
                switch bench.actions[place] {
                case .startWorker(let id): bench.handle(.workerReady(id))
                case .read(let id, _, _, _, _): busy.append(id)
                case .killWorker(let id, let loss):
                    busy.removeAll { $0 == id }
                    bench.handle(.workerEnded(id, loss))
                default: break
                }
            }
        }
        bench.handle(.stop)
        bench.handle(.paused(false))
        bench.handle(.start)
        var free = 0
        while bench.machine.slotForWriting() != nil { free += 1 }
        #expect(free == ReaderMachine.slotCount(workers: 1 + Int(seed % 3)))
    }

    private static let other: FrameSignature = {
        var picture = TestPicture(width: 640, height: 480)
        picture.addEAN13("4006381333931", x: 100, y: 100)
        return picture.signature
    }()
}
