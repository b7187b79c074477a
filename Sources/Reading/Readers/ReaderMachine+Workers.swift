import ReaderProtocol
import Vocabulary

/// The workers' lives: started, lost, replaced.
extension ReaderMachine {
    /// As many as read at the same time, and the spare.
    var wantedWorkers: Int { limits.workers + 1 }

    var liveWorkers: Int {
        workers.values.count { if case .dying = $0 { false } else { true } }
    }

    var busyWorkers: Int {
        workers.values.count { if case .busy = $0 { true } else { false } }
    }

    /// Known and not killed.
    package func isAlive(_ id: WorkerID) -> Bool {
        switch workers[id] {
        case nil, .dying?: false
        case .starting?, .idle?, .busy?: true
        }
    }

    /// The one that has answered last: its memory is warm, and the spare's stays small.
    var mostRecentIdle: WorkerID? {
        var best: (id: WorkerID, ticket: UInt64)?
        for id in workers.keys.sorted() {
            guard case .idle(let ticket)? = workers[id], best.map({ ticket > $0.ticket }) ?? true else { continue }
            best = (id, ticket)
        }
        return best?.id
    }

    mutating func ready(_ id: WorkerID) {
        guard case .starting? = workers[id] else { return }
        workers[id] = .idle(lastTicket: 0)
        failedStarts = 0
    }

    /// A process is gone: one that we killed, or one that was lost by itself.
    mutating func ended(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        switch workers[id] {
        case nil: return
        case .dying?: break
        case .starting?, .idle?, .busy?: noteLoss(id, loss, at: now, &actions)
        }
        workers[id] = nil
    }

    mutating func lose(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        switch workers[id] {
        case nil, .dying?: return
        case .starting?, .idle?, .busy?: break
        }
        noteLoss(id, loss, at: now, &actions)
        workers[id] = .dying
        actions.append(.killWorker(id, loss))
    }

    /// Resolves the frame it was reading, and puts off its replacement when losses come in a row.
    private mutating func noteLoss(_ id: WorkerID, _ loss: WorkerLoss, at now: Instant, _ actions: inout [Action]) {
        wantsReplacement += 1
        if case .starting? = workers[id] {
            failedToStart(at: now)
        } else {
            losses += 1
            putOffStart(failures: losses - 1, at: now)
        }
        guard let frame = frame(of: workers[id]) else { return }
        let outcome: ReadResult.Outcome = loss == .timedOut ? .timedOut : .crashed
        if outcome == .timedOut { counters.timedOut += 1 } else { counters.crashed += 1 }
        if let slot = frame.slot {
            actions.append(.setAside(slot: slot, frame.info, frame.view, loss))
        }
        free(frame)
        let result = ReadResult(frame: frame.info, outcome: outcome)
        results.resolve(frame.number, result, picture: frame.picture, at: now, counters: &counters)
    }

    mutating func failedToStart(at now: Instant) {
        failedStarts += 1
        putOffStart(failures: failedStarts, at: now)
    }

    /// The first failure costs nothing, then `firstBackOff`, doubling.
    private mutating func putOffStart(failures: Int, at now: Instant) {
        guard failures > 0 else { return }
        var wait = limits.firstBackOff
        for _ in 1..<max(2, failures) where wait < limits.maxBackOff { wait = wait * 2 }
        let earliest = now.advanced(by: min(failures == 1 ? limits.firstBackOff : wait, limits.maxBackOff))
        nextStart = max(nextStart ?? earliest, earliest)
    }

    mutating func checkDeadlines(at now: Instant, _ actions: inout [Action]) {
        for (id, worker) in workers.sorted(by: { $0.key < $1.key }) {
            switch worker {
            case .starting(let until) where until <= now: lose(id, .neverReady, at: now, &actions)
            case .busy(_, _, let until) where until <= now: lose(id, .timedOut, at: now, &actions)
            default: break
            }
        }
    }

    mutating func startWorkers(at now: Instant, _ actions: inout [Action]) {
        // Processes that don't end though killed (stuck in the kernel) must not pile up.
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
