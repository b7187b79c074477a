import Linux
import Settings
import Vocabulary
import Wire

/// Scans as HTTP POST requests: one event, or with `batch` above 1 an array of them. The answer's status is the receipt
/// (`WebhookVerdict`).
///
/// At least once: a request whose answer got lost is sent again, with the same `Idempotency-Key`. Nothing is kept open, so the state
/// follows the last request: `ready` once the needed files are there, `waiting` after a failure until a request gets through. The output
/// looks for a missing file again by itself.
actor WebhookOutput: Output {
    struct Limits: Sendable {
        /// A server that asks for a longer wait than this is still tried again.
        var maxRetryAfter: Duration = .seconds(300)
        /// A server that refuses the credentials is tried again after this: soon enough for somebody who corrects them, too seldom for a
        /// lockout.
        var credentialsPause: Duration = .seconds(30)
        /// Bytes of all headers of an answer.
        var maxHeaderBytes = 65_536
        /// Waits between looks for a missing file.
        var lookAgain = RetryMachine.Policy(initial: .seconds(1), maximum: .seconds(30))
    }

    nonisolated let name: String
    nonisolated let batchLimit: Int
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }

    private nonisolated let status = StatusChannel()
    private let target: WebhookTarget
    private let limits: Limits
    private let answer: @Sendable (HostAnswer) -> Void
    private let client = HTTPClient()
    private var files: RetryMachine
    private var filesTimer: Task<Void, Never>?
    /// Nothing is sent before this, because the server asked for it.
    private var holdEnd: Instant?
    private var holdTimer: Task<Void, Never>?
    private var isStopped = false
    private var figures: OutputReport

    /// Throws if the settings can't work on any machine, such as text that isn't a URL. Files and servers are looked for later.
    init(
        name: String, settings: WebhookSettings, secrets: SecretPolicy,
        context: OutputContext = OutputContext(), limits: Limits = Limits()
    ) throws(DeliveryError) {
        self.name = name
        self.limits = limits
        answer = context.answer
        target = try WebhookTarget(
            settings, place: "\(context.place).webhook", version: context.version, secrets: secrets,
            maxAnswerHeaderBytes: limits.maxHeaderBytes)
        batchLimit = settings.batch
        files = RetryMachine(policy: limits.lookAgain, seed: UInt64.random(in: .min ... .max))
        figures = OutputReport(name: name, kind: WebhookSettings.key, status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool {
        if case .scan = event.body { true } else { false }
    }

    func start() async {
        guard !isStopped else { return }
        await perform(files.handle(.begin, at: Instant.now))
    }

    func deliver(_ event: Event) async -> Receipt {
        await deliver([event]).first ?? .failed(reason: "\(name) gave no receipt", retry: true)
    }

    func deliver(_ events: [Event]) async -> [Receipt] {
        var scans: [(event: Event, id: String)] = []
        for event in events.prefix(batchLimit) {
            guard case .scan(let body) = event.body else { break }
            scans.append((event, body.scan.id))
        }
        // Not a scan: nobody waits for it.
        guard !scans.isEmpty else { return [.accepted] }
        guard !isStopped else { return [stopped] }
        if let holdEnd, Instant.now < holdEnd {
            return [.failed(reason: status.current.detail ?? "the server asked to wait", retry: true)]
        }
        let outcome = await post(scans)
        guard !isStopped else { return [stopped] }
        guard scans.count > 1, case .answered(let answer) = outcome, WebhookVerdict.isRefusal(answer.status) else {
            return conclude(outcome, scans.map(\.id))
        }
        // One of them may be what the server can't take: sent one by one, the others aren't refused with it.
        var receipts: [Receipt] = []
        for scan in scans {
            let outcome = await post([scan])
            guard !isStopped else { return receipts + [stopped] }
            receipts += conclude(outcome, [scan.id])
            if case .failed? = receipts.last { break }
        }
        return receipts
    }

    private func post(_ scans: [(event: Event, id: String)]) async -> HTTPOutcome {
        let target = target
        return await client.post { () throws(DeliveryError) in
            try target.request(scans.map(\.event), ids: scans.map(\.id))
        }
    }

    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        filesTimer?.cancel()
        holdTimer?.cancel()
        client.close()
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    private var stopped: Receipt { .failed(reason: "\(name) is stopped", retry: true) }

    // MARK: Outcomes

    private func conclude(_ outcome: HTTPOutcome, _ ids: [String]) -> [Receipt] {
        switch outcome {
        case .answered(let answer):
            let verdict = WebhookVerdict(
                answer, scans: ids, output: name, url: target.shownURL, hidden: target.hidden, isBatch: batchLimit > 1,
                readsAnswers: target.settings.answers, maxRetryAfter: limits.maxRetryAfter)
            settle(verdict)
            return verdict.receipts
        case .unprepared(let error):
            lookForFiles(error)
            return [.failed(reason: error.message, retry: true)]
        case .failed(let failure, let words):
            let message = describe(failure, words)
            figures.lastError = message
            status.set(.waiting, detail: message)
            return [.failed(reason: message, retry: true)]
        case .closed: return [stopped]
        }
    }

    private func settle(_ verdict: WebhookVerdict) {
        for receipt in verdict.receipts {
            switch receipt {
            case .accepted: figures.delivered += 1
            case .refused: figures.refused += 1
            case .skipped, .failed: break
            }
        }
        if let problem = verdict.problem { figures.lastError = problem }
        for answer in verdict.answers { self.answer(answer) }
        if case .failed? = verdict.receipts.first {
            status.set(.waiting, detail: verdict.problem)
        } else {
            status.set(.ready, detail: verdict.problem ?? target.warning)
        }
        verdict.hold.map(hold)
        if verdict.isLockedOut {
            // When the time is over, the state stays as it is until a request gets through.
            holdTimer?.cancel()
            holdEnd = Instant.now.advanced(by: limits.credentialsPause)
        }
    }

    /// Being `ready` when the time is over tells the dispatcher to try again.
    private func hold(_ duration: Duration) {
        holdTimer?.cancel()
        holdEnd = Instant.now.advanced(by: duration)
        holdTimer = Task {
            do { try await Task.sleep(for: duration) } catch { return }
            self.endHold()
        }
    }

    private func endHold() {
        guard !isStopped, !Task.isCancelled else { return }
        holdEnd = nil
        status.set(.ready, detail: "\(target.shownURL) asked to wait, and is asked again")
    }

    private func describe(_ failure: HTTPFailure, _ words: String) -> String {
        let place = target.place
        let said = words.isEmpty ? "" : " (\(TerminalText.escape(words, limit: 200)))"
        let what =
            switch failure {
            case .unresolved: "the host's name can't be resolved\(said): check \(place).url and the network"
            case .unreachable: "nothing is listening there\(said): check that the server runs"
            case .timedOut: "no complete answer within \(DurationText.text(target.settings.timeout)) (timeout)\(said)"
            case .untrusted:
                "the server's certificate isn't trusted\(said): name its authority in \(place).tls.ca, or correct the host name"
            case .badAuthorities:
                "\(place).tls.ca: \(target.settings.tls?.ca ?? "the system's file") can't be used\(said)"
            case .badCertificate:
                "\(place).tls.certificate: it or its key can't be used\(said): both must be PEM and belong together"
            case .tlsFailed:
                "the TLS handshake failed\(said): the server may ask for a client certificate (tls.certificate)"
            case .headersTooLong: "the answer has more than \(limits.maxHeaderBytes) bytes of headers (maxHeaderBytes)"
            case .broken: "the connection broke, or the answer isn't HTTP\(said)"
            case .unavailable: "libcurl can't send it\(said)"
            }
        return "POST \(target.shownURL): \(what)"
    }

    // MARK: Files

    private func lookForFiles(_ error: DeliveryError) {
        figures.lastError = error.message
        status.set(.waiting, detail: error.message)
        guard files.phase == .idle else { return }
        let now = Instant.now
        _ = files.handle(.begin, at: now)
        setFilesTimer(files.handle(.failed, at: now))
    }

    private func perform(_ actions: [RetryMachine.Action]) async {
        var actions = actions
        while !actions.isEmpty {
            guard case .attempt = actions.removeFirst() else { continue }
            let target = target
            let problem = await client.check { () throws(DeliveryError) in try target.checkFiles() }
            guard !isStopped else { return }
            if let problem {
                figures.lastError = problem.message
                status.set(.waiting, detail: problem.message)
                setFilesTimer(files.handle(.failed, at: Instant.now))
            } else {
                _ = files.handle(.succeeded, at: Instant.now)
                status.set(.ready, detail: target.warning)
            }
        }
    }

    private func setFilesTimer(_ actions: [RetryMachine.Action]) {
        for case .wakeAt(let instant) in actions {
            filesTimer?.cancel()
            filesTimer = instant.map { Task.at($0) { await self.lookAtFiles() } }
        }
    }

    private func lookAtFiles() async { await perform(files.handle(.timer, at: Instant.now)) }
}
