import CLinux
import Glibc
import ReaderProtocol
import Vocabulary

/// The pool's thread: starts processes, takes their answers, notices their ends and keeps the deadlines.
extension WorkerPool {
    /// Packets taken from one process before the others get their turn.
    private static let maxPacketsPerTurn = 64

    /// `false` with errno when there is no thread to be had.
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

    /// Comes back when the pool has been stopped and its processes are gone.
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
            guard let (watched, timeout) = prepareToWait() else { return }
            listen(to: watched, timeout: timeout, buffer)
            state.withLock { perform($0.machine.handle(.tick, at: Self.now()), &$0) }
        }
    }

    /// The processes to watch, and for how many milliseconds; `nil` when all is done.
    private func prepareToWait() -> (watched: [(WorkerID, WorkerProcess)], milliseconds: Int32)? {
        let (waiting, watched, until): ([CheckedContinuation<Void, Never>], [(WorkerID, WorkerProcess)], Instant?) =
            state.withLock { state in
                let now = Self.now()
                if !state.machine.isRunning, let abandonAt = state.abandonAt,
                    state.processes.isEmpty || abandonAt <= now
                {
                    state.processes = [:]
                    state.assemblers = [:]
                    state.isThreadRunning = false
                    defer { state.stopWaiters = [] }
                    return (state.stopWaiters, [], nil)
                }
                // Never longer than a deadline: so a new one can't pass earlier, and a frame needn't wake us.
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
        let nanoseconds = max(0, until.nanoseconds - Self.now().nanoseconds)
        return (watched, Int32(clamping: (nanoseconds + 999_999) / 1_000_000))
    }

    private func listen(
        to watched: [(WorkerID, WorkerProcess)], timeout: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) {
        var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        for (_, process) in watched {
            polled.append(pollfd(fd: process.channel, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
        if polled[0].revents != 0 { CLinux_eventfd_drain(wake) }
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
            case .garbage: state.withLock { perform($0.machine.handle(.workerTalkedGarbage(id), at: Self.now()), &$0) }
            case .end:
                // It ends, or has closed its channel and is of no use any more.
                return process.kill()
            }
        }
    }

    private func take(_ answer: ReaderAnswer, from id: WorkerID, _ process: WorkerProcess, _ state: inout State) {
        if case .ready(let version, let isConfined) = answer {
            guard version == ReaderLimits.protocolVersion else {
                state.notices.append(
                    ReaderNotice(
                        .startFailed, .error,
                        "\(executable) speaks version \(version) of the reader protocol, this program "
                            + "\(ReaderLimits.protocolVersion): install both from the same package"))
                return perform(state.machine.handle(.workerTalkedGarbage(id), at: Self.now()), &state)
            }
            state.notices.append(.ready(process.pid, isConfined: isConfined))
            return perform(state.machine.handle(.workerReady(id), at: Self.now()), &state)
        }
        switch state.assemblers[id]?.take(answer) {
        case .incomplete?, nil: break
        case .complete(let symbols, let summary)?:
            if summary.omittedCount > 0, !state.isOmitting { state.notices.append(.omitted(summary.omittedCount)) }
            state.isOmitting = summary.omittedCount > 0
            perform(state.machine.handle(.answered(id, symbols, summary), at: Self.now()), &state)
        case .refused?:
            // It couldn't (out of memory, say) but lives: a frame without symbols.
            let summary = ReaderAnswer.Summary(symbolCount: 0, omittedCount: 0, decodeNanoseconds: 0)
            perform(state.machine.handle(.answered(id, [], summary), at: Self.now()), &state)
        case .garbage?, .opened?, .damaged?, .pass?:
            perform(state.machine.handle(.workerTalkedGarbage(id), at: Self.now()), &state)
        }
    }

    private func noteEnd(_ id: WorkerID, _ process: WorkerProcess, _ loss: WorkerLoss) {
        state.withLock { state in
            // One that we killed has been told of already.
            if state.machine.isAlive(id) { state.notices.append(.lost(process.pid, loss)) }
            state.processes[id] = nil
            state.assemblers[id] = nil
            perform(state.machine.handle(.workerEnded(id, loss), at: Self.now()), &state)
        }
    }

    /// Starting takes a millisecond or so, and isn't done under the lock.
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
                // Stopped while it was being started.
                if !state.machine.isAlive(id) { process.kill() }
            case .failure(let error):
                state.notices.append(ReaderNotice(.startFailed, .error, error.message + "; will be tried again"))
                perform(state.machine.handle(.workerStartFailed(id), at: Self.now()), &state)
            }
        }
    }
}

/// The thread's main function.
private func runWorkerPool(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    CLinux_name_thread("scan-readers")
    guard let context else { return nil }
    Unmanaged<WorkerPool>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
