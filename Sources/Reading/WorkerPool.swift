import Glibc
import Linux
import ReaderProtocol
import Synchronization
import Vocabulary

/// The shell of `ReaderMachine`: the ring, the reader processes, and the thread that listens to them.
///
/// Three kinds of callers share one lock here: the camera's thread brings frames and sends them to an idle worker, the pool's own thread
/// takes answers and enforces deadlines, and the `Reader` actor changes settings. Results go into a bounded stream while the lock is held,
/// which keeps their order. Nothing blocks while holding it.
final class WorkerPool: Sendable {
    typealias WorkerID = ReaderMachine.WorkerID

    /// The current settings.
    struct Configuration {
        var viewport: Viewport
        /// A fraction of the upright frame.
        var margin: Double
        var orientation: Orientation
        var rules: DecodeRules
        var crashFolder: CrashFolder?
    }

    struct State {
        var machine: ReaderMachine
        var configuration: Configuration
        var ring: FrameRing?
        var processes: [WorkerID: WorkerProcess] = [:]
        var assemblers: [WorkerID: AnswerAssembler] = [:]
        /// Processes for the thread to start.
        var starts: [WorkerID] = []
        /// Notices for the thread to log.
        var notices: [ReaderNotice] = []
        /// A size for which no ring could be made; not tried again until another size comes.
        var refusedSize: FrameSize?
        var light: SceneLight?
        var unfetched: UInt64 = 0
        /// The newest answer left codes out, and that has been logged.
        var isOmitting = false
        var isThreadRunning = false
        /// The thread wakes up by itself at this time.
        var wakesAt = Instant.zero
        /// When the thread stops waiting for killed processes.
        var abandonAt: Instant?
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let executable: String
    let arguments: [String]
    let log: @Sendable (ReaderNotice) -> Void
    let results: AsyncStream<ReadResult>
    let state: Mutex<State>
    private let continuation: AsyncStream<ReadResult>.Continuation
    /// Held while copying a frame or replacing the ring; always taken before `state`.
    private let writer = Mutex(FrameSignature())
    /// Wakes the thread.
    let waker = Waker()
    /// Where previews come from.
    let previews: PreviewTap

    /// How many results are kept for a consumer that is behind: two seconds at 30 frames a second.
    private static let maxUnfetchedResults = 64
    /// How long to wait for killed processes to end; one that is stuck in the kernel is abandoned.
    private static let endTimeout = Duration.seconds(2)

    init(
        limits: ReaderMachine.Limits, gate: ChangeGate, configuration: Configuration, executable: String,
        arguments: [String], previews: PreviewMachine.Limits = PreviewMachine.Limits(),
        log: @escaping @Sendable (ReaderNotice) -> Void
    ) {
        self.previews = PreviewTap(limits: previews)
        state = Mutex(State(machine: ReaderMachine(limits: limits, gate: gate), configuration: configuration))
        (results, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maxUnfetchedResults))
        self.executable = executable
        self.arguments = arguments
        self.log = log
    }

    deinit { continuation.finish() }

    // MARK: - Settings

    func start(size: FrameSize) throws(ReaderError) {
        try ReaderExecutable.check(executable)
        if let failure = waker.failure {
            throw ReaderError("no event descriptor: \(failure.text); raise the limit of open files")
        }
        try writer.withLock { (_: inout FrameSignature) throws(ReaderError) in
            try state.withLock { (state: inout State) throws(ReaderError) in
                let slots = ReaderMachine.slotCount(workers: state.machine.limits.workers)
                if state.ring?.frameSize != size || state.ring?.slotCount != slots {
                    try replaceRing(&state, size)
                }
                state.abandonAt = nil
                perform(state.machine.handle(.start, at: Instant.now), &state)
                if !state.isThreadRunning { state.isThreadRunning = startThread() }
                guard state.isThreadRunning else {
                    throw ReaderError("no thread for the readers: \(SystemError().text); free memory")
                }
            }
        }
        wakeThread()
    }

    func stop() async {
        requestStop()
        await withCheckedContinuation { waiter in
            let isStopped = state.withLock { state in
                guard state.isThreadRunning, !state.machine.isRunning else { return true }
                state.stopWaiters.append(waiter)
                return false
            }
            if isStopped { waiter.resume() }
        }
    }

