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
/// A client that doesn't read is closed and counted once more lines wait for it than `clientQueue`; it never slows the others. One that
/// asks for scans that it missed (`subscribe` with `after`) gets them from the journal as fast as it reads, and then the new ones. A client
/// that shuts down its sending side gets what it asked for and is then closed. If it never sent a line, it is a pure listener and goes on
/// hearing events.
///
/// `preview` is the one command that doesn't hold up those behind it: its reply comes, with the picture, when there is one.
package actor ControlServer {
    /// Limits that aren't settings.
    package struct Limits: Sendable {
        /// Events that may wait for the server's thread; then the oldest are dropped and counted.
        package var inbox = 4096
        /// Bytes that may wait for one client, however many lines they are.
        package var clientBytes = 8 << 20
        /// Commands of one client that may wait for their turn; its socket isn't read while there are more.
        package var clientCommands = 16
        /// Reads of up to 16 KB from one client before the others get their turn.
        package var readsPerTurn = 4
        /// How long `stop` waits for clients to take what waits for them.
        package var farewell: Duration = .milliseconds(500)
        /// Pause after a failure to accept connections (the process is out of descriptors).
        package var acceptPause: Duration = .seconds(1)
        /// How many scans are read from the journal in one go for a client that missed them; at most a quarter of its queue.
        package var replayChunk = 64
        /// How often to check that clients still find the socket under its path.
        package var placeInterval: Duration = .seconds(1)
        /// Pause after a failure to read the journal.
        package var replayPause: Duration = .seconds(1)

        package init() {}
    }

    /// Where the socket is, or will be.
    package nonisolated let path: String
    /// Which clients come and go, and what went wrong. Bounded; the newest are kept. One reader.
    package nonisolated let notices: AsyncStream<ControlNotice>
    /// How many clients want scans, whenever that changes; only the newest number is kept. One reader.
    package nonisolated let audience: AsyncStream<Int>
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop = EventLoop()
    private nonisolated let limits: Limits
    private let settings: ControlSettings
    private let secrets: SecretPolicy
    private let journal: (any ScanJournal)?
    private let door: SocketDoor
    private let handler: CommandHandler
    private let decoder: CommandDecoder
    private let noticeSink: AsyncStream<ControlNotice>.Continuation

    private var clients: [ClientID: ClientConnection] = [:]
    /// The newest scan that was sent out as it came.
    private var published: UInt64 = 0
    private var nextReplay: UInt64 = 1

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

    /// If `settings.socket` is unset, `SocketPath.resolve` says where it is. `journal`: where clients that were away read what they missed;
    /// without one they are told that they can't.
    package init(
        settings: ControlSettings, name: String = "control", kind: String = "control",
        secrets: SecretPolicy, journal: (any ScanJournal)? = nil, limits: Limits = Limits(),
        answerRule: OfferLedger.Rule = .everyOffer, door: SocketDoor,
        handler: @escaping CommandHandler
    ) {
        self.settings = settings
        self.secrets = secrets
        self.journal = journal
        self.limits = limits
        self.answerRule = answerRule
        self.door = door
        self.handler = handler
        path = SocketPath.resolve(settings)
        decoder = CommandDecoder(limits: CommandLimits(maxLineBytes: settings.maxLineBytes))
        (notices, noticeSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        (audience, audienceSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        figures = OutputReport(name: name, kind: kind, status: OutputStatus(.idle))
    }

    /// Makes the socket and serves it. Throws an error that says what is in the way and what to do; it may be called again after that.
    package func start() throws(ControlError) {
        guard listener == nil, !isStopped else { return }
        do throws(ControlError) {
            try listen()
            lookAgain()
        } catch {
            figures.status = OutputStatus(.waiting, detail: error.message)
            figures.lastError = error.message
            throw error
        }
    }

    private func listen() throws(ControlError) {
        let isAlone = if case .console = door.access { true } else { false }
        let new = try SocketListener.open(
            path: path, mode: settings.mode, group: settings.group, isAlone: isAlone)
        listenerWatch.map(loop.unwatch)
        listener = new
        listenerWatch = loop.accept(on: new.descriptor.number, pause: limits.acceptPause) { connection in
            self.assumeIsolated { $0.accept(connection) }
        }
        figures.status = OutputStatus(.ready)
    }

    private func lookAgain() {
        placeTimer = loop.setTimer(at: Instant.now.advanced(by: limits.placeInterval)) {
            self.assumeIsolated { $0.look() }
        }
    }

    /// Nobody can find a socket whose file was deleted, so it is made again. Connected clients stay connected.
    private func look() {
        guard !isStopped, let listener else { return }
        if !listener.isInPlace {
            do throws(ControlError) {
                try listen()
                noticeSink.yield(.socketBack(path: path))
            } catch {
                let isNew = figures.status.detail != error.message
                figures.status = OutputStatus(.waiting, detail: error.message)
                figures.lastError = error.message
                if isNew { noticeSink.yield(.socketGone(path: path, reason: error.message)) }
            }
        } else if figures.status.state != .ready {
            // Somebody has put it back.
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

    /// Sends events to every client that wants them, and returns when they are in each one's queue. `isRepeat`: clients that have them
    /// already get them again.
    package func broadcast(_ events: some Sequence<Event>, isRepeat: (Event) -> Bool = { _ in false }) {
        emptyInbox()
        for event in events { send(event, isRepeat: isRepeat(event)) }
    }

    /// Closes the socket. Clients get what waits for them if they take it in time. Removes the file if it is still ours.
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
        var lines: [SecretPolicy: [UInt8]] = [:]
        for client in clients.values where !client.isClosing && client.wants(event) {
            if let sequence, let position = client.position {
                // A client that is catching up gets it from the journal.
                guard client.replay == nil, sequence > position || isRepeat else { continue }
                client.position = max(position, sequence)
            }
            let policy = client.secrets ?? secrets
            let bytes = lines[policy] ?? event.line(secrets: policy)
            lines[policy] = bytes
            send(bytes, of: event, to: client)
        }
    }

    private func send(_ line: [UInt8], of event: Event, to client: ClientConnection) {
        if let scan = event.scanID {
            client.ledger.offered(
                scan, at: MonotonicClock.instant, hasUnread: isReady(client.descriptor.number))
        }
        send(line, to: client)
    }

    private func send(_ line: [UInt8], to client: ClientConnection) {
        // It hung up: there is nobody to write to, only commands to finish.
        guard client.watch != nil else { return }
        client.outgoing.append(line)
        flush(client)
        let (waiting, bytes) = (client.outgoing.count, client.outgoing.bytes)
        guard waiting > settings.clientQueue || bytes > limits.clientBytes else { return }
        figures.slowClientsDropped += 1
        noticeSink.yield(.slowClientDropped(client.id, waiting: waiting))
        close(client)
    }

    private func flush(_ client: ClientConnection) {
        let (written, error) = client.outgoing.flush(to: client.descriptor)
        figures.bytes += UInt64(written)
        guard error == nil else { return hangUp(client) }
        if client.outgoing.isEmpty, client.isClosing || client.isDone { return close(client) }
        updateInterest(client)
        continueReplay(client)
    }

    /// Call after the clients, or what they want, changed.
    private func countAudience() {
        audienceSink.yield(clients.values.count { !$0.isClosing && $0.watch != nil && $0.wants("scan") })
    }

    // MARK: Clients

    private func accept(_ connection: Result<Descriptor, SystemError>) {
        switch connection {
        case .success(let descriptor):
            let credentials = PeerCredentials(socket: descriptor.number)
            if let reason = door.refusal(of: credentials) {
                noticeSink.yield(.strangerTurnedAway(credentials))
                return turnAway(descriptor, reason)
            }
            guard clients.count < settings.maxClients else {
                noticeSink.yield(.tooManyClients(limit: settings.maxClients))
                return turnAway(
                    descriptor,
                    "the station serves \(settings.maxClients) clients already (maxClients): close one, or raise the limit"
                )
            }
            welcome(descriptor, credentials)
        case .failure(let error):
            figures.lastError = "cannot accept a connection: \(error.text)"
            noticeSink.yield(.acceptFailed(reason: error.text))
        }
    }

    private func welcome(_ descriptor: Descriptor, _ credentials: PeerCredentials?) {
        let id = ClientID(number: nextClient, door: figures.name)
        nextClient += 1
        let process = credentials?.processID
        // One that closes and connects again at once may be let in before its end is seen.
        let older = clients.values.filter { $0.credentials?.processID == process }.map { ($0.ledger, $0.openedAt) }
        let now = MonotonicClock.instant
        let client = ClientConnection(
            id: id, descriptor: descriptor, credentials: credentials, maxLineBytes: settings.maxLineBytes,
            ledger: retired.ledger(for: process, living: older, rule: answerRule, at: now), openedAt: now)
        clients[id] = client
        client.watch = loop.watch(descriptor.number, events: POLLIN) { ready in
            self.assumeIsolated { $0.handle(ready, id) }
        }
        noticeSink.yield(.connected(id, client.credentials))
        countAudience()
    }

    private func turnAway(_ descriptor: Descriptor, _ message: String) {
        // The socket is fresh: a line fits into its buffer.
        _ = descriptor.write(Reply(command: "", error: message).line(), from: 0, isSocket: true)
    }

    private func close(_ client: ClientConnection) {
        guard clients.removeValue(forKey: client.id) != nil else { return }
        retired.retire(
            client.ledger, of: client.credentials?.processID, openedAt: client.openedAt, at: MonotonicClock.instant)
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

    /// The client is gone. What it sent before is still carried out: it may just have been in a hurry.
    private func hangUp(_ client: ClientConnection) {
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

    private func updateInterest(_ client: ClientConnection) {
        guard let watch = client.watch else { return }
        var events: Int32 = 0
        if !client.hasEnded, !client.isClosing, client.commands.count < limits.clientCommands { events |= POLLIN }
        if !client.outgoing.isEmpty { events |= POLLOUT }
        loop.setEvents(events, of: watch)
    }
}

// MARK: - Commands

/// Commands of a client: one at a time, answered in order.
extension ControlServer {
    private func readCommands(_ client: ClientConnection) {
        var turns = 0
        while !client.hasEnded, !client.isClosing, client.commands.count < limits.clientCommands {
            // One that floods us waits while the others get their turn; what a client left behind when it hung up is carried out and ends.
            if client.watch != nil, turns == limits.readsPerTurn { break }
            turns += 1
            switch client.descriptor.read(limit: 16_384) {
            case .bytes(let bytes): take(client.splitter.add(bytes), from: client)
            case .nothing: return settle(client)
            case .end, .failed:
                client.hasEnded = true
                take(client.splitter.finish(), from: client)
            }
        }
        settle(client)
    }

    private func take(_ parts: [LineSplitter.Part], from client: ClientConnection) {
        let now = MonotonicClock.instant
        for part in parts {
            client.hasSpoken = true
            switch part {
            case .line(let line):
                client.commands.append(
                    ReceivedCommand(decoder.decode(line), ledger: &client.ledger, at: now) {
                        door.access.refusal(of: $0) == nil
                    })
            case .overlong:
                noticeSink.yield(.overlongLine(client.id, limit: settings.maxLineBytes))
                let message =
                    "a line is longer than \(settings.maxLineBytes) bytes (maxLineBytes): the connection is closed"
                client.isClosing = true
                client.commands = []
                send(Reply(command: "", error: message).line(), to: client)
            }
        }
        runNext(client)
    }

    /// Call after something changed: closes the client if it is done, else asks for what it needs.
    private func settle(_ client: ClientConnection) {
        guard clients[client.id] != nil else { return }
        if client.outgoing.isEmpty, client.isClosing || client.isDone { return close(client) }
        updateInterest(client)
    }

    private func runNext(_ client: ClientConnection) {
        while !client.isBusy, !client.isClosing, !client.commands.isEmpty {
            switch client.commands.removeFirst() {
            case .error(let error): send(error.reply.line(tag: error.tag), to: client)
            case .command(let decoded, let resolved): carryOut(decoded, resolved, for: client)
            }
        }
    }

    private func carryOut(
        _ decoded: DecodedCommand, _ resolved: Result<Command, CommandProblem>, for client: ClientConnection
    ) {
        let id = client.id
        if case .preview(let request) = decoded.command {
            return preview(request, tag: decoded.tag, for: client)
        }
        client.isBusy = true
        if let refusal = door.access.refusal(of: decoded.command) {
            return later(id, Reply(command: decoded.command.name, error: refusal).line(tag: decoded.tag))
        }
        if case .subscribe(let types, let after, let journal, let secrets) = decoded.command {
            if let secrets, !secrets.isAtMost(door.secretsLimit ?? self.secrets) {
                let limit = (door.secretsLimit ?? self.secrets).rawValue
                let message = "subscribe: this socket shows secrets at most \(limit), not \(secrets.rawValue)"
                return later(id, Reply(command: "subscribe", error: message).line(tag: decoded.tag))
            }
            return subscribe(
                client, types: types, after: after, journal: journal, secrets: secrets, tag: decoded.tag)
        }
        switch resolved {
        case .failure(let problem):
            if problem.isObjection { door.object() }
            later(id, problem.reply.line(tag: decoded.tag))
        case .success(let command):
            let shown = command.shown(client.secrets ?? secrets)
            Task { [handler] in
                let reply = await handler(shown, id)
                self.finish(id, reply.line(tag: decoded.tag))
            }
        }
    }

    /// One a connection at a time; the commands behind it needn't wait for a picture.
    private func preview(_ request: PreviewRequest, tag: JSONValue?, for client: ClientConnection) {
        guard let pictures = door.pictures else {
            let message = "this socket has no pictures: ask on the station's control socket"
            return send(Reply(command: "preview", error: message).line(tag: tag), to: client)
        }
        guard !client.isAwaitingPicture else {
            let message = "a picture is on its way on this connection already: wait for it"
            return send(Reply(command: "preview", error: message).line(tag: tag), to: client)
        }
        client.isAwaitingPicture = true
        let (id, policy) = (client.id, client.secrets ?? secrets)
        Task {
            let reply = await pictures(request, policy)
            guard let client = self.clients[id] else { return }
            client.isAwaitingPicture = false
            self.send(reply.bytes(tag: tag), to: client)
            self.settle(client)
        }
    }

    private func finish(_ id: ClientID, _ line: [UInt8]) {
        guard let client = clients[id] else { return }
        client.isBusy = false
        send(line, to: client)
        runNext(client)
        // The socket may hold more than was read while commands waited.
        readCommands(client)
    }
}

// MARK: - Replay

/// `subscribe`: what a client wants, and scans of the journal that it missed.
///
/// ```
///              subscribe after n                    the journal has no more, and nothing newer was sent out
///   live ──────────────────────────▶ reading up ─────────────────────────────────────────────────────────▶ live, from
///                                     │     ▲      a chunk of the journal, when its queue is half empty      its position
///                                     └─────┘
/// ```
/// New scans that come while it catches up are in the journal too and reach it that way; its position says which ones it has. So there are
/// no gaps and no repeats. Other events come as they happen.
extension ControlServer {
    private func subscribe(
        _ client: ClientConnection, types: [String], after: UInt64?, journal known: String?, secrets: SecretPolicy?,
        tag: JSONValue?
    ) {
        let id = client.id
        guard let journal else {
            guard after == nil, known == nil else {
                let message =
                    "subscribe: there is no journal to read \"after\" from: leave it out for scans as they come"
                return later(id, Reply(command: "subscribe", error: message).line(tag: tag))
            }
            client.types = Set(types)
            client.secrets = secrets ?? client.secrets
            countAudience()
            return later(id, Reply(command: "subscribe", fields: Self.fields(types)).line(tag: tag))
        }
        Task {
            let report = await journal.report()
            guard let client = self.clients[id] else { return }
            if let problem = Self.problem(after: after, journal: known, in: report) {
                return self.finish(id, Reply(command: "subscribe", error: "subscribe: \(problem)").line(tag: tag))
            }
            var fields = Self.fields(types)
            fields["journal"] = .string(report.id)
            fields["first"] = .integer(Int64(clamping: report.first))
            fields["last"] = .integer(Int64(clamping: report.last))
            client.types = Set(types)
            client.secrets = secrets ?? client.secrets
            client.followsJournal = after != nil || known != nil
            if let after {
                let missed = report.first > after ? report.first - after - 1 : 0
                fields["missed"] = .integer(Int64(clamping: missed))
                client.position = after
                client.replay = client.watch == nil ? nil : ClientConnection.Replay(number: self.nextReplay)
                self.nextReplay += 1
            }
            self.countAudience()
            // The reply comes before the first scan.
            self.finish(id, Reply(command: "subscribe", fields: fields).line(tag: tag))
            self.continueReplay(client)
        }
    }

    /// Answers in a turn of its own, as other commands do: `runNext`, the caller, goes on afterwards.
    private func later(_ id: ClientID, _ line: [UInt8]) {
        loop.execute { self.assumeIsolated { $0.finish(id, line) } }
    }

    private static func fields(_ types: [String]) -> [String: JSONValue] {
        ["types": .array(types.map(JSONValue.string))]
    }

    private static func problem(after: UInt64?, journal: String?, in report: JournalReport) -> String? {
        guard after != nil || journal != nil else { return nil }
        guard !report.id.isEmpty else {
            return
                "the journal isn't open (\(report.state.detail ?? report.state.name)): try again when it is, or leave "
                + "\"after\" and \"journal\" out for scans as they come"
        }
        if let journal, journal != report.id {
            return
                "the journal is \"\(report.id)\" now, not \"\(journal)\", whose sequences mean nothing in it: "
                + "subscribe with \"journal\":\"\(report.id)\" and \"after\":0 for everything in it"
        }
        if let after, after > report.last {
            return "\"after\" is \(after), but the journal \"\(report.id)\" goes only up to \(report.last): was it of "
                + "another journal? Subscribe with \"after\":0 for everything in it"
        }
        return nil
    }

    /// Clients that are behind and are getting what they missed.
    var clientsReadingUp: Int { clients.values.count { $0.replay != nil } }

    /// Asks the journal for more if the client is catching up and has room.
    private func continueReplay(_ client: ClientConnection) {
        guard let journal, let replay = client.replay, !replay.isWaiting, let position = client.position else { return }
        // A replay fills no more than half of the queue: the other half is for events as they come.
        let room = settings.clientQueue / 4
        guard client.outgoing.count <= room, client.outgoing.bytes <= limits.clientBytes / 4 else { return }
        client.replay?.isWaiting = true
        let id = client.id
        let chunk = max(1, min(limits.replayChunk, room))
        // What was sent out by now is in the journal, unless the journal dropped it.
        let end = published
        Task {
            do throws(JournalError) {
                let scans = try await journal.scans(after: position, limit: chunk)
                self.take(scans, of: replay.number, for: id, end: end)
            } catch {
                // Giving up would leave a gap, and a closed client would only come back. So it waits, as the journal does.
                _ = self.loop.setTimer(at: Instant.now.advanced(by: self.limits.replayPause)) {
                    self.assumeIsolated { $0.take(nil, of: replay.number, for: id, end: end) }
                }
            }
        }
    }

    /// `scans`: the journal's next ones, none at its end; `nil`: ask it again.
    private func take(_ scans: [Event]?, of replay: UInt64, for id: ClientID, end: UInt64) {
        guard let client = clients[id], client.replay?.number == replay, let position = client.position else { return }
        for event in scans ?? [] {
            guard let sequence = event.scanSequence, clients[id] != nil else { continue }
            client.position = sequence
            if client.wants(event.type) {
                send(event.line(secrets: client.secrets ?? secrets), of: event, to: client)
            }
        }
        if scans?.isEmpty == true {
            client.position = max(position, end)
            if published <= max(position, end) { client.replay = nil }
        }
        client.replay?.isWaiting = false
        continueReplay(client)
        settle(client)
    }
}
