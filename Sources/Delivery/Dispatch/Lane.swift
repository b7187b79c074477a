import Journal
import Linux
import Vocabulary
import Wire

/// One output's road: delivers scans from the journal, from the output's own cursor on, and volatile events from the inbox,
/// in order, with retries.
///
/// ```
///          ┌──────────────────────────────────────────────────────────────────┐
///          ▼                                                                  │
///   next of the inbox ──▶ offer ──▶ receipts ──▶ settle in the journal ──▶ tell the receipts
///          ▲                │ failed, worth a retry        │ failed
///          └── back-off ◀───┘                              └──▶ back-off; volatile events go on, no scans meanwhile
/// ```
/// If a scan's receipt isn't settled when the process ends, the next process delivers it again: at least once.
actor Lane {
    /// How many scans are read from the journal in one go, unless the output takes more.
    static let readAhead = 256
    /// How many scans a live output skips with one settlement.
    static let skipRun = 4096
    /// The shortest time between two reports that scans can't be delivered.
    static let errorInterval: Duration = .seconds(60)

    /// Where the lane reports to. Called in order; must not block.
    struct Listener: Sendable {
        var receipt: @Sendable (ReceiptEvent) -> Void
        var error: @Sendable (ErrorEvent) -> Void
    }

    nonisolated let output: any Output
    nonisolated let policy: DeliveryPolicy
    nonisolated let inbox: LaneInbox
    private nonisolated var doorbell: Doorbell { inbox.doorbell }

    private let journal: any ScanJournal
    private let clock: MachineClock
    private let listener: Listener
    private let madeAt: Instant
    private var delivery: RetryMachine
    private var access: RetryMachine
    private var isGivingUp = false
    private var task: Task<Void, Never>?
    /// Scans after the position that were read already.
    private var ahead: ArraySlice<Event> = []
    /// Receipts that the journal hasn't taken yet.
    private var unsettled: (settlement: Settlement, receipts: [ReceiptEvent])?
    private var undeliverable = UndeliverableNotice()
    private(set) var figures = LaneFigures()

    init(
        output: any Output, policy: DeliveryPolicy, journal: any ScanJournal, retry: RetryMachine.Policy,
        clock: MachineClock, listener: Listener
    ) {
        self.output = output
        self.policy = policy
        self.journal = journal
        self.clock = clock
        self.listener = listener
        madeAt = clock.now
        inbox = LaneInbox(limit: policy.queueLimit)
        delivery = RetryMachine(policy: retry, seed: UInt64.random(in: .min ... .max))
        access = RetryMachine(policy: retry, seed: UInt64.random(in: .min ... .max))
    }

    // MARK: Life

    /// Starts the output, then delivers until `stop`.
    func start() {
        guard task == nil else { return }
        task = Task {
            await output.start()
            await run()
        }
    }

    /// The journal knows the output: scans may flow.
    func register(cursor: UInt64, last: UInt64) {
        figures.cursor = cursor
        inbox.register(cursor: cursor, last: last)
    }

    /// The output, the network, the journal or the clock came back: no need to wait for the next attempt.
    nonisolated func conditionsChanged() { doorbell.ring(.conditions) }

    /// Takes no more events, tries once more what waits for its next attempt, and delivers what is left until something fails.
    func drain() async {
        inbox.beginDraining()
        await task?.value
    }

    /// Returns when the last receipts are settled, or can't be.
    func finished() async { await task?.value }

    /// Notes what went wrong last, for the report.
    func note(_ problem: String) {
        figures.lastError = problem
        figures.lastErrorAt = clock.wallNanoseconds
    }

    private func run() async {
        while !inbox.isClosed, !isGivingUp {
            await settleAgain()
            switch inbox.next(limit: max(1, output.batchLimit), takesScans: isJournalAtHand) {
            case .volatile(let events): await deliverVolatile(events)
            case .scans(let position, let end): await deliverScans(after: position, through: end)
            case .nothing:
                if inbox.isDraining { return }
                await wait()
            }
        }
    }

    /// Waits for something to do, or for the next attempt to reach the journal.
    private func wait() async {
        let heard = await doorbell.wait(until: access.waitsUntil, for: [.arrival, .conditions])
        if heard.contains(.conditions) { _ = access.handle(.conditionsChanged, at: Instant.now) }
    }

    // MARK: Volatile events

    private func deliverVolatile(_ events: [Event]) async {
        var done = 0
        var failure: String?
        for (event, receipt) in zip(events, await offer(events)) {
            tell(receipt, ofRepeat: event)
            if case .failed(let reason, let retry) = receipt {
                note(reason)
                if retry {
                    failure = reason
                    break
                }
                figures.givenUp += 1
            }
            done += 1
        }
        inbox.finished(done)
        await concluded(progress: done > 0, failed: failure != nil)
    }

    /// What became of a scan that was sent again, for the client that asked for it. The journal keeps what the output said first.
    private func tell(_ receipt: Receipt, ofRepeat event: Event) {
        guard case .scan(let body) = event.body else { return }
        let (outcome, reason): (ReceiptEvent.Outcome, String?) =
            switch receipt {
            case .accepted: (.accepted, nil)
            case .refused(let why): (.refused, why)
            case .skipped(let why): (.skipped, why)
            case .failed(let why, _): (.undeliverable, why)
            }
        if case .failed(_, retry: true) = receipt { return }
        listener.receipt(
            ReceiptEvent(
                output: output.name, scan: body.scan.id, sequence: body.scan.sequence, outcome: outcome,
                reason: reason))
    }

    // MARK: Scans

    private func deliverScans(after position: UInt64, through end: UInt64) async {
        guard let scans = await upcoming(after: position, through: end) else { return }
        guard let first = scans.first else {
            // They were dropped meanwhile, which the journal's limits allow for an output that isn't required.
            figures.givenUp += end - position
            return inbox.advance(to: end)
        }
        if let sequence = first.scanSequence, sequence > position + 1 {
            figures.givenUp += sequence - position - 1
            inbox.advance(to: sequence - 1)
        }
        if tooLate(first) != nil { return await skip(after: position, through: end) }
        let batch = scans.prefix(max(1, output.batchLimit)).prefix { tooLate($0) == nil }
        let wanted = batch.filter(output.wants)
        guard !wanted.isEmpty else { return await settle(through: batch.last?.scanSequence ?? position, Results()) }

        var results = Results()
        var failure: String?
        for (event, receipt) in zip(wanted, await offer(wanted)) {
            if case .failed(let reason, retry: true) = receipt {
                note(reason)
                failure = reason
                break
            }
            add(receipt, of: event, to: &results)
        }
        let hasAll = results.receipts.count == wanted.count
        let last = hasAll ? batch.last : results.receipts.isEmpty ? nil : wanted[results.receipts.count - 1]
        if let last = last?.scanSequence { await settle(through: last, results) }
        await concluded(progress: !results.receipts.isEmpty, failed: failure != nil)
    }

    /// Skips all scans that come too late.
    private func skip(after position: UInt64, through end: UInt64) async {
        var results = Results()
        var last = position
        while results.exceptions.count < Self.skipRun, last < end, let scans = await upcoming(after: last, through: end)
        {
            var isOver = scans.isEmpty
            for event in scans.prefix(Self.skipRun - results.exceptions.count) {
                guard let reason = tooLate(event), let sequence = event.scanSequence else {
                    isOver = true
                    break
                }
                last = sequence
                guard output.wants(event) else { continue }
                add(.skipped(reason: reason), of: event, to: &results)
                // On record, but not reported: listeners know only the scans of this run.
                if isOfEarlierRun(event) { results.receipts.removeLast() }
            }
            if isOver { break }
        }
        if last > position { await settle(through: last, results) }
    }

    private func isOfEarlierRun(_ event: Event) -> Bool {
        guard policy.skipsEarlierRuns, case .scan(let body) = event.body else { return false }
        return event.stamp.boot != clock.boot || body.scan.acceptedAt < madeAt
    }

    private func tooLate(_ event: Event) -> String? {
        if isOfEarlierRun(event) { return "left by an earlier simulated run" }
        return policy.mode == .live ? ScanAge.problem(event, maxAge: policy.maxAge, on: clock) : nil
    }

    /// The journal's scans in the given range, as many as one read returns; `nil` if it can't be read at the moment.
    private func upcoming(after position: UInt64, through end: UInt64) async -> ArraySlice<Event>? {
        ahead = ahead.drop { ($0.scanSequence ?? 0) <= position }
        if ahead.isEmpty {
            do throws(JournalError) {
                ahead = try await journal.scans(after: position, limit: max(Self.readAhead, output.batchLimit))[...]
                reached(true)
            } catch {
                note("cannot read the journal: \(error.message)")
                reached(false)
                return nil
            }
        }
        return ahead.prefix { ($0.scanSequence ?? 0) <= end }
    }

    // MARK: Receipts

    /// What became of a batch: its exceptions for the journal, and the receipts to report.
    private struct Results {
        var exceptions: [Settlement.Exception] = []
        var receipts: [ReceiptEvent] = []
    }

    private func add(_ receipt: Receipt, of event: Event, to results: inout Results) {
        guard case .scan(let body) = event.body else { return }
        let scan = body.scan
        let outcome: Settlement.Outcome
        let reason: String
        switch receipt {
        case .accepted:
            results.receipts.append(
                ReceiptEvent(output: output.name, scan: scan.id, sequence: scan.sequence, outcome: .accepted))
            return
        case .refused(let why): (outcome, reason) = (.refused, why)
        case .skipped(let why): (outcome, reason) = (.skipped, why)
        case .failed(let why, _):
            (outcome, reason) = (.undeliverable, why)
            note(why)
            figures.givenUp += 1
            if let error = undeliverable.tell(output.name, scan, reason: why, at: clock.now) { listener.error(error) }
        }
        results.exceptions.append(.init(sequence: scan.sequence, outcome: outcome, reason: reason))
        results.receipts.append(
            ReceiptEvent(
                output: output.name, scan: scan.id, sequence: scan.sequence, outcome: ReceiptEvent.Outcome(outcome),
                reason: reason))
    }

    /// Receipts go into the journal first: what is reported is on record.
    private func settle(through sequence: UInt64, _ results: Results) async {
        inbox.advance(to: sequence)
        if (ahead.last?.scanSequence ?? 0) <= sequence { ahead = [] }
        let settlement = Settlement(output: output.name, sequence: sequence, exceptions: results.exceptions)
        unsettled = (settlement, results.receipts)
        await settle()
    }

    private func settle() async {
        guard let (settlement, receipts) = unsettled else { return }
        do throws(JournalError) {
            try await journal.settle(settlement)
            unsettled = nil
            figures.cursor = settlement.sequence
            reached(true)
            for receipt in receipts { listener.receipt(receipt) }
        } catch {
            note("cannot note receipts in the journal: \(error.message)")
            reached(false)
        }
    }

    /// If it is time for the next attempt.
    private func settleAgain() async {
        if access.waitsUntil != nil {
            _ = access.handle(inbox.isDraining ? .conditionsChanged : .timer, at: Instant.now)
        }
        if access.waitsUntil == nil { await settle() }
    }

    // MARK: Retries

    /// Offers events and returns at least one receipt, at most as many as there are events.
    private func offer(_ events: [Event]) async -> [Receipt] {
        _ = delivery.handle(.begin, at: Instant.now)
        // An older ring is no reason to try again after this, but the wait for the journal may need it.
        if !doorbell.take(.conditions).isEmpty { _ = access.handle(.conditionsChanged, at: Instant.now) }
        let receipts = await output.deliver(events)
        if receipts.isEmpty { return [.failed(reason: "the output gave no receipt", retry: true)] }
        return Array(receipts.prefix(events.count))
    }

    /// After an offer: waits for the next one if it failed.
    private func concluded(progress: Bool, failed: Bool) async {
        if progress || !failed { _ = delivery.handle(.succeeded, at: Instant.now) }
        guard failed else { return }
        if inbox.isDraining {
            isGivingUp = true
            return
        }
        _ = delivery.handle(.begin, at: Instant.now)
        _ = delivery.handle(.failed, at: Instant.now)
        while let until = delivery.waitsUntil {
            let heard = await doorbell.wait(until: until, for: .conditions)
            _ = delivery.handle(heard.isEmpty ? .timer : .conditionsChanged, at: Instant.now)
        }
    }

    /// Whether the journal can be asked for scans: everything delivered is settled, and no wait for an attempt is pending.
    private var isJournalAtHand: Bool { unsettled == nil && access.waitsUntil == nil }

    private func reached(_ isReached: Bool) {
        _ = access.handle(.begin, at: Instant.now)
        _ = access.handle(isReached ? .succeeded : .failed, at: Instant.now)
        if !isReached, inbox.isDraining { isGivingUp = true }
    }
}

extension RetryMachine {
    fileprivate var waitsUntil: Instant? {
        if case .waiting(_, let until) = phase { until } else { nil }
    }
}