    /// Kills the processes; the thread ends when they are gone.
    func requestStop() {
        state.withLock { state in
            let now = Instant.now
            perform(state.machine.handle(.stop, at: now), &state)
            state.starts = []
            state.abandonAt = now.advanced(by: Self.endTimeout)
        }
        wakeThread()
    }

    /// Changes the configuration or passes an event to the machine; the camera may deliver meanwhile.
    func update<R: Sendable>(_ change: @Sendable (inout State) -> R) -> R {
        let result = state.withLock { change(&$0) }
        wakeThread()
        return result
    }

    func setLimits(_ limits: ReaderMachine.Limits) {
        writer.withLock { _ in
            state.withLock { state in
                perform(state.machine.handle(.settings(limits), at: Instant.now), &state)
                guard let ring = state.ring, ring.slotCount != ReaderMachine.slotCount(workers: limits.workers) else {
                    return
                }
                do throws(ReaderError) {
                    try replaceRing(&state, ring.frameSize)
                } catch {
                    state.notices.append(ReaderNotice(.noFrameMemory, .error, error.message))
                }
            }
        }
        wakeThread()
    }

    // MARK: - Frames

    /// On the camera's thread: copies the frame and sends it to a worker if one is idle.
    func receive(_ frame: LumaFrame) {
        // Before the readers get it, or a result could come that nobody listens to yet.
        let isPreviewWanted = previews.isWanted
        let mustWake = writer.withLock { signature in
            guard let (slot, ring, view) = state.withLock({ prepare(&$0, for: frame) }) else { return true }
            FrameCopier.copy(frame, view, to: ring.pixels(ofSlot: slot), signature: &signature)
            return state.withLock { state in
                let now = Instant.now
                state.light = SceneLight(meanLuma: signature.meanLuma, at: frame.info.exposedAt)
                perform(state.machine.handle(.frame(slot: slot, frame.info, view, signature), at: now), &state)
                return needsThread(state)
            }
        }
        if mustWake { wakeThread() }
        if isPreviewWanted { preview(frame) }
    }

    /// The whole frame: the ring has only the part that is read.
    private func preview(_ frame: LumaFrame) {
        let copied = previews.copied
        let (configuration, isAwaited, isCopyAwaited) = state.withLock { state in
            (
                state.configuration, state.machine.awaits(frame.info.sequence),
                copied.map(state.machine.awaits) ?? false
            )
        }
        previews.take(
            frame, configuration.orientation, configuration.viewport, isAwaited: isAwaited,
            isCopyAwaited: isCopyAwaited)
    }

    private func prepare(
        _ state: inout State, for frame: LumaFrame
    ) -> (slot: Int, FrameRing, FrameView)? {
        guard state.machine.isRunning, !state.machine.isPaused else { return nil }
        if state.ring?.frameSize != frame.size, !adapt(&state, to: frame.size) {
            state.machine.countRefused()
            return nil
        }
        guard let ring = state.ring, let slot = state.machine.slotForWriting() else { return nil }
        let configuration = state.configuration
        let view = FrameView(
            frame: frame.size, viewport: configuration.viewport, margin: configuration.margin,
            orientation: configuration.orientation)
        return (slot, ring, view)
    }

    /// The camera now delivers another size.
    private func adapt(_ state: inout State, to size: FrameSize) -> Bool {
        guard size != state.refusedSize else { return false }
        do throws(ReaderError) {
            try replaceRing(&state, size)
            return true
        } catch {
            state.refusedSize = size
            state.notices.append(ReaderNotice(.noFrameMemory, .error, error.message))
            return false
        }
    }

    /// Call this under the writer's lock.
    private func replaceRing(_ state: inout State, _ size: FrameSize) throws(ReaderError) {
        let slots = ReaderMachine.slotCount(workers: state.machine.limits.workers)
        let ring = try FrameRing(frameSize: size, slotCount: slots)
        state.ring = ring
        state.refusedSize = nil
        for process in state.processes.values {
            process.sendOrKill(.ring(byteCount: ring.byteCount), descriptor: ring.descriptor)
        }
        perform(state.machine.handle(.ringReplaced(slotCount: slots), at: Instant.now), &state)
    }

    // MARK: - Actions

