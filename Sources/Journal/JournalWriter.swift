import Dispatch
import Linux
import Settings
import Synchronization
import Vocabulary
import Wire

/// The one writer of `journal.db`, on its own queue: everything that waits when its turn comes is one transaction.
///
/// `@unchecked Sendable`: all but the inbox is touched only on `queue`. What others may see is published to `shared`. Each job is answered
/// once its transaction is durable, never earlier.
final class JournalWriter: @unchecked Sendable {
    private let settings: JournalSettings
    private let place: JournalPlace
    private let events: ScanEventReader
    /// Reads the same file; closed whenever the store is.
    private let pages: JournalPageReader
    private let options: JournalOptions
    private let version: String
    private let shared: JournalShared
    private let log: JournalLog
    private let queue = DispatchQueue(label: "scanstation.journal.writer", qos: .userInitiated)
    private let room: JournalRoom
    private let ballast: Ballast
    private let check = JournalCheck()

    /// Jobs that wait for the queue, and whether it has been scheduled.
    private let inbox = Mutex<(jobs: [JournalJob], isCalled: Bool)>(([], false))

    private var clock: MachineClock { options.clock }
    private var store: JournalStore?
    private var lock: JournalLock?
    /// Still open although its file has lost its name, until a new journal has what only this file has.
    private var predecessor: JournalStore?
    /// A journal was open in this run: the next one goes on with what is known about it.
    private var isInherited = false
    /// The id of the next new journal; it stays the same over all attempts to fill it.
    private var heir = ""
    /// Why what is at the journal's place must not be used.
    private var unusable: String?
    /// Where that was moved, until it has been reported.
    private var setAside: String?
    /// Something else wrote into the file, and it isn't checked yet.
    private var isSuspect = false
    private var isChecking = false
    /// How many checks of such a file found nothing.
    private var soundChecks = 0
    private var ledger = JournalLedger(id: "")
    private var health: JournalHealth
    /// Wanted by `open`, until `close`.
    private var isWanted = false
    private var retry = Backoff(first: JournalLimits.firstRetry, longest: JournalLimits.longestRetry)
    /// Timers under way, so that there is only one of each kind.
    private var timers: Set<Timer> = []
    /// Settlements that found no room.
    private var waiting: [JournalJob] = []
    private var gauge = JournalGauge()
    /// Outputs whose exceptions must be trimmed when there is time.
    private var untrimmed: Set<String> = []

    private enum Timer: Hashable, Sendable { case open, probe, checkpoint, age, check, look }

    init(
        settings: JournalSettings, place: JournalPlace, events: ScanEventReader, pages: JournalPageReader,
        version: String, options: JournalOptions, shared: JournalShared, log: @escaping JournalLog
    ) {
        self.settings = settings
        self.place = place
        self.events = events
        self.pages = pages
        self.version = version
        self.options = options
        self.shared = shared
        self.log = log
        room = JournalRoom(settings)
        ballast = Ballast(path: place.ballast)
        health = JournalHealth(slowCommit: settings.slowCommit)
    }

    deinit {
        store?.close()
        predecessor?.close()
    }

