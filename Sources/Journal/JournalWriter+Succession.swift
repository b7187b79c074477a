import Wire

/// The journal that takes the place of one that is damaged or gone, or goes on with one that lacks its newest scans.
extension JournalWriter {
    /// The names don't lead to the open file any more. Nothing counts as kept until there is a new one; what only the open file
    /// still has goes into that.
    func vanished(_ message: String) {
        guard let lost = store else { return }
        check.cancel()
        pages.release()
        // The newest scans too, for whoever has moved it away.
        try? lost.checkpointWithoutLook()
        predecessor = lost
        store = nil
        blocked("the journal is gone: \(message)")
        replace("it is gone: \(message)")
    }

    /// The file turned out to be damaged while it was in use: by the writer, a reader or the background check.
    func damageFound(_ message: String) {
        guard store != nil else { return }
        blocked("the journal's file is damaged: \(message)")
        replace("it was damaged: \(message)")
    }

    /// Something else wrote into the file. Nothing counts as kept until it is checked.
    func suspect(_ message: String) {
        closeStore()
        isSuspect = true
        blocked("\(message): it is being checked")
        openNow()
    }

    private func blocked(_ detail: String) {
        log(.error, detail)
        health.blocked(detail)
        shared.change { $0.opening = nil }
        publish()
    }

    /// Checks the file that something else wrote into, on another thread; then it is opened or replaced.
    func checkSuspect() {
        guard !isChecking else { return }
        isChecking = true
        check.run(place, isUrgent: true) { [weak self] verdict in
            guard let self else { return }
            queue.async { self.suspectChecked(verdict) }
        }
    }

    private func suspectChecked(_ verdict: JournalCheck.Verdict) {
        isChecking = false
        guard isWanted, isSuspect, store == nil else { return }
        switch verdict {
        case .sound:
            isSuspect = false
            soundChecks += 1
            log(.warning, "\(place.database) was written by something else, and no damage is found in it")
            openNow()
        case .damaged(let message):
            isSuspect = false
            replace("it was damaged: \(message)")
        case .unknown: start(.open, after: retry.next())
        }
    }

    /// Sets what is there aside and makes a new journal, or tries to until it is possible.
    func replace(_ reason: String) {
        // Renamed while it is open, its log isn't written into it when it is closed (SQLite looks at the name): what is wrong with
        // one of them stays where it is.
        unusable = reason
        openNow()
    }

    /// Renames what must not be used. Nothing may be there at all.
    func setAside(_ reason: String) throws {
        guard place.damagedCount < JournalLimits.damagedFiles else {
            throw JournalFailure.storage(
                "\(reason); there are \(JournalLimits.damagedFiles) damaged journals in \(place.folder) already: "
                    + "replace the disk, or move them away")
        }
        guard case .done(let aside) = place.setAside(wallNanoseconds: clock.wall().nanoseconds) else {
            throw JournalFailure.storage("\(reason); and it can't be renamed: move it out of \(place.folder)")
        }
        if store != nil { closeStore() }
        if let aside { shared.change { $0.setAside = aside } }
        setAside = aside
    }

    /// What this run knows of the journal until now; `nil` before the first one.
    var succession: JournalSuccession? {
        guard isInherited else { return nil }
        return JournalSuccession(
            ledger: ledger, tail: shared.read { $0.tail.all }, heir: heir, isReadable: predecessor != nil)
    }

    /// Writes into the opened file what it lacks of the journal until now. Returns its ledger then, and what is in memory of it.
    func inherit(
        _ succession: JournalSuccession, into opened: JournalStore.Opened
    ) throws -> (ledger: JournalLedger, tail: JournalTail, carried: Int, lost: UInt64) {
        var ledger = opened.ledger
        var tail = JournalTail()
        tail.reset(last: ledger.last)
        var carried: [UInt64] = []
        func write(_ scans: [Event], last: UInt64? = nil) throws {
            var plan = JournalPlan(ledger, room: room, liveBytes: 0, wall: clock.wall().nanoseconds)
            plan.adopt(scans, outputs: succession.ledger.outputs, last: last)
            guard !plan.batch.isEmpty else { return }
            try opened.store.commit(plan.batch) { try options.beforeCommit() }
            ledger = plan.ledger
            for event in plan.kept {
                guard let sequence = event.scanSequence else { continue }
                if sequence > tail.last + 1 { tail.reset(last: sequence - 1) }
                tail.append(event)
                carried.append(sequence)
            }
            if tail.last < ledger.last { tail.reset(last: ledger.last) }
        }
        var position = max(opened.ledger.last, succession.start - 1)
        while let predecessor, position + 1 < succession.tailStart {
            // A disk that was pulled out can't be read either: what is in memory must do then.
            let rows = try? predecessor.withoutLook {
                try JournalRow.fetch(
                    $0, after: position, upTo: succession.tailStart - 1, limit: JournalLimits.maxPage)
            }
            guard let rows, let end = rows.last else { break }
            try write(rows.compactMap { try? $0.event(events) })
            position = end.sequence
        }
        let newest = succession.tail.filter { ($0.scanSequence ?? 0) > ledger.last }
        try write(newest, last: succession.ledger.last)
        return (ledger, tail, carried.count, succession.lost(found: opened.ledger, carried: carried))
    }
}
