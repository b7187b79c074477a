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
/// All of it runs on one event loop, the actor's executor, but for looking up a name, which blocks and has a thread of its own.
/// Each connection is a new client with a clean session (`MQTTClient` says why): what had no PUBACK when it was lost fails, worth
/// a retry, and is offered again in order; a broker may get the last few messages twice, never in another order.
///
/// State events need no receipt: the latest of each part is kept here, and published when it comes and after each connect. A
/// broker that has lost its retained messages gets them back.
actor MQTTOutput: Output, RelinkingOutput {
    struct Limits: Sendable {
        /// For connecting, and again for the broker's answer.
        var connectTimeout: Duration = .seconds(20)
        /// A broker that confirms nothing of what is under way for this long is left and connected to again.
        var ackTimeout: Duration = .seconds(30)
        /// How long `stop` waits until the broker has taken `offline`.
        var farewellTimeout: Duration = .seconds(1)
        /// A connection that lives this long was a success: the next wait is the shortest again.
        var stableAfter: Duration = .seconds(30)
        /// Connections that the broker accepts and closes sooner, that many times in a row, are taken for a fight over the id.
        var shortLife: Duration = .seconds(5)
        var shortLives = 3
        /// libmosquitto looks after keep-alive in whole seconds.
        var stepInterval: Duration = .seconds(1)
        /// Commands that wait while the station carries one out; more are refused.
        var commandQueue = 64
        /// What is older than this when the broker confirms it is on record there, but not among what is fresh.
        var freshFor: Duration = .seconds(10)
        var reconnect = RetryMachine.Policy(initial: .milliseconds(200), maximum: .seconds(10))
        /// After what only a person can change; each attempt makes a line in the broker's log.
        var refused = RetryMachine.Policy(initial: .seconds(5), maximum: .seconds(120))
    }

    /// One connection, from the moment on when its socket is connected.
    struct Connection {
        let client: MQTTClient
        var watch: Int
        /// Since when the broker has accepted us; `nil`: it has yet to answer.
        var acceptedAt: Instant?
        var hasDelivered = false
        /// Topics by the id of their SUBSCRIBE.
        var subscriptions: [Int32: String] = [:]
    }

    /// One call of `deliver` under way.
    private struct Batch {
        var events: [Event]
        var receipts: [Receipt?]
        /// Places in `events` by message id.
        var outstanding: [Int32: Int] = [:]
        let done: CheckedContinuation<[Receipt], Never>
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var batchLimit: Int { settings.inFlight }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    nonisolated let status = StatusChannel()
    /// On a thread of its own: one that hangs must not hold up `stop` and `report`.
    nonisolated let resolver: AddressResolver
    /// Where clients begin to connect: with encryption, the library looks the name up once more.
    nonisolated let connector = EventLoop()
    nonisolated let settings: MQTTSettings
    nonisolated let topics: MQTTTopics
    nonisolated let messages: MQTTMessages
    let limits: Limits
    let context: OutputContext
    let diagnosis: MQTTDiagnosis
    let discovery: HomeAssistantDiscovery?
    let clock: DeliveryClock
    /// Commands from here, as the station tells its clients apart.
    let clientNumber: ClientID

    var link: RetryLink
    var linkKind = MQTTTrouble.Kind.passing
    var race: AddressRace<MQTTClient, MQTTTrouble>?
    var connection: Connection?
    /// Counts attempts; what belongs to an earlier one is ignored.
    var attempt: UInt64 = 0
    var version = MQTTVersionChoice()
    /// Ends in a row that look like, or are, another client with our id.
    var takeovers = 0
    var shortLives = 0
    /// What a person should know though the output works.
    var notes: [String] = []
    var timers: [TimerKind: Int] = [:]
    var isStopped = false
    var figures: OutputReport
    var commands: AsyncStream<Asked>.Continuation?
    var answers: AsyncStream<Asked>.Continuation?
    /// The latest state events, by part.
    var lastStates: [String: Event] = [:]
    var farewell: (id: Int32, done: CheckedContinuation<Void, Never>)?
    private var batch: Batch?

    enum TimerKind: Hashable { case deadline, step, stable, ack, farewell }

    /// Throws what can't work on any machine; brokers and files are looked for by `start`.
    init(
        name: String, settings: MQTTSettings, secrets: SecretPolicy,
        context: OutputContext = OutputContext(),
        limits: Limits = Limits(), clock: DeliveryClock = .system, resolver: AddressResolver = AddressResolver()
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
        clientNumber = ClientID(number: UInt64.random(in: (1 << 63)...(.max)), door: name)
        self.topics = topics
        self.settings = settings
        self.context = context
        self.limits = limits
        self.clock = clock
        link = RetryLink(policy: limits.reconnect)
        figures = OutputReport(name: name, kind: "mqtt", status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool { messages.wants(event) }

    func start() {
        guard !isStopped, commands == nil else { return }
        obeyCommands()
        status.set(.connecting, detail: "to \(settings.host):\(diagnosis.port)")
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        await deliver([event]).first ?? .failed(reason: "\(name) gave no receipt", retry: true)
    }

    func deliver(_ events: [Event]) async -> [Receipt] {
        guard !isStopped else { return [.failed(reason: "\(name) is stopped", retry: true)] }
        guard batch == nil else { return [.failed(reason: "\(name) is delivering already", retry: true)] }
        return await withCheckedContinuation { done in
            batch = Batch(events: events, receipts: Array(repeating: nil, count: events.count), done: done)
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
        commands?.finish()
        answers?.finish()
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
        for (place, event) in events.enumerated() {
            if case .state(let state) = event.body {
                lastStates[state.part] = event
                for publication in messages.lasting(event) { post(publication) }
                batch?.receipts[place] = .accepted
                continue
            }
            guard let publication = messages.main(event) else {
                batch?.receipts[place] = .skipped(reason: "MQTT has no topic for it")
                continue
            }
            guard let client = connection?.client, connection?.acceptedAt != nil else {
                let reason = status.current.detail ?? "no connection to \(settings.host)"
                batch?.receipts[place] = .failed(reason: reason, retry: true)
                break
            }
            switch client.publish(publication) {
            case .success(let id):
                batch?.outstanding[id] = place
                figures.bytes += UInt64(publication.payload.count)
            case .failure(let problem) where problem.isOversize:
                let reason = "\(publication.payload.count) bytes are more than the broker \(settings.host) takes"
                figures.lastError = reason
                batch?.receipts[place] = .failed(reason: reason, retry: false)
            case .failure(let problem):
                // It may be in the library's queue all the same: that goes with the connection.
                batch?.receipts[place] = .failed(reason: problem.text, retry: true)
                return lose(diagnosis.ended(problem.outcome, hadAnswer: true, complaints: client.complaints))
            }
            // What would come behind a failed one is offered again, and must not have been sent before.
            if batch?.receipts[place] != nil { break }
        }
        updateInterest()
        concludeBatchIfDone()
        if batch != nil { setTimer(.ack, after: limits.ackTimeout) { $0.ackTimedOut() } }
    }

    /// A PUBACK, for a scan or for something of our own.
    func published(id: Int32, reason: Int32) {
        if let waiting = farewell, waiting.id == id {
            farewell = nil
            waiting.done.resume()
        }
        guard let place = batch?.outstanding.removeValue(forKey: id) else { return }
        batch?.receipts[place] = reason < 128 ? .accepted : refusal(reason)
        if reason < 128 {
            hasDelivered()
            if let event = batch?.events[place] { publishIfFresh(event) }
        }
        setTimer(.ack, after: limits.ackTimeout) { $0.ackTimedOut() }
        concludeBatchIfDone()
    }

    /// Once the broker has the event, not beside it: a broker that takes nothing for a while, and a repeat after a lost
    /// connection, would otherwise have Home Assistant act late, or twice.
    private func publishIfFresh(_ event: Event) {
        guard let age = ScanAge.of(event, on: clock), age <= limits.freshFor, let publication = messages.fresh(event)
        else { return }
        post(publication)
    }

    /// The first receipt of a connection makes it a success, too, unless it is one of many that didn't last.
    private func hasDelivered() {
        guard connection?.hasDelivered == false else { return }
        connection?.hasDelivered = true
        if takeovers == 0, shortLives < limits.shortLives { restLink() }
    }

    private func refusal(_ reason: Int32) -> Receipt {
        let text = diagnosis.unconfirmed(topic: topics.scan, reason)
        figures.lastError = text
        // 144 topic, 149 too large, 153 format: the same message won't be taken later either. The rest a person or time puts
        // right, and until then nothing may be lost.
        let isFinal = [144, 149, 153].contains(reason)
        if !isFinal { status.set(.stalled, detail: text) }
        return .failed(reason: text, retry: !isFinal)
    }

    private func ackTimedOut() { lose(diagnosis.silent(for: limits.ackTimeout)) }

    /// Fails what has no PUBACK.
    func failBatch(_ reason: String) {
        guard let open = batch?.outstanding else { return }
        for place in open.values { batch?.receipts[place] = .failed(reason: reason, retry: true) }
        batch?.outstanding = [:]
        concludeBatchIfDone()
    }

    private func concludeBatchIfDone() {
        guard let finished = batch, finished.outstanding.isEmpty else { return }
        batch = nil
        cancelTimer(.ack)
        var receipts: [Receipt] = []
        for case let receipt? in finished.receipts {
            receipts.append(receipt)
            if case .failed = receipt { break }
        }
        let accepted = zip(finished.events, receipts).filter { $0.1 == .accepted }.map(\.0)
        figures.delivered += UInt64(accepted.count)
        if !accepted.isEmpty, status.current.state == .stalled { showReady() }
        // One for all of a batch: after an outage only the latest is of interest.
        if let publication = accepted.reversed().lazy.compactMap({ self.messages.lastScan($0) }).first {
            post(publication)
        }
        finished.done.resume(returning: receipts)
    }
}