    /// From any task.
    func enqueue(_ job: JournalJob) {
        let calls = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isCalled = true }
            return !inbox.isCalled
        }
        if calls { queue.async { self.drain() } }
    }

    private func drain() {
        let jobs = inbox.withLock { inbox in
            inbox.isCalled = false
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        perform(jobs)
        care()
    }

    var inboxCount: Int { inbox.withLock { $0.jobs.count } }

    private func makePlan() -> JournalPlan {
        JournalPlan(ledger, room: room, liveBytes: gauge.liveBytes, wall: clock.wallNanoseconds)
    }

    /// Commits the jobs together.
    private func perform(_ jobs: [JournalJob]) {
        guard !jobs.isEmpty else { return }
        guard store != nil else { return refuse(jobs) }
        var plan = makePlan()
        for job in jobs { plan.add(job, full: health.diskFull ?? health.limitFull) }
        commit(plan)
    }

    /// Commits a step of the writer's own.
    @discardableResult
    private func commit(_ step: (inout JournalPlan) -> Void) -> Bool {
        var plan = makePlan()
        step(&plan)
        return commit(plan)
    }

    private func refuse(_ jobs: [JournalJob]) {
        let error =
            switch health.state {
            case .full(let detail): JournalError(.full, "the journal is full: \(detail)")
            case .unavailable(let detail): JournalError(.unavailable, "the journal can't be written: \(detail)")
            default: JournalError(.unavailable, "the journal isn't open")
            }
        for job in jobs { job.fail(error) }
    }

    /// Returns `true` if it is durable. What failed has been answered, or waits for room.
    @discardableResult
    private func commit(_ plan: JournalPlan) -> Bool {
        guard let store else {
            refuse(plan.jobs)
            return false
        }
        guard !plan.batch.isEmpty else {
            plan.answer()
            return true
        }
        var plan = plan
        if options.answersBeforeCommit { plan.answerNow() }
        let start = clock.now
        do {
            try store.commit(plan.batch) { try options.beforeCommit() }
        } catch {
            failed(failure(error), plan)
            return false
        }
        committed(plan, in: start.duration(to: clock.now))
        return true
    }

    private func committed(_ plan: JournalPlan, in duration: Duration) {
        ledger = plan.ledger
        health.committed(in: duration)
        gauge.committed(bytes: plan.byteCount, at: clock.now)
        for row in plan.batch.exceptions { untrimmed.insert(row.output) }
        if gauge.wantsCount { size() }
        judgeRoom()
        publish(plan.kept)
        plan.answer()
        for note in plan.notes { log(.warning, note) }
        if health.isSlow { start(.probe, after: JournalLimits.probeInterval) }
    }

    /// The state says so before the next scan is refused for it.
    private func judgeRoom() {
        let wasFull = health.limitFull != nil
        let obstacle = room.obstacle(ledger, liveBytes: gauge.liveBytes, incoming: 1, isFull: wasFull)
        health.limit(full: obstacle)
        if wasFull != (obstacle != nil) {
            log(
                obstacle == nil ? .notice : .error,
                obstacle.map { "the journal is full, no scan is accepted: \($0)" } ?? "the journal has room again")
        }
    }

    private func publish(_ kept: [Event] = []) {
        let bytes = gauge.fileBytes
        shared.change { content in
            content.ledger = ledger
            for event in kept { content.tail.append(event) }
            content.bytes = bytes
            content.state = health.state
        }
    }

    private func size() {
        guard let store else { return }
        gauge.counted(try? store.sizes())
    }

    private var freeBytes: UInt64? { options.freeBytes.map { $0() } ?? place.freeBytes }

    private func onQueue(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            queue.async {
                work()
                done.resume()
            }
        }
    }

    /// Calls `fire` later, unless one of the kind is under way.
    private func start(_ timer: Timer, after delay: Duration) {
        guard timers.insert(timer).inserted else { return }
        options.later(delay) { [weak self] in
            guard let self else { return }
            queue.async {
                self.timers.remove(timer)
                self.fire(timer)
            }
        }
    }
}

// MARK: - Care

/// What the writer does while no scan comes: dropping, checkpoints, bounds. Each call is one small step, so that a scan waits for one step
/// at most.
extension JournalWriter {
    /// How often to look for scans that are too old.
    private static let ageInterval: Duration = .seconds(60)

