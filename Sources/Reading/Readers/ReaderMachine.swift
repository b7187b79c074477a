import ReaderProtocol
import Vocabulary

/// Decides which reader process reads which frame, when to start or kill one, and in which order to pass results on.
///
/// A frame is copied into a slot of the ring (`slotForWriting`) and judged by the change gate. Then it is read at once, or waits as the one
/// newest frame (replacing an older one), or is held back. A worker's life:
/// ```
///   startWorker ─▶ starting ──ready──▶ idle ◀──answer── busy
///                     │ never ready      ▲  └──read──▶   │ deadline, garbage
///                     └──────▶ dying ◀───┴───────────────┘        (killed; gone when the shell says so)
/// ```
/// One worker more than can read at the same time is kept ready: the warm spare. Lost workers are replaced with back-off. Results are
/// delivered in the order of their frames; one that comes more than `orderWait` after a newer one says what it saw as the ladder does, beside
/// the others: what only a slow read can see isn't lost where several workers read.
///
/// While there is nothing else to read, the spare goes up the ladder (`LadderPlan`), order by order, each on the newest frame, which is kept
/// for that. What it finds is reported at once, beside the frames' results, and lent to the held-back frames of the same picture. From time to
/// time (`DiagnosisPlan`) it says instead why what looks like a code isn't read.
package struct ReaderMachine: Sendable {
    package typealias WorkerID = UInt32

    package enum Event: Sendable {
        case start, stop
        /// The shell couldn't start the process.
        case workerStartFailed(WorkerID)
        case workerReady(WorkerID)
        /// The process has ended; nothing of it is left.
        case workerEnded(WorkerID, WorkerLoss)
        /// It gave an answer that the protocol doesn't allow.
        case workerTalkedGarbage(WorkerID)
        /// The complete answer, with corners on the copy.
        case answered(WorkerID, [Symbol], ReaderAnswer.Summary)
        /// A slot from `slotForWriting` is filled.
        case frame(slot: Int, FrameInfo, FrameView, FrameSignature)
        /// There is a new ring; frames in the old one are lost or already being read.
        case ringReplaced(slotCount: Int)
        /// While paused, no frame is read, and the shell copies none.
        case paused(Bool)
        case settings(ReaderMachine.Limits)
        case tick
    }

    package enum Action: Hashable, Sendable {
        case startWorker(WorkerID)
        case killWorker(WorkerID, WorkerLoss)
        case read(WorkerID, ticket: UInt64, slot: Int, FrameView, ReadEffort)
        case deliver(ReadResult)
        /// The frame that a worker was lost on; keep it before its slot is used again.
        case setAside(slot: Int, FrameInfo, FrameView, WorkerLoss)
    }

    package struct Limits: Hashable, Sendable {
        /// How many frames are read at the same time.
        package var workers = 1
        /// For one frame.
        package var deadline: Duration = .milliseconds(1500)
        /// From the start of a process until it is ready. A Zero 2 W with a cold SD card needs seconds.
        package var readyDeadline: Duration = .seconds(10)
        package var usesGate = true
        /// How long a newer result waits for an older one.
        package var orderWait: Duration = .milliseconds(150)
        /// How many results are held behind a frame that is being read.
        package var maxHeld = 256
        /// How long to wait before replacing a second lost worker in a row; doubles up to `maxBackOff`.
        package var firstBackOff: Duration = .milliseconds(100)
        package var maxBackOff: Duration = .seconds(5)
        /// Whether idle time is spent on the ladder.
        package var climbs = true
        /// Whether it is found out why what looks like a code isn't read.
        package var diagnoses = true

        package init() {}
    }

    /// Without the ladder, one turn in this many is thorough. It takes about as long as six cheap ones (Benchmarks/README.md, `live`).
    private static let turnsForOneThorough: UInt32 = 16
    /// The same while a session waits, with the ladder. All thorough, codes are read later; fewer, and less is read of pictures with many QR codes
    /// (Benchmarks/README.md, `live-corpus`).
    private static let turnsForOneThoroughOfSession: UInt32 = 3

    package private(set) var limits: Limits
    package var gate: ChangeGate
    /// How much of the time the ladder may take, more than 0, up to 1.
    package var ladderShare = 1.0
    package private(set) var counters = ReaderCounters()
    package private(set) var isRunning = false
    package private(set) var isPaused = false

    private struct Frame {
        /// Its position in the order of results.
        var number: UInt64
        /// `nil` if the ring has been replaced since.
        var slot: Int?
        var info: FrameInfo
        var view: FrameView
        var picture: UInt64
        /// Nothing in it has the contrast of a code.
        var isBlank = false
        var isThorough = false
    }

    private enum Worker {
        case starting(until: Instant)
        /// Idle since it answered this ticket; 0 for one that hasn't read yet.
        case idle(lastTicket: UInt64)
        case busy(Frame, ticket: UInt64, until: Instant)
        /// In the ladder; its answer is no frame's result. `nil`: its answer is no longer wanted.
        case climbing(Frame?, since: Instant)
        /// The same, with a diagnosis.
        case diagnosing(Frame?, since: Instant)
        case dying
    }

    private var workers: [WorkerID: Worker] = [:]
    private var nextWorker: WorkerID = 1
    private var wantsReplacement = 0
    /// How many were lost in a row without an answer, and without getting ready.
    private var losses = 0
    private var failedStarts = 0
    private var nextStart: Instant?

    private var freeSlots: [Int] = []
    /// How many times each slot that isn't free is held.
    private var holds: [Int: Int] = [:]
    private var waiting: Frame?
    /// For the ladder and for diagnoses.
    private var newest: Frame?
    private var ladder = LadderPlan()
    private var diagnosis = DiagnosisPlan()
    private var nextNumber: UInt64 = 1
    private var nextTicket: UInt64 = 1
    private var turn: UInt32 = 0
    private var results: ResultOrder

    package init(limits: Limits = Limits(), gate: ChangeGate = ChangeGate()) {
        self.limits = limits
        self.gate = gate
        results = ResultOrder(maxHeld: limits.maxHeld)
    }

    /// Enough slots to write a frame while all workers read, one frame waits, one is in the ladder and the newest is kept for the ladder.
    package static func slotCount(workers: Int) -> Int { workers + 4 }

    /// Takes a slot out of circulation until the `frame` event. `nil` if not running, paused, or without a ring.
    package mutating func slotForWriting() -> Int? {
        isRunning && !isPaused ? freeSlots.popLast() : nil
    }

    /// Whether the result of frame `sequence` is still to come.
    package func awaits(_ sequence: UInt64) -> Bool { results.awaits(sequence) }

    /// A frame couldn't be taken for lack of memory.
    package mutating func countRefused() { counters.refused += 1 }

    /// When to send `tick` if nothing happens before.
    package var nextDeadline: Instant? {
        guard isRunning else { return nil }
        var deadlines = workers.values.compactMap { worker -> Instant? in
            switch worker {
            case .starting(let until), .busy(_, _, let until): until
            case .climbing(_, let since): since.advanced(by: ladderDeadline)
            case .diagnosing(_, let since): since.advanced(by: limits.deadline)
            case .idle, .dying: nil
            }
        }
        if let nextStart, liveWorkers < wantedWorkers { deadlines.append(nextStart) }
        if let held = results.oldestHeld { deadlines.append(held.advanced(by: limits.orderWait)) }
        return deadlines.min()
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .start: isRunning = true
        case .stop: stop(&actions)
        case .workerStartFailed(let id):
            workers[id] = nil
            failedToStart(at: now)
        case .workerReady(let id): ready(id)
        case .workerEnded(let id, let loss): ended(id, loss, at: now, &actions)
        case .workerTalkedGarbage(let id): lose(id, .garbage, at: now, &actions)
        case .answered(let id, let symbols, let summary):
            switch workers[id] {
            case .climbing(let frame, let since)?:
                ladder.cool(after: since.duration(to: now), share: ladderShare, at: now)
                climbed(id, frame, symbols, summary, &actions)
            case .diagnosing(let frame, _)?: diagnosed(id, frame, summary, &actions)
            case .busy(let frame, let ticket, _)?: answered(id, frame, ticket, symbols, summary, at: now, &actions)
            case nil, .starting?, .idle?, .dying?: break
            }
        case .frame(let slot, let info, let view, let signature):
            accept(slot: slot, info, view, signature, at: now)
        case .ringReplaced(let count): replaceRing(slotCount: count)
        case .paused(let isPaused): pause(isPaused)
        case .settings(let limits):
            self.limits = limits
            results.maxHeld = limits.maxHeld
            gate.restart()
            forgetPictures()
        case .tick: break
        }
        guard isRunning else { return actions }
        checkDeadlines(at: now, &actions)
        startWorkers(at: now, &actions)
        assign(at: now, &actions)
        diagnose(at: now, &actions)
        climb(at: now, &actions)
        actions += results.release(orderWait: limits.orderWait, at: now, counters: &counters).map(Action.deliver)
        return actions
    }

    // MARK: - Frames

    private mutating func accept(
        slot: Int, _ info: FrameInfo, _ view: FrameView, _ signature: FrameSignature, at now: Instant
    ) {
        guard isRunning, !isPaused else { return freeSlots.append(slot) }
        counters.delivered += 1
        let verdict = limits.usesGate ? gate.judge(signature, at: now) : .read
        let number = nextNumber
        nextNumber += 1
        // Without the gate nobody knows whether the picture has held.
        let picture = limits.usesGate ? gate.picture : number
        switch verdict {
        case .unchanged:
            counters.gatedUnchanged += 1
            keep(Frame(number: number, slot: slot, info: info, view: view, picture: picture))
            results.appendGated(number, info, .unchanged)
        case .blank:
            counters.gatedBlank += 1
            var frame = Frame(number: number, slot: slot, info: info, view: view, picture: picture)
            frame.isBlank = true
            keep(frame)
            ladder.forget()
            results.appendGated(number, info, .blank)
        case .read:
            if let old = waiting { drop(old) }
            let frame = Frame(number: number, slot: slot, info: info, view: view, picture: picture)
            hold(frame)
            waiting = frame
            keep(frame)
            results.appendOutstanding(number, info.sequence)
        }
    }

    /// Keeps it as the newest; a frame that the ladder can't use is freed at once.
    private mutating func keep(_ frame: Frame?) {
        let old = newest
        newest = limits.climbs || limits.diagnoses ? frame : nil
        if let frame { hold(frame) }
        if let frame, newest == nil { free(frame) }
        if let old { free(old) }
    }

    private mutating func hold(_ frame: Frame) {
        if let slot = frame.slot { holds[slot, default: 0] += 1 }
    }

    private mutating func drop(_ frame: Frame) {
        counters.droppedBusy += 1
        results.remove(frame.number)
        free(frame)
    }

    private func frame(of worker: Worker?) -> Frame? {
        switch worker {
        case .busy(let frame, _, _)?: frame
        case .climbing(let frame, _)?, .diagnosing(let frame, _)?: frame
        case nil, .starting?, .idle?, .dying?: nil
        }
    }

    private mutating func free(_ frame: Frame) {
        guard let slot = frame.slot, let count = holds[slot] else { return }
        holds[slot] = count > 1 ? count - 1 : nil
        if count == 1 { freeSlots.append(slot) }
    }

    private mutating func assign(at now: Instant, _ actions: inout [Action]) {
        guard var frame = waiting, let slot = frame.slot, busyWorkers < limits.workers, let id = mostRecentIdle else {
            return
        }
        waiting = nil
        let effort = effort
        if case .thorough = effort { frame.isThorough = true }
        workers[id] = .busy(frame, ticket: nextTicket, until: now.advanced(by: limits.deadline))
        actions.append(
            .read(id, ticket: nextTicket, slot: slot, frame.view, effort))
        nextTicket += 1
        turn &+= 1
        gate.noteRead(at: now)
    }

    /// The effort of the next turn.
    private var effort: ReadEffort {
        switch (gate.effort, limits.climbs) {
        // The ladder takes the looks that cost too much for a cheap turn.
        case (.quick, true): .quick(turn: turn)
        // Nobody else takes them.
        case (.quick, false): mixed(oneThoroughIn: Self.turnsForOneThorough)
        // The cheap turns leave time for the ladder.
        case (.thorough, true): mixed(oneThoroughIn: Self.turnsForOneThoroughOfSession)
        case (.thorough, false): .thorough(turn: turn)
        }
    }

    /// Of so many turns, the last one is thorough and the others are cheap; each kind counts its own.
    private func mixed(oneThoroughIn turns: UInt32) -> ReadEffort {
        let (round, place) = turn.quotientAndRemainder(dividingBy: turns)
        return place == turns - 1 ? .thorough(turn: round) : .quick(turn: round * (turns - 1) + place)
    }

    /// Starts one pass of the ladder, if no frame waits and none is being read.
    private mutating func climb(at now: Instant, _ actions: inout [Action]) {
        guard limits.climbs, !isPaused, !isDiagnosing, busyWorkers == 0, waiting == nil, let frame = newest,
            !frame.isBlank, let slot = frame.slot, let id = climber,
            let order = ladder.order(for: frame.picture, worker: id, repeats: gate.effort == .thorough, at: now)
        else { return }
        ladder.begin(order, of: frame.picture, worker: id)
        hold(frame)
        workers[id] = .climbing(frame, since: now)
        actions.append(.read(id, ticket: nextTicket, slot: slot, frame.view, .ladder(order)))
        nextTicket += 1
    }

    /// Asks for a diagnosis of the newest frame, if it is time for one.
    private mutating func diagnose(at now: Instant, _ actions: inout [Action]) {
        let isBusy = busyWorkers > 0 || waiting != nil
        guard limits.diagnoses, !isPaused, !isDiagnosing, let frame = newest, let slot = frame.slot,
            diagnosis.isDue(for: frame.picture, isBusy: isBusy, at: now),
            let id = isBusy ? spare : climber
        else { return }
        diagnosis.begin(for: frame.picture, at: now)
        hold(frame)
        workers[id] = .diagnosing(frame, since: now)
        actions.append(.read(id, ticket: nextTicket, slot: slot, frame.view, .diagnosis))
        nextTicket += 1
    }

    private var isDiagnosing: Bool {
        workers.values.contains { if case .diagnosing = $0 { true } else { false } }
    }

    /// An idle process while all others that may read do.
    private var spare: WorkerID? {
        guard busyWorkers >= limits.workers else { return nil }
        return workers.keys.sorted().first { if case .idle? = workers[$0] { true } else { false } }
    }

    private mutating func diagnosed(
        _ id: WorkerID, _ frame: Frame?, _ summary: ReaderAnswer.Summary, _ actions: inout [Action]
    ) {
        workers[id] = .idle(lastTicket: 0)
        diagnosis.end()
        guard let frame else { return }
        free(frame)
        let time = Duration.nanoseconds(Int64(clamping: summary.decodeNanoseconds))
        counters.decodeTime += time
        actions.append(
            .deliver(
                ReadResult(
                    frame: frame.info, outcome: .diagnosed, unread: frame.view.upright(summary.unread),
                    size: frame.view.uprightSize, decodeTime: time)))
    }

    /// A pass of the ladder may take longer than a frame's read.
    private var ladderDeadline: Duration { limits.deadline * 4 }

    /// The process for the ladder: the one that is in it, or the spare; only while another one is there for fresh frames.
    private var climber: WorkerID? {
        let idle = workers.keys.sorted().filter { if case .idle? = workers[$0] { true } else { false } }
        guard idle.count >= 2 else { return nil }
        if let worker = ladder.worker, workers[worker] != nil { return idle.contains(worker) ? worker : nil }
        return idle.first { $0 != mostRecentIdle }
    }

    private mutating func climbed(
        _ id: WorkerID, _ frame: Frame?, _ symbols: [Symbol], _ summary: ReaderAnswer.Summary, _ actions: inout [Action]
    ) {
        workers[id] = .idle(lastTicket: 0)
        guard let frame else { return }
        free(frame)
        let time = Duration.nanoseconds(Int64(clamping: summary.decodeNanoseconds))
        counters.decodeTime += time
        counters.symbolsOmitted += UInt64(summary.omittedCount)
        let isAtEnd = ladder.end(isLadderOver: summary.isLadderOver, picture: frame.picture)
        let upright = frame.view.upright(symbols)
        guard isAtEnd || !upright.isEmpty else { return }
        results.lend(upright, picture: frame.picture)
        actions.append(
            .deliver(
                ReadResult(
                    frame: frame.info, outcome: isAtEnd ? .climbedToEnd : .climbed, symbols: upright, decodeTime: time))
        )
    }

    private mutating func replaceRing(slotCount: Int) {
        freeSlots = Array(0..<slotCount)
        holds = [:]
        newest = nil
        if let old = waiting {
            waiting = nil
            counters.droppedBusy += 1
            results.remove(old.number)
        }
        for (id, worker) in workers {
            switch worker {
            case .busy(var frame, let ticket, let until):
                frame.slot = nil
                workers[id] = .busy(frame, ticket: ticket, until: until)
            case .climbing(_, let since): workers[id] = .climbing(nil, since: since)
            case .diagnosing(_, let since): workers[id] = .diagnosing(nil, since: since)
            case .starting, .idle, .dying: break
            }
        }
    }

    private mutating func pause(_ isPaused: Bool) {
        self.isPaused = isPaused
        if isPaused, let old = waiting {
            waiting = nil
            results.remove(old.number)
            free(old)
        }
        if isPaused { abandonIdleWork() } else { gate.reopen() }
    }

    /// Call this after sending new rules to the processes: ladder and diagnosis of a picture must begin again.
    package mutating func forgetPictures() {
        ladder.forget()
        diagnosis.forget()
    }

    /// What was begun before a pause or stop says nothing about what comes after.
    private mutating func abandonIdleWork() {
        keep(nil)
        forgetPictures()
        for (id, worker) in workers {
            switch worker {
            case .climbing(let frame?, let since):
                free(frame)
                workers[id] = .climbing(nil, since: since)
            case .diagnosing(let frame?, let since):
                free(frame)
                workers[id] = .diagnosing(nil, since: since)
            default: break
            }
        }
    }

    private mutating func stop(_ actions: inout [Action]) {
        isRunning = false
        abandonIdleWork()
        for (id, worker) in workers.sorted(by: { $0.key < $1.key }) {
            if case .dying = worker { continue }
            if let frame = frame(of: worker) { free(frame) }
            workers[id] = .dying
            actions.append(.killWorker(id, .exited(status: 0)))
        }
        if let old = waiting { free(old) }
        waiting = nil
        losses = 0
        failedStarts = 0
        nextStart = nil
        wantsReplacement = 0
        results.clear()
    }

    private mutating func answered(
        _ id: WorkerID, _ frame: Frame, _ ticket: UInt64, _ symbols: [Symbol], _ summary: ReaderAnswer.Summary,
        at now: Instant, _ actions: inout [Action]
    ) {
        workers[id] = .idle(lastTicket: ticket)
        free(frame)
        losses = 0
        let time = Duration.nanoseconds(Int64(clamping: summary.decodeNanoseconds))
        counters.read += 1
        counters.decodeTime += time
        counters.symbolsOmitted += UInt64(summary.omittedCount)
        let result = ReadResult(
            frame: frame.info, outcome: .decoded, isThorough: frame.isThorough, symbols: frame.view.upright(symbols),
            unread: limits.diagnoses ? frame.view.outside(symbols) : [], places: frame.view.upright(summary.places),
            refuted: summary.refuted, decodeTime: time)
        guard !results.resolve(frame.number, result, picture: frame.picture, at: now, counters: &counters),
            !result.symbols.isEmpty || !result.refuted.isEmpty
        else { return }
        actions.append(
            .deliver(
                ReadResult(
                    frame: frame.info, outcome: .climbed, symbols: result.symbols, refuted: result.refuted,
                    decodeTime: time)))
    }

    // MARK: - Workers: started, lost, replaced

    /// As many as can read at the same time, and the spare.
    private var wantedWorkers: Int { limits.workers + 1 }

    private var liveWorkers: Int {
        workers.values.count { if case .dying = $0 { false } else { true } }
    }

    private var busyWorkers: Int {
        workers.values.count { if case .busy = $0 { true } else { false } }
    }

    /// Known and not killed.
    package func isAlive(_ id: WorkerID) -> Bool {
        switch workers[id] {
        case nil, .dying?: false
        case .starting?, .idle?, .busy?, .climbing?, .diagnosing?: true
        }
    }

    /// The one that answered last, because its memory is warm; the one in the ladder only if there is no other.
    private var mostRecentIdle: WorkerID? {
        var best: (id: WorkerID, ticket: UInt64)?
        for id in workers.keys.sorted(by: { ($0 == ladder.worker ? 1 : 0, $0) < ($1 == ladder.worker ? 1 : 0, $1) }) {
            guard case .idle(let ticket)? = workers[id], best.map({ ticket > $0.ticket }) ?? true else { continue }
            best = (id, ticket)
        }
        return best?.id
    }

    private mutating func ready(_ id: WorkerID) {
        guard case .starting? = workers[id] else { return }
        workers[id] = .idle(lastTicket: 0)
        failedStarts = 0
    }

    /// A process is gone: we killed it, or it ended by itself.
    private mutating func ended(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        switch workers[id] {
        case nil: return
        case .dying?: break
        case .starting?, .idle?, .busy?, .climbing?, .diagnosing?: noteLoss(id, loss, at: now, &actions)
        }
        workers[id] = nil
    }

    private mutating func lose(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        switch workers[id] {
        case nil, .dying?: return
        case .starting?, .idle?, .busy?, .climbing?, .diagnosing?: break
        }
        noteLoss(id, loss, at: now, &actions)
        workers[id] = .dying
        actions.append(.killWorker(id, loss))
    }

    /// Resolves the frame that it was reading, and delays its replacement if losses come in a row.
    private mutating func noteLoss(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        wantsReplacement += 1
        if case .starting? = workers[id] {
            failedToStart(at: now)
        } else {
            losses += 1
            putOffStart(failures: losses - 1, at: now)
        }
        if ladder.worker == id { ladder.lose(at: now) }
        if case .diagnosing? = workers[id] { diagnosis.lose(at: now) }
        guard let frame = frame(of: workers[id]) else { return }
        let outcome: ReadResult.Outcome = loss == .timedOut ? .timedOut : .crashed
        if outcome == .timedOut { counters.timedOut += 1 } else { counters.crashed += 1 }
        if let slot = frame.slot {
            actions.append(.setAside(slot: slot, frame.info, frame.view, loss))
        }
        free(frame)
        switch workers[id] {
        case .climbing?, .diagnosing?: return
        default: break
        }
        let result = ReadResult(frame: frame.info, outcome: outcome)
        results.resolve(frame.number, result, picture: frame.picture, at: now, counters: &counters)
    }

    private mutating func failedToStart(at now: Instant) {
        failedStarts += 1
        putOffStart(failures: failedStarts, at: now)
    }

    /// The first failure costs nothing, then `firstBackOff`, doubling.
    private mutating func putOffStart(failures: Int, at now: Instant) {
        guard failures > 0 else { return }
        let earliest = now.advanced(
            by: Backoff.wait(afterFailures: failures, first: limits.firstBackOff, longest: limits.maxBackOff))
        nextStart = max(nextStart ?? earliest, earliest)
    }

    private mutating func checkDeadlines(at now: Instant, _ actions: inout [Action]) {
        for (id, worker) in workers.sorted(by: { $0.key < $1.key }) {
            switch worker {
            case .starting(let until) where until <= now: lose(id, .neverReady, at: now, &actions)
            case .busy(_, _, let until) where until <= now: lose(id, .timedOut, at: now, &actions)
            case .climbing(_, let since) where since.advanced(by: ladderDeadline) <= now,
                .diagnosing(_, let since) where since.advanced(by: limits.deadline) <= now:
                lose(id, .timedOut, at: now, &actions)
            default: break
            }
        }
    }

    private mutating func startWorkers(at now: Instant, _ actions: inout [Action]) {
        // Killed processes that don't end (stuck in the kernel) must not pile up.
        while liveWorkers < wantedWorkers, workers.count < 2 * wantedWorkers, nextStart.map({ $0 <= now }) ?? true {
            let id = nextWorker
            nextWorker += 1
            workers[id] = .starting(until: now.advanced(by: limits.readyDeadline))
            if wantsReplacement > 0 {
                wantsReplacement -= 1
                counters.workerRestarts += 1
            }
            actions.append(.startWorker(id))
        }
        if let nextStart, nextStart <= now { self.nextStart = nil }
    }
}