    func perform(_ actions: [ReaderMachine.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .startWorker(let id): state.starts.append(id)
            case .killWorker(let id, let loss):
                guard let process = state.processes[id] else { continue }
                process.kill()
                if state.machine.isRunning { state.notices.append(.lost(process.pid, loss)) }
            case .read(let id, let ticket, let slot, let view, let effort):
                guard let ring = state.ring else { continue }
                state.assemblers[id]?.expect(ticket: ticket)
                // If sending fails, the process is gone (its end will be noticed) or stuck (its deadline will pass).
                state.processes[id]?.send(
                    .read(
                        ReaderRequest.FrameOrder(
                            ticket: ticket, offset: ring.offset(ofSlot: slot), size: view.size,
                            rowStride: view.size.width, effort: effort)))
            case .deliver(let result):
                if previews.isWanted { previews.note(result) }
                if case .dropped = continuation.yield(result) { state.unfetched += 1 }
            case .setAside(let slot, let info, let view, _):
                setAside(slot: slot, info, view, state)
            }
        }
    }

    private func setAside(slot: Int, _ info: FrameInfo, _ view: FrameView, _ state: borrowing State) {
        guard let folder = state.configuration.crashFolder, let ring = state.ring else { return }
        let pixels = UnsafeBufferPointer(
            start: ring.pixels(ofSlot: slot), count: view.size.width * view.size.height)
        folder.keep(Array(pixels), size: view.size, sequence: info.sequence, at: info.deliveredAt) { [log] result in
            switch result {
            case .success(let path):
                log(
                    ReaderNotice(.setAside(path: path), .info, "the frame that a reader was lost on is kept in \(path)")
                )
            case .failure(let error): log(ReaderNotice(.setAsideFailed, .warning, error.message))
            }
        }
    }

    /// Whether the thread has something to do before it wakes up by itself.
    private func needsThread(_ state: borrowing State) -> Bool {
        if !state.starts.isEmpty || !state.notices.isEmpty { return true }
        return state.machine.nextDeadline.map { $0 < state.wakesAt } ?? false
    }

    private func wakeThread() { waker.wake() }
}

// MARK: - Thread

/// The pool's thread: starts processes, takes their answers, notices when they end and enforces the deadlines.
extension WorkerPool {
    /// How many packets to take from one process before the others get their turn.
    private static let maxPacketsPerTurn = 64