    private func care() {
        // On a full disk, only the probe takes steps.
        guard let store, inboxCount == 0, health.diskFull == nil else { return }
        if gauge.logBytes > JournalLimits.logBytes {
            checkpoint()
        } else if gauge.logBytes > 0 {
            start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint)
        }
        if careStep(store) { queue.async { self.care() } }
    }

    /// Takes one step; `true` if there may be another.
    private func careStep(_ store: JournalStore) -> Bool {
        do {
            if let through = room.drop(ledger, liveBytes: gauge.liveBytes, incoming: 0) {
                let step = min(through, ledger.first + UInt64(JournalLimits.dropStep) - 1)
                guard commit({ $0.drop(step) }) else { return false }
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
            if gauge.sizes.isSparse {
                let before = gauge.sizes
                try store.vacuumStep()
                size()
                publish()
                return gauge.sizes != before && gauge.sizes.isSparse
            }
            return false
        } catch {
            failed(failure(error), makePlan())
            return false
        }
    }

    private func fire(_ timer: Timer) {
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
        guard store != nil, gauge.logBytes > 0, health.diskFull == nil else { return }
        let idle = gauge.lastCommit.duration(to: clock.now)
        if idle < JournalLimits.idleBeforeCheckpoint, gauge.logBytes < JournalLimits.logBytes {
            start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint - idle)
        } else {
            checkpoint()
        }
    }

    private func checkpoint() {
        guard let store else { return }
        do {
            try store.checkpoint()
            gauge.logHas(0)
            size()
            publish()
        } catch {
            failed(failure(error), makePlan())
        }
    }

    /// Only while the clock is right, and only by times from when it was right.
    private func dropExpired() {
        guard let maxAge = settings.maxAge, let store, health.diskFull == nil else { return }
        guard clock.isSynced, ledger.floor >= ledger.first else { return }
        do {
            let (limit, isBeyond) = clock.wallNanoseconds.subtractingReportingOverflow(maxAge.wholeNanoseconds)
            guard !isBeyond, let through = try store.expired(floor: ledger.floor, before: limit) else { return }
            if commit({ $0.drop(through) }) { queue.async { self.dropExpired() } }
        } catch {
            failed(failure(error), makePlan())
        }
    }

    private func startCheck() {
        guard store != nil else { return }
        check.run(place, isUrgent: false) { [weak self] verdict in
            guard let self, case .damaged(let damage) = verdict else { return }
            queue.async { self.damageFound(damage) }
        }
    }

    /// Checks, without a scan that would show it, that the files are still the station's own and their disk is there.
    private func look() {
        guard let store else { return }
        do {
            try store.lookInside()
            try takeLock()
        } catch {
            failed(failure(error), makePlan())
        }
    }

    /// A row that a reader couldn't read: reported once, and no output waits for it.
    func rowIsUnreadable(_ sequence: UInt64, _ reason: String) {
        queue.async {
            guard self.store != nil, sequence >= self.ledger.first, !self.ledger.unreadable.contains(sequence) else {
                return
            }
            self.log(.error, "scan \(sequence) can't be read from the journal and is skipped: \(reason)")
            self.commit { $0.markUnreadable(sequence, reason: reason) }
        }
    }

    /// Waits until nothing is left to do. For tests.
    func settled() async {
        await onQueue {
            while let store = self.store, self.health.diskFull == nil, self.careStep(store) {}
            self.publish()
        }
    }
}

// MARK: - Failures

/// What the writer does when the storage fails: each kind of failure has its own way back. The state is published before the jobs are
/// answered.
extension JournalWriter {
    private func failed(_ failure: JournalFailure, _ plan: JournalPlan) {
        let error: JournalError
        switch failure {
        case .diskFull(let message): return diskIsFull(message, plan.jobs)
        case .rejected(let message): return rejected(message, plan.jobs)
        case .damaged(let message):
            damageFound(message)
            error = JournalError(.damaged, "the journal's file is damaged: \(message). It is set aside")
        case .gone(let message):
            vanished(message)
            error = JournalError(.unavailable, "the journal is gone: \(message). A new one takes its place")
        case .written(let message):
            suspect(message)
            error = JournalError(.unavailable, "\(message): it is being checked")
        case .newer(let message), .storage(let message):
            lose(message)
            error = JournalError(.unavailable, "the journal can't be written: \(message)")
        }
        for job in plan.jobs { job.fail(error) }
    }

    /// One job's data was refused; the others are fine.
    private func rejected(_ message: String, _ jobs: [JournalJob]) {
        guard jobs.count > 1 else {
            log(.error, "the journal refused what it was given: \(message)")
            for job in jobs { job.fail(JournalError(.failed, "the journal refused it: \(message)")) }
            return
        }
        for job in jobs { perform([job]) }
    }

