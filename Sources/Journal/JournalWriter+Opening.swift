import ScanCore
import Wire

/// Opening, closing, and the new journal that takes the place of a damaged one.
extension JournalWriter {
    /// From any task.
    func open() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.isWanted = true
                if self.store == nil { self.openNow() }
                continuation.resume()
            }
        }
    }

    func openNow() {
        guard isWanted, store == nil else { return }
        do {
            try openFile()
        } catch {
            let failure = JournalFailure(error, place: place, freeBytes: freeBytes)
            if case .damaged(let message) = failure {
                replaceDamaged(message)
            } else {
                notOpened(failure)
            }
        }
    }

    private func notOpened(_ failure: JournalFailure) {
        closeStore()
        lock = nil
        if case .diskFull(let message) = failure {
            ballast.release()
            health.disk(full: "the disk of \(place.folder) is full (\(message)): make room there")
            start(.probe, after: JournalLimits.probeInterval)
        } else {
            if health.obstacle != failure.message { log(.error, "the journal can't be opened: \(failure.message)") }
            health.blocked(failure.message)
            start(.open, after: retry.next())
        }
        publish()
    }

    private func birth(last: UInt64 = 0) -> JournalStore.Birth {
        let wall = clock.wall().nanoseconds
        let id = UUIDv7(wallNanoseconds: wall, random: .random(in: .min ... .max)).description
        return JournalStore.Birth(id: id, wallNanoseconds: wall, version: version, last: last)
    }

    private func openFile(last: UInt64 = 0) throws {
        try StateFolder.make(place.folder)
        if lock == nil { lock = try JournalLock(place) }
        let opened = try JournalStore.open(place, birth: birth(last: last), synchronous: options.synchronous)
        store = opened.store
        let isSame = opened.ledger.id == ledger.id && opened.ledger.last == ledger.last
        ledger = opened.ledger
        retry.reset()
        health.opened()
        // A journal that was full when it was left is full when it is found.
        health.disk(full: ballast.make() ? nil : "the disk of \(place.folder) is full: make room there")
        if health.diskFull != nil { start(.probe, after: JournalLimits.probeInterval) }
        size()
        logBytes = Int(clamping: JournalPlace.size(of: place.log) ?? 0)
        judgeRoom()
        shared.change { content in
            if !isSame { content.tail.reset(last: opened.ledger.last) }
            content.openings += 1
            content.opening = content.openings
            content.warning = place.warning
        }
        publish()
        if let warning = place.warning { log(.warning, warning) }
        if opened.isNew { log(.notice, "new journal \(ledger.id) in \(place.database)") }
        if logBytes > 0 { start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint) }
        if settings.maxAge != nil { start(.age, after: JournalWriter.ageInterval) }
        if let delay = options.checkDelay { start(.check, after: delay) }
    }

    /// From a reader's task; a file that was replaced meanwhile is none of its business.
    func damageRead(_ message: String, opening: UInt64) {
        queue.async {
            guard self.shared.read(\.opening) == opening else { return }
            self.damageFound(message)
        }
    }

    /// The file turned out to be damaged while it was in use: by the writer, a reader or the background check.
    func damageFound(_ message: String) {
        guard store != nil else { return }
        closeStore()
        replaceDamaged(message)
    }

    /// Sets the damaged file aside and makes a new journal. Sequences go on, so that outputs that are under way need not
    /// start over, and the scans that are still in memory are kept in the new one, with their old sequences.
    private func replaceDamaged(_ message: String) {
        guard place.damagedCount < JournalLimits.damagedFiles else {
            return notOpened(
                .storage(
                    "\(message); there are \(JournalLimits.damagedFiles) damaged journals in \(place.folder) already: "
                        + "replace the disk, or move them away"))
        }
        guard lock != nil, let aside = place.setAside(wallNanoseconds: clock.wall().nanoseconds) else {
            return notOpened(.storage("\(message); and it can't be renamed: move it out of \(place.folder)"))
        }
        let old = ledger
        let rescued = shared.read { $0.tail.all }
        do {
            try openFile(last: rescued.isEmpty ? old.last : old.last - UInt64(rescued.count))
        } catch {
            shared.change { $0.setAside = aside }
            return notOpened(JournalFailure(error, place: place, freeBytes: freeBytes))
        }
        let lost = adopt(rescued, outputs: old.outputs)
        shared.change { $0.setAside = aside }
        log(
            .critical,
            "the journal was damaged (\(message)) and is set aside as \(aside); the new one is \(ledger.id). "
                + (rescued.isEmpty ? "" : "\(rescued.count) scans were carried over. ")
                + (lost > 0 ? "\(lost) undelivered scans are in the damaged file only" : "No known scan is lost"))
    }

    /// Returns how many undelivered scans couldn't be carried over.
    private func adopt(_ rescued: [Event], outputs: [String: JournalLedger.Output]) -> UInt64 {
        guard !outputs.isEmpty || !rescued.isEmpty else { return 0 }
        var plan = makePlan()
        let lost = plan.adopt(rescued.compactMap(JournalLine.init), outputs: outputs)
        return commit(plan) ? lost : lost + UInt64(rescued.count)
    }

    /// Commits nothing more, empties the write-ahead log into the file and lets go of it. From any task.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.closeNow()
                continuation.resume()
            }
        }
    }

    private func closeNow() {
        isWanted = false
        let settlements = waiting
        waiting = []
        perform(settlements)
        for job in waiting { job.fail(JournalError(.full, "the journal was closed while its disk was full")) }
        waiting = []
        try? store?.checkpointAndTruncate()
        closeStore()
        lock = nil
        health.closed()
        publish()
    }
}