    /// `false` with errno if no thread can be created.
    func startThread() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, &attributes, runWorkerPool, context.toOpaque())
        guard status != 0 else { return true }
        context.release()
        errno = status
        return false
    }

    /// Returns when the pool has been stopped and its processes are gone.
    fileprivate func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReaderLimits.maxPacketLength, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let (starts, notices) = state.withLock { state in
                defer {
                    state.starts = []
                    state.notices = []
                }
                return (state.starts, state.notices)
            }
            for notice in notices { log(notice) }
            for id in starts { startProcess(id) }
            guard let (watched, deadline) = prepareToWait() else { return }
            listen(to: watched, until: deadline, buffer)
            state.withLock { perform($0.machine.handle(.tick, at: Instant.now), &$0) }
        }
    }

    /// The processes to watch, and until when; `nil` when everything is done.
    private func prepareToWait() -> (watched: [(WorkerID, WorkerProcess)], until: Instant)? {
        let (waiting, watched, until): ([CheckedContinuation<Void, Never>], [(WorkerID, WorkerProcess)], Instant?) =
            state.withLock { state in
                let now = Instant.now
                if !state.machine.isRunning, let abandonAt = state.abandonAt,
                    state.processes.isEmpty || abandonAt <= now
                {
                    state.processes = [:]
                    state.assemblers = [:]
                    state.isThreadRunning = false
                    defer { state.stopWaiters = [] }
                    return (state.stopWaiters, [], nil)
                }
                // Never longer than a deadline, so that no new deadline can pass earlier, and a frame needn't wake us.
                var until = now.advanced(by: min(state.machine.limits.deadline, .seconds(1)))
                if let next = state.machine.nextDeadline { until = min(until, next) }
                if let abandonAt = state.abandonAt { until = min(until, abandonAt) }
                if !state.starts.isEmpty || !state.notices.isEmpty { until = now }
                state.wakesAt = until
                return ([], state.processes.map { ($0.key, $0.value) }, until)
            }
        guard let until else {
            for waiter in waiting { waiter.resume() }
            return nil
        }
        return (watched, until)
    }

    private func listen(
        to watched: [(WorkerID, WorkerProcess)], until deadline: Instant, _ buffer: UnsafeMutableRawBufferPointer
    ) {
        var polled = [pollfd(waker.descriptor)]
        for (_, process) in watched {
            polled.append(pollfd(process.channel))
            polled.append(pollfd(process.ended))
        }
        guard anyIsReady(&polled, until: deadline) else { return }
        if polled[0].revents != 0 { waker.clear() }
        for (index, (id, process)) in watched.enumerated() {
            let hasEnded = polled[2 * index + 2].revents != 0
            if polled[2 * index + 1].revents != 0 || hasEnded { takeAnswers(id, process, buffer) }
            if hasEnded, let loss = process.reap() { noteEnd(id, process, loss) }
        }
    }

    private func takeAnswers(_ id: WorkerID, _ process: WorkerProcess, _ buffer: UnsafeMutableRawBufferPointer) {
        for _ in 0..<Self.maxPacketsPerTurn {
            switch process.receive(into: buffer) {
            case .none: return
            case .answer(let answer): state.withLock { take(answer, from: id, process, &$0) }
            case .garbage: state.withLock { perform($0.machine.handle(.workerTalkedGarbage(id), at: Instant.now), &$0) }
            case .end:
                // It is ending, or has closed its channel and is no longer useful.
                return process.kill()
            }
        }
    }

    private func take(_ answer: ReaderAnswer, from id: WorkerID, _ process: WorkerProcess, _ state: inout State) {
        if case .ready(let build, let isConfined) = answer {
            if let refusal = build.refusal(of: executable) {
                state.notices.append(ReaderNotice(.startFailed, .error, refusal))
                return perform(state.machine.handle(.workerTalkedGarbage(id), at: Instant.now), &state)
            }
            state.notices.append(.ready(process.pid, isConfined: isConfined))
            return perform(state.machine.handle(.workerReady(id), at: Instant.now), &state)
        }
        switch state.assemblers[id]?.take(answer) {
        case .incomplete?, nil: break
        case .complete(let symbols, let summary)?:
            if summary.omittedCount > 0, !state.isOmitting { state.notices.append(.omitted(summary.omittedCount)) }
            state.isOmitting = summary.omittedCount > 0
            perform(state.machine.handle(.answered(id, symbols, summary), at: Instant.now), &state)
        case .refused?:
            // It couldn't read the frame (out of memory, say) but still runs: a frame without symbols.
            let summary = ReaderAnswer.Summary(symbolCount: 0, omittedCount: 0, decodeNanoseconds: 0)
            perform(state.machine.handle(.answered(id, [], summary), at: Instant.now), &state)
        case .garbage?, .opened?, .damaged?, .pass?:
            perform(state.machine.handle(.workerTalkedGarbage(id), at: Instant.now), &state)
        }
    }

    private func noteEnd(_ id: WorkerID, _ process: WorkerProcess, _ loss: WorkerLoss) {
        state.withLock { state in
            // If we killed it, that has already been reported.
            if state.machine.isAlive(id) { state.notices.append(.lost(process.pid, loss)) }
            state.processes[id] = nil
            state.assemblers[id] = nil
            perform(state.machine.handle(.workerEnded(id, loss), at: Instant.now), &state)
        }
    }

    /// Starting takes a millisecond or so, so it isn't done under the lock.
    private func startProcess(_ id: WorkerID) {
        let started = Result { () throws(ReaderError) in
            try WorkerProcess(executable: executable, arguments: arguments)
        }
        state.withLock { state in
            switch started {
            case .success(let process):
                state.processes[id] = process
                state.assemblers[id] = AnswerAssembler()
                process.send(.rules(state.configuration.rules))
                if let ring = state.ring {
                    process.send(.ring(byteCount: ring.byteCount), descriptor: ring.descriptor)
                }
                // The pool was stopped while the process was being started.
                if !state.machine.isAlive(id) { process.kill() }
            case .failure(let error):
                state.notices.append(ReaderNotice(.startFailed, .error, error.message + "; will be tried again"))
                perform(state.machine.handle(.workerStartFailed(id), at: Instant.now), &state)
            }
        }
    }
}

/// The thread's main function.
private func runWorkerPool(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    nameThread("scan-readers")
    guard let context else { return nil }
    Unmanaged<WorkerPool>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
