import Journal
import Linux
import Settings
import Vocabulary
import Wire

/// Sends every event to every output that wants it: scans from the journal, each output from its own cursor on, everything
/// else from a bounded queue. Each output has its own lane, with its own task, so a stalled one delays neither the others nor the caller.
package actor Dispatcher {
    /// How many receipts, state changes and errors are kept for a slow reader; then the oldest are dropped.
    package static let noticeLimit = 4096
    /// How long `stop` gives the outputs to deliver what is queued, and then to close.
    package static let defaultDrainTime: Duration = .seconds(2)
    /// Waits between attempts to deliver an event, and to reach the journal.
    package static let defaultRetry = RetryMachine.Policy(initial: .milliseconds(100), maximum: .seconds(5))
    /// How many failed attempts to reach the journal aren't worth a message: about 0.7 s.
    private static let quietAttempts = 4
    /// How long an output may take to report or to close before it is left alone.
    private static let answerTime: Duration = .seconds(1)

    /// What became of each scan at each output, once that is on record. One reader.
    package nonisolated let receipts: AsyncStream<ReceiptEvent>
    /// Changes of the outputs' states, as `part: "output.NAME"`, starting with the current ones. One reader.
    package nonisolated let stateChanges: AsyncStream<StateEvent>
    /// What a person should know: scans that can't be delivered, as `part: "output.NAME"`. One reader.
    package nonisolated let errors: AsyncStream<ErrorEvent>

    private nonisolated let lanes: [Lane]
    private nonisolated let journalBell = Doorbell()
    private let journal: any ScanJournal
    private let retry: RetryMachine.Policy
    private let receiptSink: AsyncStream<ReceiptEvent>.Continuation
    private let stateSink: AsyncStream<StateEvent>.Continuation
    private let errorSink: AsyncStream<ErrorEvent>.Continuation
    private var isStarted = false
    private var isStopped = false
    private var isRegistered = false
    private var registrationWaiters: [CheckedContinuation<Void, Never>] = []
    private var watchers: [Task<Void, Never>] = []

    /// The journal keeps cursors by the outputs' names.
    package init(
        outputs: [(output: any Output, policy: DeliveryPolicy)], journal: any ScanJournal,
        retry: RetryMachine.Policy = Dispatcher.defaultRetry, clock: MachineClock = .system
    ) {
        let (receipts, receiptSink) = AsyncStream<ReceiptEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.noticeLimit))
        self.receipts = receipts
        self.receiptSink = receiptSink
        let (errors, errorSink) = AsyncStream<ErrorEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.noticeLimit))
        self.errors = errors
        self.errorSink = errorSink
        (stateChanges, stateSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.noticeLimit))
        self.journal = journal
        self.retry = retry
        let listener = Lane.Listener(receipt: { receiptSink.yield($0) }, error: { errorSink.yield($0) })
        lanes = outputs.map { output, policy in
            Lane(output: output, policy: policy, journal: journal, retry: retry, clock: clock, listener: listener)
        }
    }

    /// From any thread, never blocks. A scan must be in the journal: only its sequence is used, which says how far the outputs may read.
    /// Any other event is queued for every output that wants it, after the scans so far; a full queue drops its oldest event.
    package nonisolated func submit(_ event: Event) {
        if let sequence = event.scanSequence {
            for lane in lanes { lane.inbox.keep(sequence) }
        } else {
            for lane in lanes where lane.output.wants(event) { lane.inbox.append(event) }
        }
    }

    /// Delivers a scan to one output once more, or a made-up one, after what waits there now; a failure that is worth a retry is tried again.
    /// Its place in the journal stays as it is. Throws why it can't be.
    package nonisolated func deliver(_ event: Event, again name: String) throws(DeliveryError) {
        guard let lane = lanes.first(where: { $0.output.name == name }) else {
            let known = lanes.map(\.output.name).joined(separator: ", ")
            throw DeliveryError(
                .badSetting, "there is no output \"\(name)\"; the outputs are: \(known.isEmpty ? "none" : known)")
        }
        guard lane.output.wants(event) else {
            throw DeliveryError(.badSetting, "output \"\(name)\" doesn't take this scan: its settings leave it out")
        }
        lane.inbox.append(event)
    }

    /// The journal is open: the outputs' cursors needn't wait for the next attempt. Call it when the journal's state says so.
    package nonisolated func journalOpened() {
        journalBell.ring(.conditions)
        conditionsChanged()
    }

    /// The network or the clock came back: what waits for its next attempt is tried at once.
    package nonisolated func conditionsChanged() {
        for lane in lanes {
            lane.conditionsChanged()
            Task { await lane.output.conditionsChanged() }
        }
    }

    /// Starts the outputs and the deliveries. What was submitted earlier is delivered too. Scans wait until the journal is open.
    package func start() async {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        for lane in lanes {
            watchers.append(Task { [stateSink] in await Self.watchStates(of: lane, stateSink) })
            await lane.start()
        }
        watchers.append(Task { await register() })
    }

    /// Returns when the journal knows the outputs, or the dispatcher is stopped. A scan kept before that is still delivered in this run,
    /// but after a restart an output that is new to the journal doesn't get it any more.
    package func untilRegistered() async {
        guard !isRegistered, !isStopped else { return }
        await withCheckedContinuation { registrationWaiters.append($0) }
    }

    /// Takes no more events, gives the outputs `drainTime` to deliver what is queued (without more retries), and stops them. An output that
    /// doesn't answer is left behind. Undelivered scans stay in the journal, which must not be closed before this returns.
    package func stop(within drainTime: Duration = Dispatcher.defaultDrainTime) async {
        guard !isStopped else { return }
        isStopped = true
        resumeRegistrationWaiters()
        journalBell.ring(.conditions)
        let isStarted = isStarted
        await withTaskGroup { group in
            for lane in lanes {
                group.addTask {
                    if isStarted {
                        _ = await withTimeLimit(drainTime) { await lane.drain() }
                    }
                    lane.inbox.close()
                    _ = await withTimeLimit(Self.answerTime + drainTime) { await lane.output.stop() }
                    // The last receipts may be on their way into the journal.
                    _ = await withTimeLimit(Self.answerTime) { await lane.finished() }
                }
            }
        }
        for watcher in watchers { watcher.cancel() }
        receiptSink.finish()
        stateSink.finish()
        errorSink.finish()
    }

    /// Each output's figures, in the order of the configuration.
    package func reports() async -> [OutputReport] {
        await withTaskGroup(of: (Int, OutputReport).self) { group in
            for (index, lane) in lanes.enumerated() {
                group.addTask { (index, await Self.report(of: lane)) }
            }
            var reports: [(Int, OutputReport)] = []
            for await report in group { reports.append(report) }
            return reports.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Registers the outputs with the journal; tries until it succeeds.
    private func register() async {
        let outputs = lanes.map { JournalOutput(name: $0.output.name, isRequired: $0.policy.isRequired) }
        var machine = RetryMachine(policy: retry, seed: UInt64.random(in: .min ... .max))
        _ = machine.handle(.begin, at: Instant.now)
        var attempts = 0
        while !isStopped {
            attempts += 1
            do throws(JournalError) {
                let cursors = try await journal.register(outputs)
                let last = await journal.report().last
                for lane in lanes { await lane.register(cursor: cursors[lane.output.name] ?? last, last: last) }
                isRegistered = true
                return resumeRegistrationWaiters()
            } catch  where attempts < Self.quietAttempts {
                // It is being opened.
            } catch {
                for lane in lanes { await lane.note("cannot reach the journal: \(error.message)") }
            }
            _ = machine.handle(.failed, at: Instant.now)
            while !isStopped, case .waiting(_, let until) = machine.phase {
                let heard = await journalBell.wait(until: until, for: .conditions)
                _ = machine.handle(heard.isEmpty ? .timer : .conditionsChanged, at: Instant.now)
            }
        }
    }

    private func resumeRegistrationWaiters() {
        for waiter in registrationWaiters { waiter.resume() }
        registrationWaiters = []
    }

    private static func report(of lane: Lane) async -> OutputReport {
        var report =
            await withTimeLimit(answerTime) { await lane.output.report() }
            ?? OutputReport(
                name: lane.output.name, kind: "unknown",
                status: OutputStatus(.stalled, detail: "the output doesn't answer: its device holds it up"))
        let figures = await lane.figures
        report.dropped += lane.inbox.dropped + figures.givenUp
        report.queued += lane.inbox.count
        report.isRequired = lane.policy.isRequired
        report.mode = lane.policy.mode
        report.cursor = figures.cursor
        report.lag = figures.cursor.map { max($0, lane.inbox.kept) - $0 }
        if let lastError = figures.lastError {
            report.lastError = lastError
            report.lastErrorAt = figures.lastErrorAt
        }
        return report
    }

    private static func watchStates(of lane: Lane, _ sink: AsyncStream<StateEvent>.Continuation) async {
        let part = "output.\(lane.output.name)"
        for await status in lane.output.states {
            if status.state == .ready { lane.conditionsChanged() }
            if let detail = status.detail, status.state == .waiting || status.state == .failed {
                await lane.note(detail)
            }
            sink.yield(StateEvent(part: part, state: status.state.rawValue, detail: status.detail))
        }
    }
}

// MARK: - Settings

extension Dispatcher {
    /// A dispatcher with an output for each of `settings`; throws as `OutputFactory.make` does. Outputs read from `journal` what their
    /// clients missed and ask for.
    /// - Parameter skipsEarlierRuns: scans from earlier runs aren't delivered.
    package init(
        settings: [OutputSettings], context: OutputContext = OutputContext(), journal: any ScanJournal,
        skipsEarlierRuns: Bool = false, clock: MachineClock = .system
    ) throws(DeliveryError) {
        var outputs: [(output: any Output, policy: DeliveryPolicy)] = []
        for (index, output) in settings.enumerated() {
            var context = context
            context.place = "outputs[\(index)]"
            context.journal = context.journal ?? journal
            var policy = DeliveryPolicy(output)
            policy.skipsEarlierRuns = skipsEarlierRuns
            outputs.append((try OutputFactory.make(output, context: context), policy))
        }
        self.init(outputs: outputs, journal: journal, clock: clock)
    }
}
