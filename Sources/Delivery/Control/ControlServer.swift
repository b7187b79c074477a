import Glibc
import Journal
import Linux
import ScanCore
import Settings
import Synchronization
import Vocabulary
import Wire

/// A station's socket: events out to every client, commands in, NDJSON both ways.
///
/// ```
/// publish ─▶ inbox (bounded) ─▶ event loop ─▶ each client's lines (bounded) ─▶ socket
///                                    ▲ │
///                 one command of a client at a time ─▶ handler ─▶ its reply, in order
/// ```
/// A client that doesn't read is closed and counted once more lines wait for it than `clientQueue`; it never slows the
/// others. One that asks for scans that it missed (`subscribe` with `after`) gets them from the journal, as fast as it reads,
/// and then those that come. A client that shuts down its sending side gets what it asked for and is closed then, unless it
/// never sent a line: such a pure listener goes on hearing events.
package actor ControlServer {
    /// Limits that the settings don't have.
    package struct Limits: Sendable {
        /// Events that wait for the server's thread; the oldest give way and are counted.
        package var inbox = 4096
        /// Bytes that wait for one client, whatever the number of lines.
        package var clientBytes = 8 << 20
        /// Commands of one client that wait for their turn; its socket isn't read while there are more.
        package var clientCommands = 16
        /// Reads of up to 16 KB from one client before the others get their turn.
        package var readsPerTurn = 4
        /// How long `stop` waits for clients to take what is theirs.
        package var farewell: Duration = .milliseconds(500)
        /// Pause after connections couldn't be accepted (the process is out of descriptors).
        package var acceptPause: Duration = .seconds(1)
        /// Scans read from the journal at once for a client that missed them; at most a quarter of its queue.
        package var replayChunk = 64
        /// How often it is made sure that clients still find the socket under its path.
        package var placeInterval: Duration = .seconds(1)
        /// Pause after the journal couldn't be read.
        package var replayPause: Duration = .seconds(1)

        package init() {}
    }

    /// Where the socket is, or will be.
    package nonisolated let path: String
    /// Who comes and goes, and what went wrong; bounded, the newest are kept. One reader.
    package nonisolated let notices: AsyncStream<ControlNotice>
    /// How many clients want scans, whenever that changes; only the newest number waits. One reader.
    nonisolated let audience: AsyncStream<Int>
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    nonisolated let limits: Limits
    let settings: ControlSettings
    let secrets: SecretPolicy
    let journal: (any ScanJournal)?
    let handler: CommandHandler
    let decoder: CommandDecoder
    let noticeSink: AsyncStream<ControlNotice>.Continuation

    // State of the actor; the other files of it change what is theirs.
    var clients: [ClientID: ClientConnection] = [:]
    /// The newest scan that was sent out as it came.
    var published: UInt64 = 0
    var nextReplay: UInt64 = 1

    private nonisolated let inbox = Mutex(Inbox())
    private let audienceSink: AsyncStream<Int>.Continuation
    private var listener: SocketListener?
    private var listenerWatch: Int?
    private var placeTimer: Int?
    private var nextClient: UInt64 = 1
    private var isStopped = false
    private var figures: OutputReport
    private let answerRule: OfferLedger.Rule
    /// By process.
    private var retired = RetiredLedgers<Int32>()

    private struct Inbox {
        var events: [Event] = []
        var dropped: UInt64 = 0
    }

    /// `settings.socket` may be unset: `SocketPath.resolve` says where it is then. `journal`: where clients that were away
    /// read what they missed; without one they are told that they can't.
    package init(
        settings: ControlSettings, name: String = "control", kind: String = "control",
        secrets: SecretPolicy, journal: (any ScanJournal)? = nil, limits: Limits = Limits(),
        answerRule: OfferLedger.Rule = .everyOffer, handler: @escaping CommandHandler
    ) {
        self.settings = settings
        self.secrets = secrets
        self.journal = journal
        self.limits = limits
        self.answerRule = answerRule
        self.handler = handler
        path = SocketPath.resolve(settings)
        decoder = CommandDecoder(limits: CommandLimits(maxLineBytes: settings.maxLineBytes))
        (notices, noticeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        (audience, audienceSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        figures = OutputReport(name: name, kind: kind, status: OutputStatus(.idle))
    }

    /// Makes the socket and serves it. Throws what is in the way and what to do; may be called again then.
    package func start() throws(DeliveryError) {
        guard listener == nil, !isStopped else { return }
        do throws(DeliveryError) {
            try listen()
            lookAgain()
        } catch {
            figures.status = OutputStatus(.waiting, detail: error.message)
            figures.lastError = error.message
            throw error
        }
    }

    private func listen() throws(DeliveryError) {
        let new = try SocketListener.open(path: path, mode: settings.mode, group: settings.group)
        listenerWatch.map(loop.unwatch)
        listener = new
        listenerWatch = loop.watch(new.descriptor.number, events: POLLIN) { _ in
            self.assumeIsolated { $0.accept() }
        }
        figures.status = OutputStatus(.ready)
    }

    private func lookAgain() {
        placeTimer = loop.setTimer(at: Instant.now.advanced(by: limits.placeInterval)) {
            self.assumeIsolated { $0.look() }
        }
    }

    /// A socket whose file was deleted can't be found any more: it is made again. Who is connected stays so.
    private func look() {
        guard !isStopped, let listener else { return }
        if !listener.isInPlace {
            do throws(DeliveryError) {
                try listen()
                noticeSink.yield(.socketBack(path: path))
            } catch {
                let isNew = figures.status.detail != error.message
                figures.status = OutputStatus(.waiting, detail: error.message)
                figures.lastError = error.message
                if isNew { noticeSink.yield(.socketGone(path: path, reason: error.message)) }
            }
        } else if figures.status.state != .ready {
            // Put back by whoever took it away.
            figures.status = OutputStatus(.ready)
            noticeSink.yield(.socketBack(path: path))
        }
        lookAgain()
    }

    /// Sends an event to every client that wants it; from any thread, never blocks.
    package nonisolated func publish(_ event: Event) {
        let isFirst = inbox.withLock { inbox in
            if inbox.events.count >= limits.inbox {
                inbox.events.removeFirst()
                inbox.dropped += 1
            }
            inbox.events.append(event)
            return inbox.events.count == 1
        }
        if isFirst { loop.execute { self.assumeIsolated { $0.emptyInbox() } } }
    }

    /// Sends events to every client that wants them, and returns when they are in each one's queue. `isRepeat`: who has them
    /// already gets them again.
    func broadcast(_ events: some Sequence<Event>, isRepeat: (Event) -> Bool = { _ in false }) {
        emptyInbox()
        for event in events { send(event, isRepeat: isRepeat(event)) }
    }

    /// Closes the socket; clients get what waits for them, if they take it in time. The file is removed if it is still ours.
    package func stop() async {
        guard !isStopped else { return }
        isStopped = true
        placeTimer.map(loop.cancelTimer)
        placeTimer = nil
        listenerWatch.map(loop.unwatch)
        listenerWatch = nil
        listener?.removeFile()
        listener = nil
        emptyInbox()
        let limit = Instant.now.advanced(by: limits.farewell)
        while clients.values.contains(where: { $0.isBusy || !$0.outgoing.isEmpty }), Instant.now < limit {
            await withCheckedContinuation { done in
                _ = loop.setTimer(at: Instant.now.advanced(by: .milliseconds(5))) { done.resume() }
            }
        }
        for client in clients.values { close(client) }
        figures.status = OutputStatus(.stopped)
        noticeSink.finish()
        audienceSink.finish()
    }

    package func report() -> OutputReport {
        var report = figures
        report.clients = clients.count
        report.queued = clients.values.map(\.outgoing.count).max() ?? 0
        report.dropped += inbox.withLock { $0.dropped }
        return report
    }

    /// Who is behind a client, as long as it is connected.
    package func credentials(of client: ClientID) -> PeerCredentials? { clients[client]?.credentials }

    // MARK: Events

    private func emptyInbox() {
        let events = inbox.withLock { inbox in
            let events = inbox.events
            inbox.events = []
            return events
        }
        for event in events { send(event) }
    }

    private func send(_ event: Event, isRepeat: Bool = false) {
        figures.delivered += 1
        let sequence = event.scanSequence
        if let sequence { published = max(published, sequence) }
        var line: [UInt8]?
        for client in clients.values where !client.isClosing && client.wants(event) {
            if let sequence, let position = client.position {
                // One that reads up comes to it in the journal.
                guard client.replay == nil, sequence > position || isRepeat else { continue }
                client.position = max(position, sequence)
            }
            let bytes = line ?? event.line(secrets: secrets)
            line = bytes
            send(bytes, of: event, to: client)
        }
    }

    func send(_ line: [UInt8], of event: Event, to client: ClientConnection) {
        if let scan = event.scanID { client.ledger.offered(scan, at: Instant.now) }
        send(line, to: client)
    }

    func send(_ line: [UInt8], to client: ClientConnection) {
        // Hung up: there is nobody to write to, only commands to finish.
        guard client.watch != nil else { return }
        client.outgoing.append(line)
        flush(client)
        let (waiting, bytes) = (client.outgoing.count, client.outgoing.bytes)
        guard waiting > settings.clientQueue || bytes > limits.clientBytes else { return }
        figures.slowClientsDropped += 1
        noticeSink.yield(.slowClientDropped(client.id, waiting: waiting))
        close(client)
    }

    func flush(_ client: ClientConnection) {
        let descriptor = client.descriptor
        var written = 0
        let isEmpty: Bool
        do {
            defer { figures.bytes += UInt64(written) }
            isEmpty = try client.outgoing.flush { line, offset in
                switch descriptor.write(line, from: offset, isSocket: true) {
                case .written(let count):
                    written += count
                    return count
                case .wouldBlock: return 0
                case .failed(let error): throw error
                }
            }
        } catch {
            return hangUp(client)
        }
        if isEmpty, client.isClosing || client.isDone { return close(client) }
        updateInterest(client)
        continueReplay(client)
    }

    /// After the clients, or what they want, changed.
    func countAudience() {
        audienceSink.yield(clients.values.count { !$0.isClosing && $0.watch != nil && $0.wants("scan") })
    }

    // MARK: Clients

    private func accept() {
        while let listener {
            let number = Glibc.accept(listener.descriptor.number, nil, nil)
            guard number >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno != EAGAIN { pauseAccepting(SystemError()) }
                return
            }
            let descriptor = Descriptor(number)
            descriptor.makeNonBlocking()
            if clients.count < settings.maxClients { welcome(descriptor) } else { turnAway(descriptor) }
        }
    }

    private func pauseAccepting(_ error: SystemError) {
        figures.lastError = "cannot accept a connection: \(error.text)"
        noticeSink.yield(.acceptFailed(reason: error.text))
        // The connection stays in the kernel's queue, which would be reported again and again.
        listenerWatch.map { loop.setEvents(0, of: $0) }
        _ = loop.setTimer(at: Instant.now.advanced(by: limits.acceptPause)) {
            self.assumeIsolated { server in server.listenerWatch.map { server.loop.setEvents(POLLIN, of: $0) } }
        }
    }

    private func welcome(_ descriptor: Descriptor) {
        let id = ClientID(number: nextClient, door: figures.name)
        nextClient += 1
        let credentials = PeerCredentials(socket: descriptor.number)
        let client = ClientConnection(
            id: id, descriptor: descriptor, credentials: credentials, maxLineBytes: settings.maxLineBytes,
            ledger: retired.recall(credentials?.processID) ?? OfferLedger(rule: answerRule))
        clients[id] = client
        client.watch = loop.watch(descriptor.number, events: POLLIN) { ready in
            self.assumeIsolated { $0.handle(ready, id) }
        }
        noticeSink.yield(.connected(id, client.credentials))
        countAudience()
    }

    private func turnAway(_ descriptor: Descriptor) {
        noticeSink.yield(.tooManyClients(limit: settings.maxClients))
        let message =
            "the station serves \(settings.maxClients) clients already (maxClients): close one, or raise the limit"
        // The socket is fresh: a line fits into its buffer.
        _ = descriptor.write(Reply(command: "", error: message).line(), from: 0, isSocket: true)
    }

    func close(_ client: ClientConnection) {
        guard clients.removeValue(forKey: client.id) != nil else { return }
        retired.retire(client.ledger, of: client.credentials?.processID)
        client.watch.map(loop.unwatch)
        client.watch = nil
        client.isClosing = true
        client.replay = nil
        client.outgoing = OutgoingLines()
        shutdown(client.descriptor.number, Int32(SHUT_RDWR))
        noticeSink.yield(.disconnected(client.id))
        countAudience()
    }

    private func handle(_ ready: Int16, _ id: ClientID) {
        guard let client = clients[id] else { return }
        if Int32(ready) & (POLLHUP | POLLERR | POLLNVAL) != 0 { return hangUp(client) }
        if Int32(ready) & POLLOUT != 0 { flush(client) }
        if Int32(ready) & POLLIN != 0 { readCommands(client) }
    }

    /// The client is gone. What it sent before is still carried out: it may have been in a hurry, not in doubt.
    func hangUp(_ client: ClientConnection) {
        guard let watch = client.watch else { return }
        loop.unwatch(watch)
        client.watch = nil
        client.replay = nil
        client.outgoing = OutgoingLines()
        countAudience()
        // Not at once: a write that failed may be in the middle of a command of this client.
        let id = client.id
        loop.execute {
            self.assumeIsolated { server in server.clients[id].map(server.readCommands) }
        }
    }

    func updateInterest(_ client: ClientConnection) {
        guard let watch = client.watch else { return }
        var events: Int32 = 0
        if !client.hasEnded, !client.isClosing, client.commands.count < limits.clientCommands { events |= POLLIN }
        if !client.outgoing.isEmpty { events |= POLLOUT }
        loop.setEvents(events, of: watch)
    }
}
