import ReaderProtocol
import TestSupport
import Testing
import Vocabulary

@testable import Reading

/// Why what looks like a code isn't read is found out in idle time, at no cost to any frame.
@Suite("Diagnoses beside reading")
struct DiagnosisPlanTests {
    private static let corners = Quad(
        Point(x: 0.1, y: 0.1), Point(x: 0.2, y: 0.1), Point(x: 0.2, y: 0.2), Point(x: 0.1, y: 0.2))
    private static let unread = UnreadCode(corners: corners, kind: .linear, cause: .tooSmall, figure: 1.2)
    /// Two that differ.
    private static let pictures: [FrameSignature] = [40, 200].map { x in
        var picture = TestPicture(width: 640, height: 480)
        picture.addEAN13("4006381333931", x: x, y: 100)
        return picture.signature
    }

    private func diagnoses(_ bench: ReaderMachineBench) -> Int { bench.turns.count { $0 == .diagnosis } }

    /// Longer than the delay before the first diagnosis.
    private static let delay = Duration.milliseconds(300)

    /// One frame has been read, and the spare has been asked about it.
    private static var asked: ReaderMachineBench {
        var bench = ReaderMachineBench(diagnoses: true)
        bench.deliver()
        bench.answer(1)
        bench.pass(delay)
        return bench
    }

    @Test("once frames have come for a moment, the spare is asked; what it says comes out beside the frames' results")
    func beside() {
        var bench = ReaderMachineBench(diagnoses: true)
        bench.deliver()
        bench.answer(1)
        bench.pass(.milliseconds(299))
        #expect(bench.turns == [.quick(turn: 0)], "most codes are read by then")
        bench.pass(.milliseconds(1))
        #expect(bench.turns.last == .diagnosis && bench.reads.last == 2)
        bench.deliver()
        #expect(bench.reads.last == 1, "the fresh frame doesn't wait")
        bench.answer(2, unread: [Self.unread])
        #expect(bench.results.last?.outcome == .diagnosed)
        #expect(bench.results.last?.unread == [Self.unread])
        #expect(bench.results.last?.size == FrameSize(width: 64, height: 64))
        #expect(bench.machine.counters.read == 1, "a diagnosis is no frame's read")
    }

    @Test("pictures that change are diagnosed twice a second, one that holds twice at most") func pace() {
        var bench = ReaderMachineBench(usesGate: true, diagnoses: true)
        for frame in 0..<34 {
            bench.deliver(Self.pictures[frame % 2])
            bench.answer(1)
            bench.answer(2)
            bench.pass(.milliseconds(100))
        }
        #expect((6...7).contains(diagnoses(bench)))
        let moving = diagnoses(bench)
        for _ in 0..<60 {
            bench.deliver(Self.pictures[0])
            bench.answer(1)
            bench.answer(2)
            bench.pass(.milliseconds(100))
        }
        #expect((moving + 1...moving + 2).contains(diagnoses(bench)))
    }

    @Test("if the readers are never idle, it is asked for all the same, more rarely") func busy() {
        var bench = ReaderMachineBench(diagnoses: true)
        bench.deliver()
        bench.deliver()
        // One frame is always being read.
        func next() {
            bench.pass(.milliseconds(100))
            bench.deliver()
            bench.answer(1)
            bench.answer(2)
        }
        for _ in 0..<19 { next() }
        #expect(diagnoses(bench) == 0)
        for _ in 0..<2 { next() }
        #expect(diagnoses(bench) == 1 && bench.reads.contains(2))
        for _ in 0..<18 { next() }
        #expect(diagnoses(bench) == 1)
        for _ in 0..<3 { next() }
        #expect(diagnoses(bench) == 2)
    }

    @Test("a frame that shows nothing is diagnosed, too: it may be too dark") func blank() {
        var bench = ReaderMachineBench(usesGate: true, diagnoses: true)
        let blank = TestPicture(width: 640, height: 480, fill: 8).signature
        for _ in 0..<20 {
            bench.deliver(blank)
            bench.answer(1)
            bench.answer(2)
            bench.pass(.milliseconds(100))
        }
        #expect(diagnoses(bench) == 2)
    }

    @Test("a picture that ends its process isn't diagnosed again at once") func losses() {
        var bench = Self.asked
        #expect(diagnoses(bench) == 1)
        bench.handle(.workerEnded(2, .crashed(signal: 11)))
        #expect(bench.results.allSatisfy { $0.outcome != .crashed }, "no frame was lost")
        for id in bench.started where id > 2 { bench.handle(.workerReady(id)) }
        for _ in 0..<15 {
            bench.pass(.milliseconds(100))
            bench.deliver()
            bench.answer(1)
        }
        #expect(diagnoses(bench) == 1)
        for _ in 0..<15 {
            bench.pass(.milliseconds(100))
            bench.deliver()
            bench.answer(1)
        }
        #expect(diagnoses(bench) == 2)
    }

    @Test("a pause and a stop leave nothing behind") func ends() {
        var bench = Self.asked
        bench.handle(.paused(true))
        bench.results = []
        bench.answer(2, unread: [Self.unread])
        #expect(bench.results.isEmpty, "it is about a picture from before the pause")
        bench.handle(.paused(false))
        bench.deliver()
        bench.answer(1)
        #expect(diagnoses(bench) == 1, "the wait begins again")
        bench.pass(Self.delay)
        #expect(diagnoses(bench) == 2)
        bench.handle(.stop)
        bench.handle(.start)
        for id in bench.started { bench.handle(.workerReady(id)) }
        var slots = 0
        while bench.machine.slotForWriting() != nil { slots += 1 }
        #expect(slots == ReaderMachine.slotCount(workers: 1), "every slot is free again")
    }
}
