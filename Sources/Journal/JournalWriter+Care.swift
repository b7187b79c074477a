/// What the writer does while no scan comes: dropping, checkpoints, bounds. Each call is one small step, so that a scan that
/// comes meanwhile waits for a step at most.
extension JournalWriter {
    /// How often old age is looked for.
    static let ageInterval: Duration = .seconds(60)

    func care() {
        // On a full disk every step is the probe's.
        guard let store, isIdle, health.diskFull == nil else { return }
        if logBytes > JournalLimits.logBytes {
            checkpoint()
        } else if logBytes > 0 {
            start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint)
        }
        if careStep(store) { queue.async { self.care() } }
    }

    /// One step; `true` if there may be another.
    private func careStep(_ store: JournalStore) -> Bool {
        do {
            if let through = room.drop(ledger, liveBytes: liveBytes, incoming: 0) {
                var plan = makePlan()
                plan.drop(min(through, ledger.first + UInt64(JournalLimits.dropStep) - 1))
                guard commit(plan) else { return false }
                size()
                judgeRoom()
                publish()
                return true
            }
            if !untrimmed.isEmpty {
                let outputs = Array(untrimmed)
                untrimmed = []
                try store.trimExceptions(of: outputs)
                return true
            }
            if health.limitFull != nil { judgeRoom() }
            if sizes.isSparse {
                let before = sizes
                try store.vacuumStep()
                size()
                publish()
                return sizes != before && sizes.isSparse
            }
            return false
        } catch {
            careFailed(error)
            return false
        }
    }

    private func careFailed(_ error: any Error) {
        failed(JournalFailure(error, place: place, freeBytes: freeBytes), makePlan())
    }

    func fire(_ timer: Timer) {
        guard isWanted else { return }
        switch timer {
        case .open: openNow()
        case .probe: probe()
        case .checkpoint: idleCheckpoint()
        case .age:
            dropExpired()
            if settings.maxAge != nil { start(.age, after: JournalWriter.ageInterval) }
        case .check: startCheck()
        case .look:
            look()
            if store != nil { start(.look, after: JournalLimits.lookInterval) }
        }
    }

    private func idleCheckpoint() {
        guard store != nil, logBytes > 0, health.diskFull == nil else { return }
        let idle = lastCommit.duration(to: clock.now())
        if idle < JournalLimits.idleBeforeCheckpoint, logBytes < JournalLimits.logBytes {
            start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint - idle)
        } else {
            checkpoint()
        }
    }

    private func checkpoint() {
        guard let store else { return }
        do {
            try store.checkpoint()
            logBytes = 0
            size()
            publish()
        } catch {
            careFailed(error)
        }
    }

    /// Only while the clock is right, and only by times of which the clock was right.
    private func dropExpired() {
        guard let maxAge = settings.maxAge, let store, health.diskFull == nil else { return }
        let wall = clock.wall()
        guard wall.isSynced, ledger.floor >= ledger.first else { return }
        do {
            let (limit, isBeyond) = wall.nanoseconds.subtractingReportingOverflow(maxAge.wholeNanoseconds)
            guard !isBeyond, let through = try store.expired(floor: ledger.floor, before: limit) else { return }
            var plan = makePlan()
            plan.drop(through)
            if commit(plan) { queue.async { self.dropExpired() } }
        } catch {
            careFailed(error)
        }
    }

    private func startCheck() {
        guard store != nil else { return }
        check.run(place, isUrgent: false) { [weak self] verdict in
            guard let self, case .damaged(let damage) = verdict else { return }
            queue.async { self.damageFound(damage) }
        }
    }

    /// Whether the files are still the station's own, and their disk is there, without a scan that would show it.
    func look() {
        guard let store else { return }
        do {
            try store.lookInside()
            if lock?.isCurrent != true {
                lock = nil
                lock = try JournalLock(place)
            }
            if let problem = lock?.obstacle { throw JournalFailure.storage(problem) }
        } catch {
            careFailed(error)
        }
    }

    /// A row that a reader couldn't read: told once, and no output waits for it.
    func rowIsUnreadable(_ sequence: UInt64, _ reason: String) {
        queue.async {
            guard self.store != nil, sequence >= self.ledger.first, !self.ledger.unreadable.contains(sequence) else {
                return
            }
            self.log(.error, "scan \(sequence) can't be read from the journal and is skipped: \(reason)")
            var plan = self.makePlan()
            plan.markUnreadable(sequence, reason: reason)
            self.commit(plan)
        }
    }

    /// Waits until nothing is left to do. For tests.
    func settled() async {
        await withCheckedContinuation { continuation in
            queue.async {
                while let store = self.store, self.health.diskFull == nil, self.careStep(store) {}
                self.publish()
                continuation.resume()
            }
        }
    }
}
