import Glibc
import Linux
import Settings
import Vocabulary
import Wire

/// Scans to an MQTT broker; the receipt is the broker's PUBACK (QoS 1). Topics: `MQTTTopics`.
///
/// ```
///          start            an address answers   CONNACK 0
///   idle ────────▶ looking up ──────────▶ greeting ───────▶ online
///                      ▲   no, refused, lost, silent │      │
///                      └────────── waiting ◀─────────┴──────┘     stop, from everywhere ──▶ stopped
/// ```
/// All of it runs on one event loop, the actor's executor, except for looking up a name, which blocks and has its own thread. Each
/// connection is a new client with a clean session (`MQTTClient` says why): what had no PUBACK when it was lost fails, worth a retry, and
/// is offered again in order. A broker may get the last few messages twice, but never in another order.
///
/// State events need no receipt: the latest of each part is kept here and published when it comes and after each connect. So a broker that
/// has lost its retained messages gets them back.
actor MQTTOutput: Output, RacingOutput {
    struct Limits: Sendable {
        /// The time for connecting, and again for the broker's answer.
        var connectTimeout: Duration = .seconds(20)
        /// If a broker confirms nothing for this long while something is under way, the station connects again.
        var ackTimeout: Duration = .seconds(30)
        /// How long `stop` waits until the broker has taken `offline`.
        var farewellTimeout: Duration = .seconds(1)
        /// A connection that lives this long was a success: the next wait is the shortest again.
        var stableAfter: Duration = .seconds(30)
        /// If the broker accepts and closes connections sooner than that, this many times in a row, two clients probably fight over the id.
        var shortLife: Duration = .seconds(5)
        var shortLives = 3
        /// libmosquitto looks after keep-alive in whole seconds.
        var stepInterval: Duration = .seconds(1)
        /// How many commands wait while the station carries one out; more are refused.
        var commandQueue = 64
        /// An event that is older than this when the broker confirms it isn't published as fresh.
        var freshFor: Duration = .seconds(10)
        var reconnect = RetryMachine.Policy(initial: .milliseconds(200), maximum: .seconds(10))
        /// Waits after trouble that only a person can fix; each attempt makes a line in the broker's log.
        var refused = RetryMachine.Policy(initial: .seconds(5), maximum: .seconds(120))
    }

    /// One connection, once its socket is connected.
    struct Connection {
        let client: MQTTClient
        var watch: Int
        /// When the broker accepted us; `nil`: it has yet to answer.
        var acceptedAt: Instant?
        var hasDelivered = false
        /// Topics by the id of their SUBSCRIBE.
        var subscriptions: [Int32: String] = [:]
    }

    /// One call of `deliver` under way.
    private struct UnderWay {
        var batch: MQTTBatch
        let done: CheckedContinuation<[Receipt], Never>
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var batchLimit: Int { settings.inFlight }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    nonisolated let status = StatusChannel()
    /// On its own thread: a lookup that hangs must not hold up `stop` and `report`.
    nonisolated let resolver: AddressResolver
    /// Where clients connect: with encryption, the library looks the name up once more.
    private nonisolated let connector = EventLoop()
    nonisolated let settings: MQTTSettings
    private nonisolated let topics: MQTTTopics
    private nonisolated let messages: MQTTMessages
    private let limits: Limits
    private let context: OutputContext
    private let diagnosis: MQTTDiagnosis
    private let discovery: HomeAssistantDiscovery?
    private let clock: MachineClock

    var link: RetryLink
    private var linkKind = MQTTTrouble.Kind.passing
    var race: AddressRace<MQTTClient, MQTTTrouble>?
    private var connection: Connection?
    /// Counts attempts; anything from an earlier one is ignored.
    private var attempt: UInt64 = 0
    private var version = MQTTVersionChoice()
    private var steadiness: MQTTSteadiness
    /// What a person should know although the output works.
    private var notes: [String] = []
    private var timers: [TimerKind: Int] = [:]
    private var isStopped = false
    var figures: OutputReport
    /// From `start` on.
    private var inbox: MQTTInbox?
    /// The latest state events, by part.
    private var lastStates: [String: Event] = [:]
    private var farewell: (id: Int32, done: CheckedContinuation<Void, Never>)?
    private var underWay: UnderWay?

    enum TimerKind: Hashable { case deadline, step, stable, ack, farewell }

    /// Throws if the settings can't work on any machine; `start` looks for brokers and files.
    init(
        name: String, settings: MQTTSettings, secrets: SecretPolicy,
        context: OutputContext = OutputContext(),
        limits: Limits = Limits(), clock: MachineClock = .system, resolver: AddressResolver = AddressResolver()
    ) throws(DeliveryError) {
        let place = "\(context.place).mqtt"
        try settings.problems(at: place, station: context.station).throwFirst()
        let topics = MQTTTopics(settings, station: context.station)
        messages = MQTTMessages(topics: topics, secrets: secrets, hasTorch: context.hasTorch)
        discovery =
            settings.discovery
            ? HomeAssistantDiscovery(
                topics: topics, station: context.station, version: context.version, hasTorch: context.hasTorch,
                isTriggered: context.isTriggered, obeys: settings.commands) : nil
        diagnosis = MQTTDiagnosis(
            host: settings.host, port: settings.port ?? (settings.tls == nil ? 1883 : 8883),
            usesTLS: settings.tls != nil, hasCertificate: settings.tls?.certificate != nil, username: settings.username,
            clientID: settings.clientID ?? "scanstation-\(topics.stationID)", place: place)
        self.name = name
        self.resolver = resolver
        self.topics = topics
        self.settings = settings
        self.context = context
        self.limits = limits
        self.clock = clock
        link = RetryLink(policy: limits.reconnect)
        steadiness = MQTTSteadiness(shortLife: limits.shortLife, mostShortLives: limits.shortLives)
        figures = OutputReport(name: name, kind: MQTTSettings.key, status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool { messages.wants(event) }

    func start() {
        guard !isStopped, inbox == nil else { return }
        inbox = MQTTInbox(
            limit: limits.commandQueue,
            client: ClientID(number: UInt64.random(in: (1 << 63)...(.max)), door: name), carryOut: context.commands
        ) { [weak self] reply, tag in await self?.reply(reply, tag: tag) }
        status.set(.connecting, detail: "to \(settings.host):\(diagnosis.port)")
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        await deliver([event]).first ?? .failed(reason: "\(name) gave no receipt", retry: true)
    }

    func deliver(_ events: [Event]) async -> [Receipt] {
        guard !isStopped else { return [.failed(reason: "\(name) is stopped", retry: true)] }
        guard underWay == nil else { return [.failed(reason: "\(name) is delivering already", retry: true)] }
        return await withCheckedContinuation { done in
            underWay = UnderWay(batch: MQTTBatch(events), done: done)
            send(events)
        }
    }

    func conditionsChanged() {
        knockAgain()
        leaveLostConnection()
        feedLink(.conditionsChanged)
    }

    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        attempt += 1
        inbox?.finish()
        feedLink(.abandon)
        failBatch("\(name) is stopped")
        await sayFarewell()
        connection?.client.disconnect()
        close()
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    // MARK: Delivering

    private func send(_ events: [Event]) {
        // Events after a failed one are offered again, so they must not be sent.
        sending: for (place, event) in events.enumerated() {
            if case .state(let state) = event.body {
                lastStates[state.part] = event
                for publication in messages.lasting(event) { post(publication) }
                underWay?.batch.settle(place, .accepted)
                continue
            }
            guard let publication = messages.main(event) else {
                underWay?.batch.settle(place, .skipped(reason: "MQTT has no topic for it"))
                continue
            }
            guard let client = connection?.client, connection?.acceptedAt != nil else {
                let reason = status.current.detail ?? "no connection to \(settings.host)"
                underWay?.batch.settle(place, .failed(reason: reason, retry: true))
                break
            }
            switch client.publish(publication) {
            case .success(let id):
                underWay?.batch.sent(place, as: id)
                figures.bytes += UInt64(publication.payload.count)
            case .failure(let problem) where problem.isOversize:
                let reason = "\(publication.payload.count) bytes are more than the broker \(settings.host) takes"
                figures.lastError = reason
                underWay?.batch.settle(place, .failed(reason: reason, retry: false))
                break sending
            case .failure(let problem):
                // It may still be in the library's queue, which goes with the connection.
                underWay?.batch.settle(place, .failed(reason: problem.text, retry: true))
                return lose(diagnosis.ended(problem.outcome, hadAnswer: true, complaints: client.complaints))
            }
        }
        updateInterest()
        concludeIfDone()
        if underWay != nil { setTimer(.ack, after: limits.ackTimeout) { $0.ackTimedOut() } }
    }

    /// A PUBACK, for a scan or for one of our own messages.
    func published(id: Int32, reason: Int32) {
        if let waiting = farewell, waiting.id == id {
            farewell = nil
            waiting.done.resume()
        }
        guard underWay?.batch.isWaiting(for: id) == true else { return }
        let receipt = reason < 128 ? Receipt.accepted : refusal(reason)
        let event = underWay?.batch.settle(message: id, receipt)
        if receipt == .accepted { hasDelivered() }
        if let event { publishIfFresh(event) }
        setTimer(.ack, after: limits.ackTimeout) { $0.ackTimedOut() }
        concludeIfDone()
    }

    /// Sent once the broker has the event, not along with it. Otherwise a broker that takes nothing for a while, or a repeat after a lost
    /// connection, would make Home Assistant act late or twice.
    private func publishIfFresh(_ event: Event) {
        guard let age = ScanAge.of(event, on: clock), age <= limits.freshFor, let publication = messages.fresh(event)
        else { return }
        post(publication)
    }

    /// The first receipt of a connection makes it a success, too, unless it is one of many that didn't last.
    private func hasDelivered() {
        guard connection?.hasDelivered == false else { return }
        connection?.hasDelivered = true
        if steadiness.isTrusted { restLink() }
    }

    private func refusal(_ reason: Int32) -> Receipt {
        let text = diagnosis.unconfirmed(topic: topics.scan, reason)
        figures.lastError = text
        // 144 topic, 149 too large, 153 format: the same message won't be taken later either. A person or time fixes the rest, and until
        // then nothing may be lost.
        let isFinal = [144, 149, 153].contains(reason)
        if !isFinal { status.set(.stalled, detail: text) }
        return .failed(reason: text, retry: !isFinal)
    }

    private func ackTimedOut() { lose(diagnosis.silent(for: limits.ackTimeout)) }

    /// Fails what has no PUBACK.
    private func failBatch(_ reason: String) {
        underWay?.batch.failOutstanding(reason)
        concludeIfDone()
    }

    private func concludeIfDone() {
        guard let finished = underWay, finished.batch.isDone else { return }
        underWay = nil
        cancelTimer(.ack)
        let (receipts, accepted) = finished.batch.conclusion
        figures.delivered += UInt64(accepted.count)
        let isHeldUp = if case .failed(_, retry: true)? = receipts.last { true } else { false }
        if !accepted.isEmpty, !isHeldUp, status.current.state == .stalled { showReady() }
        // One for the whole batch: after an outage only the latest is of interest.
        if let publication = accepted.reversed().lazy.compactMap({ self.messages.lastScan($0) }).first {
            post(publication)
        }
        finished.done.resume(returning: receipts)
    }
}

// MARK: - Commands

/// What comes from the broker: commands, the host's answers, and Home Assistant's "I am here".
extension MQTTOutput {
    func subscribe() {
        var wanted: [String] = []
        if settings.commands { wanted += [topics.torchCommand, topics.trigger, topics.answer] }
        if discovery != nil { wanted += topics.births.sorted() }
        for topic in wanted {
            guard let client = connection?.client else { return }
            switch client.subscribe(to: topic) {
            case .success(let id): connection?.subscriptions[id] = topic
            case .failure(let problem): note("cannot subscribe to \(topic): \(problem.text)")
            }
        }
    }

    func subscribed(id: Int32, granted: Int32) {
        guard let topic = connection?.subscriptions.removeValue(forKey: id), granted >= 128 else { return }
        note("the broker doesn't let us subscribe to \(topic), so nothing from there is obeyed: see its access list")
    }

    private func note(_ text: String) {
        figures.lastError = text
        notes.append(text)
        if status.current.state == .ready { showReady() }
    }

    func received(_ message: MQTTMessage) {
        guard !isStopped else { return }
        if topics.births.contains(message.topic) {
            // A retained one is older than this connection, and everything was announced after connecting.
            if !message.isRetained, message.payload == Array("online".utf8) { announce() }
            return
        }
        switch MQTTCommand.parse(message, topics: topics) {
        case nil: break
        case .success(.answer(let command, let tag)):
            ask(MQTTInbox.Asked(command: command, name: "answer", tag: tag), .answer)
        case .success(.command(let command, let tag)):
            ask(MQTTInbox.Asked(command: command, name: command.name, tag: tag), .command)
        case .failure(let problem):
            if problem.isObjection { context.object(HostObjection(output: name)) }
            reply(Reply(command: problem.command, error: problem.message), tag: problem.tag)
        }
    }

    private func ask(_ asked: MQTTInbox.Asked, _ kind: MQTTInbox.Kind) {
        guard inbox?.take(asked, kind) == false else { return }
        let text = "\(limits.commandQueue) of its kind are waiting already: try again later"
        reply(Reply(command: asked.name, error: text), tag: asked.tag)
    }

    private func reply(_ reply: Reply, tag: JSONValue?) {
        var line = reply.line(tag: tag)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        post(MQTTClient.Publication(topic: topics.reply, payload: line))
    }
}

// MARK: - Link

/// The connection: made, watched, lost and made again.
extension MQTTOutput {
    func attemptLink() {
        attempt += 1
        let options: MQTTClient.Options
        do throws(DeliveryError) {
            options = try self.options()
        } catch {
            return lose(MQTTTrouble(kind: .passing, message: error.message))
        }
        let number = attempt
        resolver.resolve(settings.host, port: diagnosis.port) { [loop] result in
            loop.execute { self.assumeIsolated { $0.resolved(result, options, number) } }
        }
    }

    /// Files are read for each attempt: somebody may fix or renew them while the station runs.
    private func options() throws(DeliveryError) -> MQTTClient.Options {
        let place = diagnosis.place
        var encryption: MQTTClient.TLS?
        if let tls = settings.tls {
            try MQTTFiles.check(tls.ca, "\(place).tls.ca")
            try MQTTFiles.check(tls.certificate, "\(place).tls.certificate")
            try MQTTFiles.check(tls.key, "\(place).tls.key")
            encryption = MQTTClient.TLS(
                ca: tls.ca, certificate: tls.certificate, key: tls.key, verify: tls.verify)
        }
        return MQTTClient.Options(
            clientID: diagnosis.clientID, protocolLevel: version.level,
            // Room for our own messages, so that they don't wait behind scans.
            inFlight: settings.inFlight + 16, username: settings.username,
            password: try SecretSource.read(
                file: settings.passwordFile, credential: settings.passwordCredential, place: place, what: "password"),
            tls: encryption, willTopic: topics.availability, willPayload: "offline")
    }

    private func resolved(
        _ result: Result<[SocketAddress], ResolveError>, _ options: MQTTClient.Options, _ number: UInt64
    ) {
        guard number == attempt, !isStopped else { return }
        switch result {
        case .failure(let error): lose(diagnosis.lookup(error.code))
        case .success(let addresses):
            raceTo(MQTTRoute.all(to: addresses, of: settings), options, number)
        }
    }

    /// The library takes a name's first address, whether it answers or not. So each address gets its own client, and the first one to
    /// connect is the connection.
    private func raceTo(_ routes: [MQTTRoute], _ options: MQTTClient.Options, _ number: UInt64) {
        let race = AddressRace<MQTTClient, MQTTTrouble>(
            loop: loop, candidates: routes.count, timeout: limits.connectTimeout,
            open: { _, index in self.assumeIsolated { $0.open(routes[index], index, options, number) } },
            describe: { client, error in self.assumeIsolated { $0.diagnosis.unconnected(error, client) } },
            done: { result in self.assumeIsolated { $0.raced(result) } })
        self.race = race
        race.start()
    }

    private func open(
        _ route: MQTTRoute, _ index: Int, _ options: MQTTClient.Options, _ number: UInt64
    ) {
        let client: MQTTClient
        do throws(DeliveryError) {
            client = try MQTTClient(options)
        } catch {
            race?.opened(index, .failure(MQTTTrouble(kind: .passing, message: error.message)))
            return
        }
        let port = diagnosis.port
        let keepAlive = Int(settings.keepAlive.components.seconds)
        connector.execute { [loop] in
            let outcome = client.connect(to: route, port: port, keepAlive: keepAlive)
            loop.execute { self.assumeIsolated { $0.opened(client, outcome, index, number) } }
        }
    }

    private func opened(
        _ client: MQTTClient, _ outcome: MQTTClient.Outcome, _ index: Int, _ number: UInt64
    ) {
        guard number == attempt, !isStopped else { return }
        if outcome.isSuccess, client.socket >= 0 {
            race?.opened(index, .success((client, client.socket)))
        } else {
            let trouble = diagnosis.ended(outcome, hadAnswer: false, complaints: client.complaints)
            race?.opened(index, .failure(trouble))
        }
    }

    private func raced(_ result: Result<MQTTClient, AddressRace<MQTTClient, MQTTTrouble>.Lost>) {
        race = nil
        switch result {
        case .success(let client): connected(client)
        // If IPv6 leads nowhere it fails first, which says nothing about the broker.
        case .failure(let lost) where lost.silent.isEmpty:
            lose(lost.failures.last?.problem ?? diagnosis.timedOut(after: limits.connectTimeout))
        case .failure: lose(diagnosis.timedOut(after: limits.connectTimeout))
        }
    }

    private func connected(_ client: MQTTClient) {
        let watch = loop.watch(client.socket, events: POLLIN | POLLOUT) { ready in
            self.assumeIsolated { $0.socketReady(ready) }
        }
        connection = Connection(client: client, watch: watch)
        setTimer(.deadline, after: limits.connectTimeout) { output in
            output.lose(output.diagnosis.timedOut(after: output.limits.connectTimeout))
        }
        keepStepping()
        updateInterest()
    }

    // MARK: A network that changes

    /// What is under way comes again on the next connection.
    private func leaveLostConnection() {
        guard let socket = connection?.client.socket, socket >= 0 else { return }
        guard TCPSocket.hasLostAddress(socket) || TCPSocket.isUnanswered(socket) else { return }
        lose(diagnosis.networkChanged())
    }

    private func keepStepping() {
        setTimer(.step, after: limits.stepInterval) {
            $0.keepStepping()
            $0.step()
        }
    }

    private func socketReady(_ ready: Int16) {
        // Only the socket knows why a connect failed; the library asks it for its next error.
        if let connection, connection.acceptedAt == nil, Int32(ready) & (POLLERR | POLLHUP) != 0 {
            var code: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            if getsockopt(connection.client.socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code != 0 {
                let outcome = MQTTClient.Outcome.system(code)
                return lose(diagnosis.ended(outcome, hadAnswer: false, complaints: connection.client.complaints))
            }
        }
        step()
    }

    private func step() {
        guard let client = connection?.client else { return }
        let outcome = client.step()
        for notice in client.takeNotices() {
            handle(notice)
            // One of them may have ended this connection.
            guard connection?.client === client else { return }
        }
        guard outcome.isSuccess else {
            ended(outcome, client)
            return
        }
        updateInterest()
    }

    private func handle(_ notice: MQTTNotice) {
        switch notice {
        case .connected(0): accepted()
        case .connected(let reason): refused(reason)
        case .disconnected(142):
            lose(diagnosis.takenOver(times: steadiness.takenOver()))
        case .disconnected(let reason) where reason >= 128: lose(diagnosis.dismissed(reason))
        case .disconnected: break  // The step's own result says it better.
        case .published(let id, let reason): published(id: id, reason: reason)
        case .subscribed(let id, let granted): subscribed(id: id, granted: granted)
        case .received(let message): received(message)
        }
    }

    private func accepted() {
        connection?.acceptedAt = Instant.now
        notes = []
        cancelTimer(.deadline)
        setTimer(.stable, after: limits.stableAfter) { output in
            output.steadiness.hasLasted()
            output.restLink()
        }
        subscribe()
        post(MQTTClient.Publication(topic: topics.availability, payload: Array("online".utf8), isRetained: true))
        announce()
        showReady()
    }

    /// What a broker keeps for others and may have lost.
    func announce() {
        if let discovery {
            post(
                MQTTClient.Publication(
                    topic: topics.discovery, payload: discovery.payload.bytes, isRetained: true))
        }
        for event in lastStates.sorted(by: { $0.key < $1.key }).map(\.value) {
            for publication in messages.lasting(event) { post(publication) }
        }
    }

    private func refused(_ reason: Int32) {
        // 1 (MQTT 3.1.1) and 132 (MQTT 5): the broker doesn't know MQTT 5.
        if reason == 1 || reason == 132, version.refused() {
            close()
            return attemptLink()
        }
        lose(diagnosis.refused(reason))
    }

    private func ended(_ outcome: MQTTClient.Outcome, _ client: MQTTClient) {
        let complaints = client.complaints
        version.ended(wasAccepted: connection?.acceptedAt != nil)
        guard let acceptedAt = connection?.acceptedAt else {
            return lose(diagnosis.ended(outcome, hadAnswer: false, complaints: complaints))
        }
        if let times = steadiness.ended(acceptedAt: acceptedAt, at: Instant.now) {
            return lose(diagnosis.closedSoon(times: times))
        }
        lose(diagnosis.ended(outcome, hadAnswer: true, complaints: complaints))
    }

    /// There is no connection (any more): say so, fail what was under way, and try again later.
    func lose(_ trouble: MQTTTrouble) {
        if connection?.acceptedAt == nil { steadiness.wasNotReached() }
        close()
        guard !isStopped else { return }
        figures.lastError = trouble.message
        status.set(.waiting, detail: trouble.message)
        if trouble.kind != linkKind {
            linkKind = trouble.kind
            resetLink(policy: trouble.kind == .passing ? limits.reconnect : limits.refused)
        }
        // A link that has been idle since a success starts afresh; one that is still trying lets its waits grow.
        linkLost()
        failBatch(trouble.message)
    }

    /// After a success: the next wait is the shortest again.
    private func restLink() {
        linkKind = .passing
        resetLink(policy: limits.reconnect)
    }

    /// The client goes, with all that it has queued.
    func close() {
        endRace()
        if let connection { loop.unwatch(connection.watch) }
        connection = nil
        for kind in timers.keys { cancelTimer(kind) }
        if let waiting = farewell {
            farewell = nil
            waiting.done.resume()
        }
    }

    /// `offline`, by ourselves: the last will is for ends that nobody planned.
    private func sayFarewell() async {
        guard connection?.acceptedAt != nil,
            let id = post(
                MQTTClient.Publication(topic: topics.availability, payload: Array("offline".utf8), isRetained: true))
        else { return }
        await withCheckedContinuation { done in
            farewell = (id, done)
            setTimer(.farewell, after: limits.farewellTimeout) { $0.close() }
        }
    }

    /// Publishes something that nobody waits for; `nil` if it can't: then it comes again after the next connect, or would be late anyway.
    @discardableResult
    func post(_ publication: MQTTClient.Publication) -> Int32? {
        guard let client = connection?.client, connection?.acceptedAt != nil else { return nil }
        defer { updateInterest() }
        return try? client.publish(publication).get()
    }

    private func showReady() { status.set(.ready, detail: notes.isEmpty ? nil : notes.joined(separator: "; ")) }

    func updateInterest() {
        guard let connection else { return }
        loop.setEvents(connection.client.wantsWrite ? POLLIN | POLLOUT : POLLIN, of: connection.watch)
    }

    // MARK: Timers

    func setTimer(
        _ kind: TimerKind, after wait: Duration, _ handler: @escaping @Sendable (isolated MQTTOutput) -> Void
    ) {
        cancelTimer(kind)
        timers[kind] = loop.setTimer(at: Instant.now.advanced(by: wait)) {
            self.assumeIsolated {
                $0.timers[kind] = nil
                handler($0)
            }
        }
    }

    func cancelTimer(_ kind: TimerKind) {
        if let id = timers.removeValue(forKey: kind) { loop.cancelTimer(id) }
    }
}
