import ReaderProtocol
import Reading
import Testing
import Vocabulary

/// A machine with a fake shell: every action is recorded, none is performed.
struct ReaderMachineBench {
    var machine: ReaderMachine
    var now = Instant.zero
    var actions: [ReaderMachine.Action] = []
    var results: [ReadResult] = []
    private var sequence: UInt64 = 0
    private let signature = TestPicture(width: 64, height: 64).signature

    init(workers: Int = 1, usesGate: Bool = false, climbs: Bool = false, diagnoses: Bool = false) {
        var limits = ReaderMachine.Limits()
        limits.climbs = climbs
        limits.diagnoses = diagnoses
        limits.workers = workers
        limits.usesGate = usesGate
        machine = ReaderMachine(limits: limits)
        handle(.ringReplaced(slotCount: ReaderMachine.slotCount(workers: workers)))
        handle(.start)
        for id in started { handle(.workerReady(id)) }
        actions = []
    }

    mutating func handle(_ event: ReaderMachine.Event) {
        let new = machine.handle(event, at: now)
        actions += new
        for case .deliver(let result) in new { results.append(result) }
    }

    mutating func pass(_ time: Duration) {
        now = now.advanced(by: time)
        handle(.tick)
    }

    /// Delivers a frame, if there is a slot for it.
    mutating func deliver(_ signature: FrameSignature? = nil) {
        sequence += 1
        guard let slot = machine.slotForWriting() else { return }
        let view = FrameView(frame: FrameSize(width: 64, height: 64), viewport: .full, margin: 0, orientation: .upright)
        let info = FrameInfo(sequence: sequence, exposedAt: now, deliveredAt: now)
        handle(.frame(slot: slot, info, view, signature ?? self.signature))
    }

    mutating func answer(
        _ worker: ReaderMachine.WorkerID, _ symbols: [Symbol] = [], isLadderOver: Bool = false,
        unread: [UnreadCode] = []
    ) {
        let summary = ReaderAnswer.Summary(
            symbolCount: symbols.count, omittedCount: 0, decodeNanoseconds: 1000, isLadderOver: isLadderOver,
            unread: unread)
        handle(.answered(worker, symbols, summary))
    }

    var started: [ReaderMachine.WorkerID] {
        actions.compactMap { if case .startWorker(let id) = $0 { id } else { nil } }
    }
    var reads: [ReaderMachine.WorkerID] {
        actions.compactMap { if case .read(let id, _, _, _, _) = $0 { id } else { nil } }
    }
    var turns: [ReadEffort] {
        actions.compactMap { if case .read(_, _, _, _, let effort) = $0 { effort } else { nil } }
    }
    var slots: [Int] {
        actions.compactMap { if case .read(_, _, let slot, _, _) = $0 { slot } else { nil } }
    }
    var killed: [ReaderMachine.WorkerID] {
        actions.compactMap { if case .killWorker(let id, _) = $0 { id } else { nil } }
    }
    var sequences: [UInt64] { results.map(\.frame.sequence) }
}

struct ReaderMachineTests {
    private static let symbol = Symbol(
        symbology: .qrCode, bytes: [65], text: "A",
        corners: Quad(Point(x: 0.1, y: 0.1), Point(x: 0.2, y: 0.1), Point(x: 0.2, y: 0.2), Point(x: 0.1, y: 0.2)))

    @Test func `while the worker is busy, the newest frame waits and older ones are dropped`() {
        var bench = ReaderMachineBench()
        for _ in 0..<5 { bench.deliver() }
        #expect(bench.reads == [1])
        #expect(bench.machine.counters.droppedBusy == 3)
        bench.answer(1)
        bench.answer(1)
        #expect(bench.sequences == [1, 5])
        #expect(bench.turns == [.quick(turn: 0), .quick(turn: 1)])
    }

    @Test(arguments: 1...4)
    func `a slot is always free for the next frame, and no slot is written while it is read`(workers: Int) {
        var bench = ReaderMachineBench(workers: workers)
        for _ in 0..<20 { bench.deliver() }
        #expect(bench.reads.count == workers)
        #expect(Set(bench.slots).count == workers)
        #expect(bench.machine.slotForWriting().map { bench.slots.contains($0) } == false)
    }