    /// No room on the disk: appends fail; settlements are repeated, at once in the ballast's room and then every second.
    private func diskIsFull(_ message: String, _ jobs: [JournalJob]) {
        let isNew = health.diskFull == nil
        let detail =
            "the disk of \(place.folder) is full (\(message)): make room there, or set journal.folder to another disk"
        health.disk(full: detail)
        publish()
        if isNew {
            log(.error, "no scan is accepted: \(detail)")
            ballast.release()
            // This must come before anything else takes the ballast's room: the ballast is larger than the log, so the whole log fits into
            // the database now, and the log's own room becomes free. If receipts filled it up first, the log could never be emptied again.
            try? store?.checkpointAndTruncate()
        }
        let error = JournalError(.full, "the journal is full: \(detail)")
        for job in jobs where !job.waitsForRoom { job.fail(error) }
        let settlements = jobs.filter(\.waitsForRoom)
        start(.probe, after: JournalLimits.probeInterval)
        if isNew { perform(settlements) } else { waiting += settlements }
    }

    /// The storage failed in another way: close, so that SQLite recovers the file when it is opened again.
    private func lose(_ message: String) {
        log(.error, "the journal is closed, and tried again: \(message)")
        closeStore()
        health.blocked(message)
        publish()
        start(.open, after: retry.next())
    }

    private func closeStore() {
        check.cancel()
        pages.release()
        store?.close()
        store = nil
        shared.change { $0.opening = nil }
    }

    /// A full or a slow disk is tried again.
    private func probe() {
        guard store != nil else {
            if health.diskFull != nil { openNow() }
            return
        }
        if health.diskFull != nil { probeRoom() }
        if health.diskFull == nil, health.isSlow { commit { $0.probe() } }
        publish()
        if health.diskFull != nil || health.isSlow { start(.probe, after: JournalLimits.probeInterval) }
    }

