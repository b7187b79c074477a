import Vocabulary
import Wire

/// Opening and closing.
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

    /// Opens or makes the journal. What must not be used is set aside first, and what the journal until now leaves is written in.
    func openNow() {
        guard isWanted, store == nil || unusable != nil else { return }
        if isSuspect { return checkSuspect() }
        do {
            try takePlace()
            if predecessor?.isInPlace == true {
                // Moved away and back again.
                unusable = nil
                forgetPredecessor()
            }
            while true {
                let reason = unusable
                if let reason { try setAside(reason) }
                unusable = nil
                do {
                    return try openFile(insteadOf: reason)
                } catch {
                    switch failure(error) {
                    case .damaged(let message): unusable = "it was damaged: \(message)"
                    case .gone(let message): unusable = "it is gone: \(message)"
                    default: throw error
                    }
                }
            }
        } catch {
            notOpened(failure(error))
        }
    }

    private func failure(_ error: any Error) -> JournalFailure {
        JournalFailure(error, place: place, freeBytes: freeBytes)
    }

    /// The folder, the lock that is still found under its name, and a disk that answers.
    private func takePlace() throws {
        try StateFolder.make(place.folder)
        if lock?.isCurrent != true {
            lock = nil
            lock = try JournalLock(place)
        }
        if let problem = lock?.obstacle { throw JournalFailure.storage(problem) }
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

    private func birth(last: UInt64) -> JournalStore.Birth {
        JournalStore.Birth(id: heir, wallNanoseconds: clock.wall().nanoseconds, version: version, last: last)
    }

    private func openFile(insteadOf reason: String?) throws {
        if heir.isEmpty {
            heir = UUIDv7(wallNanoseconds: clock.wall().nanoseconds, random: .random(in: .min ... .max)).description
        }
        let succession = succession
        let birth = birth(last: succession.map { $0.start - 1 } ?? 0)
        let opened = try JournalStore.open(place, birth: birth, synchronous: options.synchronous)
        do {
            if options.watchesFiles { opened.store.beginWatching(soundChecks: soundChecks) }
            var found = (ledger: opened.ledger, tail: JournalTail?.none)
            switch succession?.relation(to: opened.ledger) {
            case .none: found.tail = JournalTail(last: opened.ledger.last)
            case .itself where opened.ledger.last == ledger.last: break
            case .itself: found.tail = JournalTail(last: opened.ledger.last)
            case .stranger:
                throw JournalFailure.gone("\(place.database) is another journal, \(opened.ledger.id)")
            case .lacking:
                guard let succession else { break }
                let heritage = try inherit(succession, into: opened)
                found.ledger = heritage.ledger
                if found.ledger.id != ledger.id { found.tail = heritage.tail }
                tell(heritage.carried, heritage.lost, of: reason, in: opened)
            }
            store = opened.store
            ledger = found.ledger
            if reason != nil, succession == nil { tell(0, 0, of: reason, in: opened) }
            began(found.tail)
        } catch {
            opened.store.close()
            throw error
        }
        if opened.isNew { log(.notice, "new journal \(ledger.id) in \(place.database)") }
    }

    /// It is open, and nothing of it is missing that could be had.
    private func began(_ tail: JournalTail?) {
        isInherited = true
        heir = ""
        forgetPredecessor()
        retry.reset()
        health.opened()
        // A journal that was full when it was left is full when it is found.
        health.disk(full: ballast.make() ? nil : "the disk of \(place.folder) is full: make room there")
        if health.diskFull != nil { start(.probe, after: JournalLimits.probeInterval) }
        size()
        logBytes = Int(clamping: JournalPlace.size(of: place.log) ?? 0)
        judgeRoom()
        let warning = place.warning
        shared.change { content in
            if let tail { content.tail = tail }
            content.openings += 1
            content.opening = content.openings
            content.warning = warning
        }
        publish()
        if let warning { log(.warning, warning) }
        if options.watchesFiles { start(.look, after: JournalLimits.lookInterval) }
        if logBytes > 0 { start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint) }
        if settings.maxAge != nil { start(.age, after: JournalWriter.ageInterval) }
        if let delay = options.checkDelay { start(.check, after: delay) }
    }

    private func tell(_ carried: Int, _ lost: UInt64, of reason: String?, in opened: JournalStore.Opened) {
        let place = setAside.map { "; what was there is set aside as \($0)" } ?? ""
        let what =
            if let reason {
                "the journal was replaced: \(reason)\(place); the new one is \(opened.ledger.id)"
            } else if opened.isNew {
                "no journal was found any more; the new one is \(opened.ledger.id)"
            } else {
                "the journal \(opened.ledger.id) lacked what was kept last"
            }
        let scans = carried > 0 ? "\(carried.counted("scan was", "scans were")) carried over. " : ""
        let rest =
            lost > 0
            ? "\(lost.counted("undelivered scan is", "undelivered scans are")) not in it" : "No known scan is lost"
        log(.critical, "\(what). \(scans)\(rest)")
        setAside = nil
    }

    func forgetPredecessor() {
        predecessor?.close()
        predecessor = nil
    }

    /// From a reader's task; a file that was replaced meanwhile is none of its business.
    func damageRead(_ message: String, opening: UInt64) {
        queue.async {
            guard self.shared.read(\.opening) == opening else { return }
            self.damageFound(message)
        }
    }

    /// Commits nothing more, empties the write-ahead log into the file and releases it. From any task.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.closeNow()
                continuation.resume()
            }
        }
    }

    private func closeNow() {
        // A journal that has just vanished leaves its scans to a new one, while there is somebody to write it.
        look()
        isWanted = false
        let settlements = waiting
        waiting = []
        perform(settlements)
        for job in waiting { job.fail(JournalError(.full, "the journal was closed while its disk was full")) }
        waiting = []
        if predecessor != nil, ledger.undelivered > 0 {
            log(
                .critical,
                "\(ledger.undelivered) undelivered scans end with this run: the journal is gone, and no new one could be made"
            )
        }
        try? store?.checkpointAndTruncate()
        closeStore()
        forgetPredecessor()
        isInherited = false
        unusable = nil
        lock = nil
        health.closed()
        publish()
    }
}