    @Test(arguments: [true, false])
    func `only without the ladder, one turn of sixteen is thorough, and each time another one`(climbs: Bool) {
        var bench = ReaderMachineBench(climbs: climbs)
        for _ in 0..<48 {
            bench.deliver()
            bench.answer(1)
            if bench.reads.last == 2 { bench.answer(2, isLadderOver: true) }
        }
        let thorough = bench.turns.compactMap { if case .thorough(let turn) = $0 { turn } else { nil } }
        #expect(climbs ? thorough.isEmpty : thorough == [0, 1, 2])
    }

    @Test(arguments: [true, false])
    func `while a session waits, every third turn is thorough; without the ladder, all are`(climbs: Bool) {
        var bench = ReaderMachineBench(climbs: climbs)
        bench.machine.gate.effort = .thorough
        for _ in 0..<9 {
            bench.deliver()
            bench.answer(1)
            if bench.reads.last == 2 { bench.answer(2, isLadderOver: true) }
        }
        let turns = bench.turns.filter { if case .ladder = $0 { false } else { true } }
        let mixed: [ReadEffort] = [
            .quick(turn: 0), .quick(turn: 1), .thorough(turn: 0), .quick(turn: 2), .quick(turn: 3), .thorough(turn: 1),
            .quick(turn: 4), .quick(turn: 5), .thorough(turn: 2),
        ]
        #expect(turns == (climbs ? mixed : (0..<9).map { .thorough(turn: $0) }))
        let isThorough = turns.map { if case .thorough = $0 { true } else { false } }
        #expect(bench.results.filter(\.isRead).map(\.isThorough) == isThorough)
    }

    @Test func `results of two workers are passed on in the order of their frames`() {
        var bench = ReaderMachineBench(workers: 2)
        bench.deliver()
        bench.deliver()
        bench.answer(bench.reads[1])
        #expect(bench.results.isEmpty)
        bench.answer(bench.reads[0])
        #expect(bench.sequences == [1, 2])
    }

    @Test func `a result waits for an older one only for a limited time, and the late one says only what it saw`() {
        var bench = ReaderMachineBench(workers: 2)
        bench.deliver()
        bench.deliver()
        let reads = bench.reads
        bench.answer(reads[1])
        bench.pass(.milliseconds(149))
        #expect(bench.results.isEmpty)
        #expect(bench.machine.nextDeadline == .zero.advanced(by: .milliseconds(150)))
        bench.pass(.milliseconds(1))
        bench.answer(reads[0], [Self.symbol])
        #expect(bench.sequences == [2, 1])
        #expect(bench.results.map(\.outcome) == [.decoded, .climbed])
        #expect(bench.machine.counters.late == 1)
    }

    @Test func `a worker past its deadline is killed, its frame is lost, and the spare goes on`() {
        var bench = ReaderMachineBench()
        bench.deliver()
        bench.deliver()
        #expect(bench.machine.nextDeadline == .zero.advanced(by: .milliseconds(1500)))
        bench.pass(.milliseconds(1500))
        #expect(bench.killed == [1])
        #expect(bench.reads == [1, 2])
        #expect(bench.results.map(\.outcome) == [.timedOut])
        #expect(bench.started.count == 1, "a new spare")
        bench.answer(1)
        #expect(bench.results.count == 1, "a killed process's answer is ignored")
        bench.answer(2)
        #expect(bench.results.map(\.outcome) == [.timedOut, .decoded])
    }

    @Test func `a crash costs its frame, which is set aside before its slot is used again`() throws {
        var bench = ReaderMachineBench()
        bench.deliver()
        bench.handle(.workerEnded(1, .crashed(signal: 6)))
        #expect(bench.results.map(\.outcome) == [.crashed])
        let aside = bench.actions.contains { if case .setAside(bench.slots[0], _, _, _) = $0 { true } else { false } }
        #expect(aside)
        bench.deliver()
        #expect(bench.reads == [1, 2])
    }