    private func probeRoom() {
        // Receipts go into the log: its content is moved out to make room for them before they are tried again.
        if !waiting.isEmpty { try? store?.checkpointAndTruncate() }
        let settlements = waiting
        waiting = []
        perform(settlements)
        guard let store, waiting.isEmpty else { return }
        // The disk is the limit now: delivered scans are dropped in steps, and their pages go back to the file system.
        if !hasRoom, ledger.floor >= ledger.first {
            let through = ledger.first + UInt64(JournalLimits.dropStep) * 4 - 1
            guard commit({ $0.drop(through) }) else { return }
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

// MARK: - Opening

/// Opening and closing.
extension JournalWriter {
    /// From any task.
    func open() async {
        await onQueue {
            self.isWanted = true
            if self.store == nil { self.openNow() }
        }
    }

    /// Opens or makes the journal. What must not be used is set aside first, and what the previous journal leaves is written in.
    private func openNow() {
        guard isWanted, store == nil || unusable != nil else { return }
        if isSuspect { return checkSuspect() }
        do {
            try StateFolder.make(place.folder)
            try takeLock()
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

    /// Keeps a lock that is still found under its name, on a disk that answers.
    private func takeLock() throws {
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

    private func openFile(insteadOf reason: String?) throws {
        if heir.isEmpty {
            heir = UUIDv7(wallNanoseconds: clock.wallNanoseconds, random: .random(in: .min ... .max)).description
        }
        let succession = succession
        let birth = JournalStore.Birth(
            id: heir, wallNanoseconds: clock.wallNanoseconds, version: version,
            last: succession.map { $0.start - 1 } ?? 0)
        let opened = try JournalStore.open(
            place, birth: birth, synchronous: options.synchronous, convertsOlder: options.convertsOlder)
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
                var inheritance = JournalInheritance(of: succession, in: opened, room: room, options: options)
                try inheritance.carryOver(from: predecessor, events: events)
                found.ledger = inheritance.ledger
                if found.ledger.id != ledger.id { found.tail = inheritance.tail }
                tell(inheritance.carried.count, inheritance.lost, of: reason, in: opened)
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

    /// It is open, and everything that could be recovered is in it.
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
        gauge.logHas(Int(clamping: JournalPlace.size(of: place.log) ?? 0))
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
        if gauge.logBytes > 0 { start(.checkpoint, after: JournalLimits.idleBeforeCheckpoint) }
        if settings.maxAge != nil { start(.age, after: JournalWriter.ageInterval) }
        if let delay = options.checkDelay { start(.check, after: delay) }
    }

    private func tell(_ carried: Int, _ lost: UInt64, of reason: String?, in opened: JournalStore.Opened) {
        let place = setAside.map { "; what was there is set aside as \($0)" } ?? ""
        let what =
            if let reason {
                "the journal was replaced: \(reason)\(place); the new one is \(opened.ledger.id)"
            } else if opened.isNew {
                "the journal wasn't found any more; the new one is \(opened.ledger.id)"
            } else {
                "the journal \(opened.ledger.id) lacked the scans that were kept last"
            }
        let scans = carried > 0 ? "\(carried.counted("scan was", "scans were")) carried over. " : ""
        let rest =
            lost > 0
            ? "\(lost.counted("undelivered scan is", "undelivered scans are")) not in it" : "No known scan is lost"
        log(.critical, "\(what). \(scans)\(rest)")
        setAside = nil
    }

    private func forgetPredecessor() {
        predecessor?.close()
        predecessor = nil
    }

    /// Called from a reader's task; a file that was replaced meanwhile doesn't count.
    func damageRead(_ message: String, opening: UInt64) {
        queue.async {
            guard self.shared.read(\.opening) == opening else { return }
            self.damageFound(message)
        }
    }

    /// Commits nothing more, empties the write-ahead log into the file and releases the file. From any task.
    func close() async { await onQueue { self.closeNow() } }

    private func closeNow() {
        // A journal that has just vanished hands its scans on to a new one, while there is still somebody to write it.
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
                "\(ledger.undelivered) undelivered scans are lost with this run: the journal is gone, and no new one could be made"
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

// MARK: - Succession

/// The journal that takes the place of one that is damaged or gone, or goes on with one that lacks its newest scans.
extension JournalWriter {
    /// The names no longer lead to the open file. Nothing counts as kept until there is a new journal, which gets what only the open file
    /// still has.
    private func vanished(_ message: String) {
        guard let lost = store else { return }
        check.cancel()
        pages.release()
        // The newest scans too, for somebody who moved it away.
        try? lost.checkpointWithoutLook()
        predecessor = lost
        store = nil
        blocked("the journal is gone: \(message)")
        replace("it is gone: \(message)")
    }

    /// The file turned out to be damaged while it was in use: by the writer, a reader or the background check.
    private func damageFound(_ message: String) {
        guard store != nil else { return }
        blocked("the journal's file is damaged: \(message)")
        replace("it was damaged: \(message)")
    }

    /// Something else wrote into the file. Nothing counts as kept until it is checked.
    private func suspect(_ message: String) {
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
    private func checkSuspect() {
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

    /// Sets aside what is there and makes a new journal, or keeps trying until it can.
    private func replace(_ reason: String) {
        // If it is renamed while it is open, its log isn't written into it on closing (SQLite looks at the name), so what is wrong with one
        // of them stays where it is.
        unusable = reason
        openNow()
    }

    /// Renames what must not be used. There may be nothing at all.
    private func setAside(_ reason: String) throws {
        guard place.damagedCount < JournalLimits.damagedFiles else {
            throw JournalFailure.storage(
                "\(reason); there are \(JournalLimits.damagedFiles) damaged journals in \(place.folder) already: "
                    + "replace the disk, or move them away")
        }
        guard case .done(let aside) = place.setAside(wallNanoseconds: clock.wallNanoseconds) else {
            throw JournalFailure.storage("\(reason); and it can't be renamed: move it out of \(place.folder)")
        }
        if store != nil { closeStore() }
        if let aside { shared.change { $0.setAside = aside } }
        setAside = aside
    }

    /// What this run knows about the previous journal; `nil` before the first one.
    private var succession: JournalSuccession? {
        guard isInherited else { return nil }
        return JournalSuccession(
            ledger: ledger, tail: shared.read { $0.tail.all }, heir: heir, isReadable: predecessor != nil)
    }
}
