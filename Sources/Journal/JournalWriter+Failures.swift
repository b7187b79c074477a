/// What the writer does when the storage fails: each kind has its own way back. The state is told before the jobs are.
extension JournalWriter {
    func failed(_ failure: JournalFailure, _ plan: JournalPlan) {
        switch failure {
        case .diskFull(let message): diskIsFull(message, plan.jobs)
        case .damaged(let message):
            let error = JournalError(.damaged, "the journal's file is damaged: \(message). It is set aside")
            damageFound(message)
            for job in plan.jobs { job.fail(error) }
        case .gone(let message):
            vanished(message)
            let error = JournalError(.unavailable, "the journal is gone: \(message). A new one takes its place")
            for job in plan.jobs { job.fail(error) }
        case .written(let message):
            suspect(message)
            let error = JournalError(.unavailable, "\(message): it is being checked")
            for job in plan.jobs { job.fail(error) }
        case .rejected(let message): rejected(message, plan.jobs)
        case .newer(let message), .storage(let message):
            let error = JournalError(.unavailable, "the journal can't be written: \(message)")
            lose(message)
            for job in plan.jobs { job.fail(error) }
        }
    }

    /// One job's data was refused; the others aren't to blame.
    private func rejected(_ message: String, _ jobs: [JournalJob]) {
        guard jobs.count > 1 else {
            log(.error, "the journal refused what it was given: \(message)")
            for job in jobs { job.fail(JournalError(.failed, "the journal refused it: \(message)")) }
            return
        }
        for job in jobs { perform([job]) }
    }

    /// No room on the disk: appends fail, settlements are done again, at once with the ballast's room and then every second.
    private func diskIsFull(_ message: String, _ jobs: [JournalJob]) {
        let isNew = health.diskFull == nil
        let detail =
            "the disk of \(place.folder) is full (\(message)): make room there, or set journal.folder to another disk"
        health.disk(full: detail)
        publish()
        if isNew {
            log(.error, "no scan is accepted: \(detail)")
            ballast.release()
            // Before anything else takes the ballast's room: it is larger than the log, so all of that fits into the database
            // now, and the log's own room is free. Filled up with receipts first, the log could never be emptied again.
            try? store?.checkpointAndTruncate()
        }
        let error = JournalError(.full, "the journal is full: \(detail)")
        for job in jobs where !job.waitsForRoom { job.fail(error) }
        let settlements = jobs.filter(\.waitsForRoom)
        start(.probe, after: JournalLimits.probeInterval)
        if isNew { perform(settlements) } else { waiting += settlements }
    }

    /// The storage failed in another way: close, so that SQLite recovers the file when it is opened again.
    func lose(_ message: String) {
        log(.error, "the journal is closed, and tried again: \(message)")
        closeStore()
        health.blocked(message)
        publish()
        start(.open, after: retry.next())
    }

    func closeStore() {
        check.cancel()
        pages.release()
        store?.close()
        store = nil
        shared.change { $0.opening = nil }
    }

    /// A full or a slow disk is tried again.
    func probe() {
        guard store != nil else {
            if health.diskFull != nil { openNow() }
            return
        }
        if health.diskFull != nil { probeRoom() }
        if health.diskFull == nil, health.isSlow {
            var plan = makePlan()
            plan.probe()
            commit(plan)
        }
        publish()
        if health.diskFull != nil || health.isSlow { start(.probe, after: JournalLimits.probeInterval) }
    }

    private func probeRoom() {
        // Receipts go into the log: what it holds makes room for them before they are tried again.
        if !waiting.isEmpty { try? store?.checkpointAndTruncate() }
        let settlements = waiting
        waiting = []
        perform(settlements)
        guard let store, waiting.isEmpty else { return }
        // The disk is the limit now: what was delivered goes, in steps, and its pages back to the file system.
        if !hasRoom, ledger.floor >= ledger.first {
            var plan = makePlan()
            plan.drop(ledger.first + UInt64(JournalLimits.dropStep) * 4 - 1)
            guard commit(plan) else { return }
            try? store.vacuumStep()
        }
        if !hasRoom { try? store.checkpointAndTruncate() }
        guard hasRoom, ballast.make() else { return }
        health.disk(full: nil)
        size()
        judgeRoom()
        log(.notice, "the disk of \(place.folder) has room again: scans are accepted")
    }

    private var hasRoom: Bool {
        let held = JournalPlace.size(of: ballast.path) == ballast.bytes ? ballast.bytes : 0
        return (freeBytes ?? 0) + held >= ballast.bytes + JournalLimits.resumeBytes
    }
}