    @Test func `workers that die at their start are restarted with growing pauses`() {
        var bench = ReaderMachineBench()
        bench.handle(.workerEnded(2, .exited(status: 1)))
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let id = bench.started.last ?? 0
            bench.handle(.workerEnded(id, .crashed(signal: 6)))
            let started = bench.started.count
            guard let next = bench.machine.nextDeadline else { return #expect(Bool(false)) }
            pauses.append(bench.now.duration(to: next))
            bench.pass(bench.now.duration(to: next))
            #expect(bench.started.count == started + 1)
        }
        #expect(
            pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { Duration.milliseconds($0) })
        bench.handle(.workerReady(bench.started.last ?? 0))
        bench.handle(.workerEnded(1, .crashed(signal: 6)))
        #expect(bench.machine.nextDeadline == bench.now.advanced(by: .milliseconds(100)), "one became ready meanwhile")
    }

    @Test func `a worker that never becomes ready is replaced`() {
        var bench = ReaderMachineBench()
        bench.handle(.workerEnded(2, .crashed(signal: 6)))
        let id = bench.started.last ?? 0
        bench.pass(bench.machine.limits.readyDeadline)
        #expect(bench.killed == [id])
    }

    @Test func `killed processes that don't end don't pile up`() {
        var bench = ReaderMachineBench()
        for _ in 0..<50 {
            bench.deliver()
            for id in bench.started { bench.handle(.workerReady(id)) }
            bench.pass(.seconds(10))
        }
        #expect(bench.started.count + 2 <= 4)
    }

    @Test func `a held-back frame shows what the previous frame showed, once that is known`() {
        var bench = ReaderMachineBench(usesGate: true)
        var picture = TestPicture(width: 64, height: 64, fill: 150)
        picture.addModules(x: 8, y: 8, side: 40)
        let signature = picture.signature
        let settle = bench.machine.gate.limits.settleReads
        for _ in 1..<settle {
            bench.deliver(signature)
            bench.answer(1)
        }
        bench.deliver(signature)
        bench.deliver(signature)
        #expect(bench.machine.counters.gatedUnchanged == 1)
        #expect(bench.results.count == settle - 1, "the held-back frame waits for the one being read")
        bench.answer(1, [Self.symbol])
        #expect(bench.results.suffix(2).map(\.outcome) == [.decoded, .unchanged])
        #expect(bench.results.last?.symbols.map(\.text) == ["A"])
        bench.deliver(TestPicture(width: 64, height: 64, fill: 150).signature)
        #expect(bench.results.last?.outcome == .blank)
        #expect(bench.results.last?.symbols == [])
    }

    @Test func `while paused, nothing is read and the waiting frame is forgotten`() {
        var bench = ReaderMachineBench()
        bench.deliver()
        bench.deliver()
        bench.handle(.paused(true))
        bench.deliver()
        bench.answer(1)
        #expect(bench.sequences == [1])
        #expect(bench.reads == [1])
        bench.handle(.paused(false))
        bench.deliver()
        #expect(bench.reads == [1, 1])
    }

    @Test func `all slots of a new ring are free, even while old frames are still being read`() {
        var bench = ReaderMachineBench()
        bench.deliver()
        bench.deliver()
        bench.handle(.ringReplaced(slotCount: 3))
        #expect((0..<3).compactMap { _ in bench.machine.slotForWriting() }.count == 3)
        bench.answer(1)
        #expect(bench.machine.slotForWriting() == nil, "the old ring's slot isn't one of the new ring's")
        #expect(bench.sequences == [1])
    }

    @Test func `stopping kills all workers and reads nothing more`() {
        var bench = ReaderMachineBench(workers: 2)
        bench.deliver()
        bench.handle(.stop)
        #expect(bench.killed.count == 3)
        bench.deliver()
        #expect(bench.reads.count == 1 && bench.results.isEmpty)
        #expect(bench.machine.nextDeadline == nil)
    }
}
