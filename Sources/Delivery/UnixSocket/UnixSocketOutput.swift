import Control
import Journal
import Linux
import ScanCore
import Settings
import Vocabulary
import Wire

/// Another socket beside the station's own: the same server, with its own path, mode, group and limits.
///
/// A setting says what settles a scan. `written`: it is in the queue of every client that wants it, even if there is no client; a later
/// client asks for what it missed with `subscribe` and `after`. `ack`: one of them acknowledged it. If the socket can't be made (the folder
/// is missing, another station answers on it), the output tries again with back-off.
actor UnixSocketOutput: Output {
    /// How many scans may wait for acknowledgements at once.
    static let window = 64

    nonisolated let name: String
    nonisolated let batchLimit: Int
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }

    private nonisolated let status = StatusChannel()
    private nonisolated let settings: UnixSocketSettings
    private nonisolated let answers = ClientAnswers()
    private let server: ControlServer
    private var link: RetryMachine
    private var timer: Task<Void, Never>?
    private var watcher: Task<Void, Never>?
    private var placeWatcher: Task<Void, Never>?
    /// Why new clients can't find the socket any more.
    private var placeProblem: String?
    private var isOpen = false
    private var isStopped = false
    /// Clients that want scans.
    private var audience = 0
    /// The newest scan that was offered: one that isn't newer is a repeat.
    private var offered: UInt64 = 0
    private var refused: UInt64 = 0
    private var acknowledged: UInt64 = 0

    /// `handler`: if `nil`, the socket takes no commands except `subscribe`, and `ack` and `refuse` if they settle scans.
    init(
        name: String, settings: UnixSocketSettings, secrets: SecretPolicy,
        journal: (any ScanJournal)? = nil, retry: RetryMachine.Policy = RetryMachine.Policy(),
        answerRule: OfferLedger.Rule = .everyOffer, handler: CommandHandler? = nil,
        object: @escaping @Sendable (HostObjection) -> Void = { _ in }
    ) {
        self.name = name
        self.settings = settings
        // At most half of a client's queue, so that a batch can't make a client look slow.
        batchLimit = max(1, min(Self.window, settings.clientQueue / 2))
        var control = ControlSettings()
        control.socket = settings.path
        control.mode = settings.mode
        control.group = settings.group
        control.maxClients = settings.maxClients
        control.clientQueue = settings.clientQueue
        let door = ClientAnswerDoor(
            answers: settings.receipt == .ack ? answers : nil, handler: handler)
        server = ControlServer(
            settings: control, name: name, kind: UnixSocketSettings.key, secrets: secrets, journal: journal,
            answerRule: answerRule,
            door: SocketDoor(secretsLimit: nil, object: { object(HostObjection(output: name)) })
        ) {
            await door.answer($0, from: $1)
        }
        link = RetryMachine(policy: retry, seed: UInt64.random(in: .min ... .max))
    }

    func start() async {
        guard !isStopped, watcher == nil else { return }
        watcher = Task { [weak self, server] in
            for await count in server.audience { await self?.audienceChanged(to: count) }
        }
        placeWatcher = Task { [weak self, server] in
            for await notice in server.notices { await self?.handle(notice) }
        }
        await perform(link.handle(.begin, at: Instant.now))
    }

    private func handle(_ notice: ControlNotice) {
        switch notice {
        case .socketGone(_, let reason): placeProblem = reason
        case .socketBack: placeProblem = nil
        default: return
        }
        showState()
    }

    func deliver(_ event: Event) async -> Receipt {
        await deliver([event]).first ?? .failed(reason: "\(name) gave no receipt", retry: true)
    }

    func deliver(_ events: [Event]) async -> [Receipt] {
        guard isOpen else { return [notNow("\(server.path) is not open")] }
        guard settings.receipt == .ack, events.contains(where: { $0.scanSequence != nil }) else {
            await server.broadcast(events)
            return events.map { _ in .accepted }
        }
        guard audience > 0 else { return [notNow(Self.noClient)] }
        answers.expect(events.compactMap(\.scanID))
        let offered = offered
        self.offered = max(offered, events.compactMap(\.scanSequence).max() ?? 0)
        let open = events.filter { $0.scanID.map(answers.isAwaited) ?? true }
        await server.broadcast(open) { $0.scanSequence.map { $0 <= offered } ?? false }
        await untilAnswered()
        return receipts(for: events)
    }

    func stop() async {
        isStopped = true
        isOpen = false
        answers.bell.ring(.conditions)
        await perform(link.handle(.abandon, at: Instant.now))
        await server.stop()
        watcher?.cancel()
        placeWatcher?.cancel()
        status.set(.stopped)
    }

    func report() async -> OutputReport {
        var report = await server.report()
        report.status = status.current
        if settings.receipt == .ack {
            report.delivered = acknowledged
            report.refused = refused
        }
        return report
    }

    // MARK: Acknowledgements

    private static let noClient = "no client that wants scans is connected: they wait in the journal for one"

    private func notNow(_ otherwise: String) -> Receipt {
        .failed(reason: status.current.detail ?? otherwise, retry: true)
    }

    /// Waits until every scan under way is answered, or none was for the time-out, or nobody is left to answer.
    private func untilAnswered() async {
        while answers.awaited > 0, audience > 0, isOpen {
            let awaited = answers.awaited
            let limit = Instant.now.advanced(by: settings.ackTimeout)
            while answers.awaited == awaited, audience > 0, isOpen {
                let heard = await answers.bell.wait(until: limit, for: [.arrival, .conditions])
                if heard.isEmpty { return }
            }
        }
    }

    private func receipts(for events: [Event]) -> [Receipt] {
        var receipts: [Receipt] = []
        for event in events {
            guard let id = event.scanID else {
                receipts.append(.accepted)
                continue
            }
            guard let receipt = answers.take(id) else {
                let silence = "no client acknowledged the scan within \(DurationText.text(settings.ackTimeout))"
                receipts.append(audience > 0 ? .failed(reason: silence, retry: true) : notNow(Self.noClient))
                break
            }
            if case .refused = receipt { refused += 1 } else { acknowledged += 1 }
            receipts.append(receipt)
        }
        answers.stopExpecting()
        return receipts
    }

    private func audienceChanged(to count: Int) {
        audience = count
        answers.bell.ring(.conditions)
        showState()
    }

    // MARK: The socket

    /// The state says so while there is nobody to acknowledge.
    private func showState() {
        guard isOpen else { return }
        if let placeProblem {
            status.set(.waiting, detail: placeProblem)
        } else if settings.receipt == .ack, audience == 0 {
            status.set(.waiting, detail: Self.noClient)
        } else {
            status.set(.ready)
        }
    }

    private func perform(_ actions: [RetryMachine.Action]) async {
        for action in actions {
            switch action {
            case .attempt: await open()
            case .wakeAt(let instant):
                timer?.cancel()
                timer = instant.map { Task.at($0) { await self.tryAgain() } }
            case .exhausted: status.set(.failed, detail: status.current.detail)
            }
        }
    }

    private func tryAgain() async { await perform(link.handle(.timer, at: Instant.now)) }

    private func open() async {
        do throws(ControlError) {
            try await server.start()
            guard !isStopped else { return }
            _ = link.handle(.succeeded, at: Instant.now)
            isOpen = true
            showState()
        } catch {
            guard !isStopped else { return }
            status.set(.waiting, detail: error.message)
            await perform(link.handle(.failed, at: Instant.now))
        }
    }
}
