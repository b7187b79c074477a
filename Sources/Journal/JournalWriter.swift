import Dispatch
import Settings
import Synchronization
import Vocabulary
import Wire

/// The one writer of `journal.db`, on a queue of its own: everything that waits when it comes round is one transaction.
///
/// `@unchecked Sendable`: all but the inbox is touched on `queue` only. What others may see is published to `shared`. Each job
/// is answered when its transaction is durable, and not before.
final class JournalWriter: @unchecked Sendable {
    let settings: JournalSettings
    let place: JournalPlace
    let events: ScanEventReader
    /// Reads the same file; closed whenever the store is.
    let pages: JournalPageReader
    let options: JournalOptions
    let version: String
    let shared: JournalShared
    let log: JournalLog
    let queue = DispatchQueue(label: "scanstation.journal.writer", qos: .userInitiated)
    let room: JournalRoom
    let ballast: Ballast
    let check = JournalCheck()

    /// Jobs that wait for the queue, and whether it has been called.
    private let inbox = Mutex<(jobs: [JournalJob], isCalled: Bool)>(([], false))

    var clock: JournalClock { options.clock }
    var store: JournalStore?
    var lock: JournalLock?
    /// Still open although its file has lost its name: until a new one has what is only in it.
    var predecessor: JournalStore?
    /// A journal was open in this run: the next one goes on with what is known of it.
    var isInherited = false
    /// Id of the next journal that is made; the same over all attempts to fill it.
    var heir = ""
    /// Why what is at the journal's place must not be used.
    var unusable: String?
    /// Where that was moved, until it is told.
    var setAside: String?
    /// Something else wrote into the file, and it isn't checked yet.
    var isSuspect = false
    var isChecking = false
    /// Checks of such a file that found nothing.
    var soundChecks = 0
    var ledger = JournalLedger(id: "")
    var health: JournalHealth
    /// Wanted by `open`, until `close`.
    var isWanted = false
    var retry = Backoff(first: JournalLimits.firstRetry, longest: JournalLimits.longestRetry)
    /// Timers under way, so that there is one of a kind.
    var timers: Set<Timer> = []
    /// Settlements that found no room.
    var waiting: [JournalJob] = []
    var sizes = JournalStore.Sizes()
    /// Added since `sizes` was counted.
    var bytesSinceSizing: UInt64 = 0
    var commitsSinceSizing = 0
    /// In the write-ahead log and not yet checkpointed, about.
    var logBytes = 0
    var lastCommit = Instant.zero
    /// Outputs whose exceptions are to be bounded when there is time.
    var untrimmed: Set<String> = []

    enum Timer: Hashable, Sendable { case open, probe, checkpoint, age, check, look }

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

    var isIdle: Bool { inboxCount == 0 }

    var inboxCount: Int { inbox.withLock { $0.jobs.count } }

    var liveBytes: UInt64 { sizes.liveBytes + bytesSinceSizing }

    func makePlan() -> JournalPlan {
        JournalPlan(ledger, room: room, liveBytes: liveBytes, wall: clock.wall().nanoseconds)
    }

    /// Commits the jobs together.
    func perform(_ jobs: [JournalJob]) {
        guard !jobs.isEmpty else { return }
        guard store != nil else { return refuse(jobs) }
        var plan = makePlan()
        for job in jobs { plan.add(job, full: health.diskFull ?? health.limitFull) }
        commit(plan)
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

    /// `true` if it is durable. What failed has been answered, or waits for room.
    @discardableResult
    func commit(_ plan: JournalPlan) -> Bool {
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
        let start = clock.now()
        do {
            try store.commit(plan.batch) { try options.beforeCommit() }
        } catch {
            failed(JournalFailure(error, place: place, freeBytes: freeBytes), plan)
            return false
        }
        committed(plan, in: start.duration(to: clock.now()))
        return true
    }

    private func committed(_ plan: JournalPlan, in duration: Duration) {
        ledger = plan.ledger
        health.committed(in: duration)
        bytesSinceSizing += plan.byteCount
        // A commit rewrites the last page of the scans, of their index and of the cursors.
        logBytes += Int(plan.byteCount) + 3 * 4096
        lastCommit = clock.now()
        for row in plan.batch.exceptions { untrimmed.insert(row.output) }
        commitsSinceSizing += 1
        if commitsSinceSizing >= JournalLimits.commitsPerSizing { size() }
        judgeRoom()
        publish(plan.kept)
        plan.answer()
        for note in plan.notes { log(.warning, note) }
        if health.isSlow { start(.probe, after: JournalLimits.probeInterval) }
    }

    /// Before the next scan is refused for it, the state says so.
    func judgeRoom() {
        let incoming: UInt64 = 1
        let obstacle = room.obstacle(
            ledger, liveBytes: liveBytes, incoming: incoming, isFull: health.limitFull != nil)
        let wasFull = health.limitFull != nil
        health.limit(full: obstacle)
        if (obstacle != nil) != wasFull {
            log(
                obstacle == nil ? .notice : .error,
                obstacle.map { "the journal is full, no scan is accepted: \($0)" } ?? "the journal has room again")
        }
    }

    func publish(_ kept: [Event] = []) {
        let bytes = sizes.pages * sizes.pageBytes + UInt64(logBytes)
        shared.change { content in
            content.ledger = ledger
            for event in kept { content.tail.append(event) }
            content.bytes = bytes
            content.state = health.state
        }
    }

    func size() {
        guard let store else { return }
        commitsSinceSizing = 0
        bytesSinceSizing = 0
        if let counted = try? store.sizes() { sizes = counted }
    }

    var freeBytes: UInt64? { options.freeBytes.map { $0() } ?? place.freeBytes }

    /// Calls `fire` later, unless one of the kind is under way.
    func start(_ timer: Timer, after delay: Duration) {
        guard timers.insert(timer).inserted else { return }
        clock.later(delay) { [weak self] in
            guard let self else { return }
            queue.async {
                self.timers.remove(timer)
                self.fire(timer)
            }
        }
    }
}
