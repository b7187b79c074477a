import Control
import Glibc
import Linux
import ScanCore
import Settings
import Vocabulary
import Wire

/// Scans over TCP, to a host that listens or to clients that connect, as NDJSON or as a template makes them.
///
/// ```
/// client role:  name ─▶ addresses ─▶ connection ─▶ one peer      lost: again, with back-off
/// server role:  listening sockets ─▶ up to maxClients peers      nobody connected: scans wait
/// deliver ─▶ every peer's lines ─▶ kernel ─▶ network
///    ▲── receipt: the first peer that took it, or answered
/// ```
/// `receipt: written` means that the whole record is in the kernel's send buffer for at least one peer. If the peer's program dies before
/// it reads, or the network goes down at that moment, what was in there is lost; if that matters, use `receipt: ack`. A peer that closes
/// its sending side counts as gone, because it looks like one that died.
///
/// With a single peer that doesn't read, `deliver` waits (`stalled`): this output's scans stay in the journal, and nothing else is
/// affected. The kernel closes the connection after `peerTimeout`, and it is made again. Among several clients, one that doesn't read is
/// closed when `clientQueue` lines wait for it.
actor TCPOutput: Output, RacingOutput {
    struct Limits: Sendable {
        /// Waits between attempts to connect, or to listen.
        var reopen = RetryMachine.Policy(initial: .milliseconds(200), maximum: .seconds(10))
        /// A connection that lasted less than this doesn't reset the waits.
        var provenAfter: Duration = .seconds(5)
        /// Nobody took the record for this long: the state is `stalled`.
        var stallAfter: Duration = .seconds(5)
        /// The kernel gives up a connection when sent data isn't acknowledged for this long (TCP_USER_TIMEOUT).
        var peerTimeout: Duration = .seconds(30)
        /// Bytes that the kernel may hold for a peer (SO_SNDBUF; it doubles the number for its own needs): what `written` can
        /// lose with a host that dies, and plenty for a local network.
        var kernelBytes = 65_536
        /// Bytes of a line that a peer sends.
        var maxLineBytes = 65_536
        /// After this many lines in a row that aren't commands, the connection is closed: two programs could answer each other's errors for
        /// ever.
        var maxBadLines = 16
        /// Bytes that may wait for one peer, however many lines they are.
        var peerBytes = 8 << 20
        /// Commands of one peer that may wait for their turn; its socket isn't read while there are more.
        var peerCommands = 16
        /// Pause after a failure to accept connections (the process is out of descriptors).
        var acceptPause: Duration = .seconds(1)
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    nonisolated let status = StatusChannel()
    private nonisolated let plan: TCPPlan
    private let limits: Limits
    private let resolver: AddressResolver
    private let handler: CommandHandler
    private let tell: @Sendable (HostAnswer) -> Void
    private let object: @Sendable (HostObjection) -> Void
    private let answerRule: OfferLedger.Rule
    private let answerClock: @Sendable () -> Instant
    /// What hosts that have disconnected may still answer, in JSON.
    private var retired = RetiredLedgers<String>()
    /// With ACK and NAK bytes.
    private var debts: TCPDebts
    private let decoder: CommandDecoder

    var link: RetryLink
    private var provenTimer: Int?
    var race: TCPRace?
    private var listeners: [(descriptor: Descriptor, watch: Int)] = []
    private var peers: [ClientID: TCPPeer] = [:]
    private var nextPeer: UInt64 = 1
    private var isStarted = false
    private var isStopped = false
    var figures: OutputReport
    private var current: Delivery?
    /// The scan that is offered again at that time at the latest.
    private var held: (scan: String, timer: Int)?

    /// One event on its way.
    struct Delivery {
        let record: [UInt8]
        /// `nil`: not a scan.
        let scan: String?
        let answer: TCPPlan.Answer
        /// Somebody has it.
        var isTaken = false
        /// The stall timer until somebody took it, then the answer's; never both.
        var timer: Int?
        let done: CheckedContinuation<Receipt, Never>
    }

    /// Throws if the settings can't work on any machine. Hosts and ports are looked for after `start`.
    init(
        name: String, settings: TCPSettings, secrets: SecretPolicy,
        context: OutputContext = OutputContext(), limits: Limits = Limits(),
        resolver: AddressResolver = AddressResolver()
    ) throws(DeliveryError) {
        self.resolver = resolver
        plan = try TCPPlan(settings, place: "\(context.place).tcp", secrets: secrets)
        self.name = name
        self.limits = limits
        handler = context.commands
        tell = context.answer
        object = context.object
        answerRule = context.answerRule
        answerClock = context.answerClock
        debts = TCPDebts(
            memory: AckMemory(folder: context.stateFolder, output: name), isServer: settings.role == .server,
            rule: context.answerRule)
        decoder = CommandDecoder(limits: CommandLimits(maxLineBytes: limits.maxLineBytes))
        link = RetryLink(policy: limits.reopen)
        figures = OutputReport(name: name, kind: TCPSettings.key, status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool { plan.wants(event) }

    func start() {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        if plan.isAnsweredByBytes { debts.begin(at: Instant.now) }
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        guard let record = plan.record(event) else { return .accepted }
        guard !isStopped else { return stopped }
        guard current == nil else { return .failed(reason: "\(name) is sending already", retry: true) }
        await turnaround()
        guard !isStopped else { return stopped }
        endHold()
        let wanting = peers.values.filter { $0.wants(event.type) }
        // A byte that comes from these now may be to another scan.
        let takers = wanting.filter { peer in
            event.scanID.map { !peer.mayAnswer(besides: $0, at: Instant.now) } ?? true
        }
        if takers.isEmpty, let peer = wanting.first {
            let message =
                "\(peer.address) may still answer what it was sent on an earlier connection: the next scan waits until it has, or for "
                + "\(DurationText.text(answerLimit)) of its silence (answerLimit)"
            figures.lastError = message
            status.set(.stalled, detail: message)
            event.scanID.map(hold)
            return .failed(reason: message, retry: true)
        }
        guard !takers.isEmpty else {
            let status = status.current
            let reason = status.state == .ready ? "no client has subscribed to \(event.type)" : status.detail
            return .failed(reason: reason ?? "\(plan.target) is not connected", retry: true)
        }
        var scan: String?
        if case .scan(let body) = event.body { scan = body.scan.id }
        return await withCheckedContinuation { done in
            current = Delivery(record: record, scan: scan, answer: plan.answer(to: event), done: done)
            setTimer(after: limits.stallAfter) { $0.stalled() }
            // All of them first: the first one may settle the event, or be closed, before the last one has it.
            for peer in takers { offer(record, to: peer) }
            for peer in takers { send(record, to: peer) }
        }
    }

    /// Every host may still answer something else: the scan waits until one has, or was silent for long enough.
    private func hold(_ scan: String) {
        let now = Instant.now
        let ends = peers.values.filter { !$0.isClosing }.map { $0.line?.owedFromBefore(besides: scan, at: now) ?? now }
        guard let end = ends.min() else { return }
        held = (scan, loop.setTimer(at: end) { self.assumeIsolated { $0.release() } })
    }

    private func endHold() {
        held.map { loop.cancelTimer($0.timer) }
        held = nil
    }

    /// Has the scan offered again if nothing is in its way any more.
    private func release() {
        guard let scan = held?.scan else { return }
        endHold()
        guard status.current.state == .stalled, current == nil else { return }
        if peers.values.contains(where: { !$0.isClosing && !$0.mayAnswer(besides: scan, at: Instant.now) }) {
            status.set(.ready, detail: readyDetail)
        } else {
            hold(scan)
        }
    }

    /// With ACK bytes: after an answer the line rests, so that a second answer to the same record isn't taken for the next record's.
    private func turnaround() async {
        let now = Instant.now
        guard let rest = peers.values.compactMap({ $0.line?.restsUntil }).max(), rest > now else { return }
        await withCheckedContinuation { done in _ = loop.setTimer(at: rest) { done.resume() } }
    }

    func conditionsChanged() {
        knockAgain()
        closeLostPeers()
        feedLink(.conditionsChanged)
    }

    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        endHold()
        finish(stopped)
        feedLink(.abandon)
        closeLink()
        for peer in peers.values { close(peer) }
        if plan.isAnsweredByBytes { debts.end() }
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        report.queued = peers.values.map(\.outgoing.count).max() ?? 0
        if plan.settings.role == .server { report.clients = peers.count }
        return report
    }

    /// Where a server listens.
    var addresses: [SocketAddress] {
        listeners.compactMap { SocketAddress(of: $0.descriptor.number, getsockname) }
    }

    var stopped: Receipt { .failed(reason: "\(name) is stopped", retry: true) }

    /// The scan that waits for its receipt.
    var scanUnderWay: String? { current?.scan }

    // MARK: The event under way

    /// A client that came while nobody has settled the event may do so.
    private func offerCurrent(to peer: TCPPeer) {
        guard let current, !(current.scan.map { peer.mayAnswer(besides: $0, at: Instant.now) } ?? false) else { return }
        offer(current.record, to: peer)
        send(current.record, to: peer)
    }

    /// A peer's kernel buffer has the whole record.
    func taken(by peer: TCPPeer) {
        guard let delivery = current else { return }
        switch delivery.answer {
        case .none: finish(.accepted)
        case .byte:
            setTimer(after: nil) { _ in }
            step(peer, .written)
        case .command where !delivery.isTaken: setTimer(after: plan.settings.ackTimeout) { $0.unanswered() }
        case .command: break
        }
        current?.isTaken = true
    }

    /// A peer is gone, or can't settle the event any more.
    func withdrawn(_ why: String) {
        guard current != nil, !peers.values.contains(where: { $0.offerRest != nil }) else { return }
        finish(.failed(reason: why, retry: true))
    }

    /// Ends the delivery; every peer may get the next event.
    func finish(_ receipt: Receipt) {
        guard let finished = current else { return }
        finished.timer.map(loop.cancelTimer)
        current = nil
        for peer in peers.values where peer.offerRest != nil { endOffer(to: peer) }
        rememberDebts()
        switch receipt {
        case .accepted: figures.delivered += 1
        case .refused: figures.refused += 1
        case .skipped, .failed: return finished.done.resume(returning: receipt)
        }
        status.set(.ready, detail: readyDetail)
        finished.done.resume(returning: receipt)
    }

    private func stalled() {
        let who = peers.values.filter { $0.offerRest != nil }.map(\.address).sorted().joined(separator: ", ")
        let message =
            "\(who) took nothing for \(limits.stallAfter): the program there doesn't read; scans wait until it does"
        figures.lastError = message
        status.set(.stalled, detail: message)
    }

    private func unanswered() {
        let message =
            "\(plan.target): nobody answered within \(DurationText.text(plan.settings.ackTimeout)) (ackTimeout): the peer must send "
            + #"{"command":"ack","id":…} for each scan"#
        figures.lastError = message
        status.set(.stalled, detail: message)
        finish(.failed(reason: message, retry: true))
    }

    private func setTimer(after wait: Duration?, _ handler: @escaping @Sendable (isolated TCPOutput) -> Void) {
        (current?.timer).map(loop.cancelTimer)
        current?.timer = wait.map { wait in
            loop.setTimer(at: Instant.now.advanced(by: wait)) { self.assumeIsolated { handler($0) } }
        }
    }
}

// MARK: - Answers

/// What peers say: lines of JSON, or the bytes ACK and NAK.
extension TCPOutput {
    // MARK: Bytes

    func take(_ byte: UInt8, from peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        step(peer, .received(byte))
    }

    func step(_ peer: TCPPeer, _ event: AckLine.Event) {
        guard let actions = peer.line?.handle(event, at: Instant.now) else { return }
        for action in actions {
            switch action {
            // The record is on its way; it isn't transmitted again.
            case .transmit, .foundPlace, .stale: break
            case .objected(let scan): object(HostObjection(output: name, scans: scan.map { [$0] }))
            case .wakeAt(let instant):
                peer.lineTimer.map(loop.cancelTimer)
                let id = peer.id
                peer.lineTimer = instant.map { instant in
                    loop.setTimer(at: instant) {
                        self.assumeIsolated { output in output.peers[id].map { output.step($0, .timer) } }
                    }
                }
            case .finished(let outcome): conclude(outcome, peer)
            case .lostPlace:
                let message =
                    "it answers more often than it is asked, so its answers can't be told apart: the connection is closed "
                    + "and starts again with nothing owed"
                figures.lastError = "\(peer.address): \(message)"
                close(peer, message)
            }
        }
    }

    private func conclude(_ outcome: AckLine.Outcome, _ peer: TCPPeer) {
        switch outcome {
        case .accepted:
            if let scan = scanUnderWay { tell(HostAnswer(output: name, scan: scan, isAccepted: true)) }
            finish(.accepted)
        case .refused:
            let reason = "\(peer.address) answered NAK"
            if let scan = scanUnderWay {
                tell(HostAnswer(output: name, scan: scan, isAccepted: false, reason: reason))
            }
            finish(.refused(reason: reason))
        case .silent:
            // Its late answer would be taken for the next scan's.
            let message = "no ACK within \(DurationText.text(plan.settings.ackTimeout)) (ackTimeout)"
            figures.lastError = "\(peer.address): \(message)"
            close(peer, message)
        }
    }

    // MARK: Lines

    func take(_ parts: [LineSplitter.Part], from peer: TCPPeer) {
        let now = answerClock()
        for part in parts {
            switch part {
            case .line(let line):
                peer.commands.append(ReceivedCommand(decoder.decode(line), ledger: &peer.ledger, at: now))
            case .overlong:
                dismiss(
                    peer, "a line is longer than \(limits.maxLineBytes) bytes (maxLineBytes): the connection is closed")
            }
        }
        runNext(peer)
    }

    private func runNext(_ peer: TCPPeer) {
        while peers[peer.id] != nil, !peer.isBusy, !peer.isClosing, !peer.commands.isEmpty {
            switch peer.commands.removeFirst() {
            case .error(let error):
                peer.badLines += 1
                guard peer.badLines < limits.maxBadLines else {
                    dismiss(
                        peer,
                        "\(limits.maxBadLines) lines in a row weren't commands (maxBadLines): the connection is closed")
                    return
                }
                send(error.reply.line(tag: error.tag), to: peer)
            case .command(let decoded, let resolved):
                peer.badLines = 0
                carryOut(decoded, resolved, for: peer)
            }
        }
        updateInterest(peer)
    }

    /// Closes a peer after telling it why.
    private func dismiss(_ peer: TCPPeer, _ message: String) {
        figures.lastError = "\(peer.address): \(message)"
        peer.commands = []
        peer.isClosing = true
        send(Reply(command: "", error: message).line(), to: peer)
    }

    private func carryOut(
        _ decoded: DecodedCommand, _ resolved: Result<Command, CommandProblem>, for peer: TCPPeer
    ) {
        let command: Command
        switch resolved {
        case .success(let resolved):
            command = resolved
        case .failure(let problem):
            if problem.isObjection { object(HostObjection(output: name)) }
            return answer(decoded, problem.message, peer)
        }
        switch command {
        case .ack(let id): answer(decoded, settle(id, .accepted), peer)
        case .accept(let id?, _):
            // Too late for the receipt isn't too late for the answer.
            _ = settle(id, .accepted)
            forward(command, decoded.tag, for: peer)
        case .refuse(let id?, let reason):
            _ = settle(id, .refused(reason: reason ?? "the host refused it"))
            forward(command, decoded.tag, for: peer)
        case .subscribe(_, let after?, _, _):
            answer(
                decoded,
                "\"after\" \(after) is for the control socket and Unix sockets: here scans are sent until a client has taken them",
                peer)
        case .subscribe(let types, nil, _, _):
            peer.types = Set(types)
            let fields: [String: JSONValue] = ["types": .array(types.map(JSONValue.string))]
            send(Reply(command: command.name, fields: fields).line(tag: decoded.tag), to: peer)
        default:
            guard plan.settings.commands else {
                return answer(
                    decoded,
                    "this line takes ack, accept, refuse and subscribe only: set \(plan.place).commands to take others, or "
                        + "use the control socket", peer)
            }
            forward(command, decoded.tag, for: peer)
        }
    }

    /// Gives the scan under way its receipt; otherwise says why not.
    private func settle(_ id: String, _ receipt: Receipt) -> String? {
        guard plan.settings.receipt == .ack else { return nil }
        guard let scan = scanUnderWay, id == scan else {
            return "no scan \"\(id)\" waits for an answer here: it was settled, or is sent again"
        }
        finish(receipt)
        return nil
    }

    private func answer(_ decoded: DecodedCommand, _ problem: String?, _ peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        send(Reply(command: decoded.command.name, error: problem).line(tag: decoded.tag), to: peer)
    }

    private func forward(_ command: Command, _ tag: JSONValue?, for peer: TCPPeer) {
        peer.isBusy = true
        let id = peer.id
        Task { [handler] in
            let reply = await handler(command, id)
            self.forwarded(id, reply.line(tag: tag))
        }
    }

    private func forwarded(_ id: ClientID, _ line: [UInt8]) {
        guard let peer = peers[id] else { return }
        peer.isBusy = false
        send(line, to: peer)
        runNext(peer)
    }
}

// MARK: - Link

/// Getting peers: connecting, or listening.
extension TCPOutput {
    /// Stops connecting and listening.
    private func closeLink() {
        endRace()
        provenTimer.map(loop.cancelTimer)
        provenTimer = nil
        for listener in listeners { loop.unwatch(listener.watch) }
        listeners = []
    }

    /// What a person should know although it works.
    private var readyDetail: String? {
        guard plan.settings.role == .server else { return nil }
        return "listening on \(addresses.map(\.description).joined(separator: ", "))"
    }

    func attemptLink() {
        let isPassive = plan.settings.role == .server
        if status.current.state == .idle {
            status.set(isPassive ? .waiting : .connecting, detail: isPassive ? nil : "to \(plan.target)")
        }
        resolver.resolve(plan.settings.host, port: plan.settings.port, isPassive: isPassive) { [loop] result in
            loop.execute { self.assumeIsolated { $0.resolved(result) } }
        }
    }

    private func resolved(_ result: Result<[SocketAddress], ResolveError>) {
        guard !isStopped else { return }
        switch result {
        case .failure(let error):
            failed(
                "cannot resolve \"\(plan.settings.host)\" (\(error.text)): check \(plan.place).host and the network's name "
                    + "server")
        case .success(let addresses) where plan.settings.role == .server: listen(on: addresses)
        case .success(let addresses): connect(to: addresses)
        }
    }

    private func connect(to addresses: [SocketAddress]) {
        let race = TCPRace(
            loop: loop, addresses: addresses, target: "\(plan.target)", timeout: plan.settings.connectTimeout
        ) { result in
            self.assumeIsolated { $0.connected(result) }
        }
        self.race = race
        race.start()
    }

    private func failed(_ message: String) {
        waiting(message)
        feedLink(.failed)
    }

    private func waiting(_ message: String) {
        figures.lastError = message
        status.set(.waiting, detail: message)
    }

    // MARK: Client

    private func connected(_ result: Result<Descriptor, DeliveryError>) {
        race = nil
        switch result {
        case .failure(let error): failed("cannot connect to \(plan.target): \(error.message)")
        case .success(let descriptor):
            welcome(descriptor)
            // A host that takes connections and closes them at once is tried less and less often.
            provenTimer = loop.setTimer(at: Instant.now.advanced(by: limits.provenAfter)) {
                self.assumeIsolated { $0.proven() }
            }
            status.set(.ready, detail: readyDetail)
        }
    }

    private func proven() {
        provenTimer = nil
        feedLink(.succeeded)
    }

    /// The connection is over; a server has others, and goes on listening.
    func lost(_ why: String) {
        guard !isStopped else { return }
        guard plan.settings.role == .client else {
            if peers.isEmpty { status.set(.waiting, detail: nobody) }
            return
        }
        provenTimer.map(loop.cancelTimer)
        provenTimer = nil
        waiting("the connection to \(plan.target) is over (\(why)); connecting again")
        linkLost()
    }

    // MARK: Server

    private var nobody: String {
        "listening on \(addresses.map(\.description).joined(separator: ", ")); nobody is connected: scans wait"
    }

    private func listen(on addresses: [SocketAddress]) {
        for address in addresses {
            switch TCPSocket.listen(on: address, isAlone: addresses.count == 1) {
            case .success(let descriptor):
                let watch = loop.accept(on: descriptor.number, pause: limits.acceptPause) { connection in
                    self.assumeIsolated { $0.accept(connection) }
                }
                listeners.append((descriptor, watch))
            case .failure(let error):
                closeLink()
                return failed(describe(error, address))
            }
        }
        feedLink(.succeeded)
        status.set(.waiting, detail: nobody)
    }

    private func describe(_ error: SystemError, _ address: SocketAddress) -> String {
        let advice =
            switch error.code {
            case EADDRINUSE:
                "another program has the port (ss -ltnp shows it): stop it, or set another \(plan.place).port"
            case EADDRNOTAVAIL: "this machine has no such address (yet): correct \(plan.place).host"
            case EACCES: "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE): set a higher \(plan.place).port"
            default: error.text
            }
        return "cannot listen on \(address): \(advice)"
    }

    private func accept(_ connection: Result<Descriptor, SystemError>) {
        switch connection {
        case .success(let descriptor) where peers.count < plan.settings.maxClients:
            welcome(descriptor)
            status.set(.ready, detail: readyDetail)
        case .success(let descriptor): turnAway(descriptor)
        case .failure(let error): figures.lastError = "cannot accept a connection: \(error.text)"
        }
    }
}

// MARK: - Peers

/// Bytes to and from the peers.
extension TCPOutput {
    func welcome(_ descriptor: Descriptor) {
        TCPSocket.tune(descriptor, peerTimeout: limits.peerTimeout, sendBufferBytes: limits.kernelBytes)
        let id = ClientID(number: nextPeer, door: name)
        nextPeer += 1
        let address = SocketAddress(of: descriptor.number, getpeername)?.description ?? plan.target
        let party = party(at: address)
        let older = peers.values.filter { self.party(at: $0.address) == party }
        let now = plan.isAnsweredByBytes ? Instant.now : answerClock()
        let peer = TCPPeer(
            id: id, descriptor: descriptor, address: address, maxLineBytes: limits.maxLineBytes,
            ledger: retired.ledger(
                for: party, living: older.map { ($0.ledger, $0.openedAt) }, rule: answerRule, at: now), openedAt: now)
        if plan.isAnsweredByBytes {
            // TCP repairs what a serial line would garble, so nothing is sent twice on one connection: NAK means no. But behind a serial device
            // server, an answer that is owed on one connection comes on the next.
            let owed = debts.take(of: party, living: older.compactMap { $0.debts(at: now) })
            peer.line = AckLine(
                timeout: plan.settings.ackTimeout, retries: 0, answerLimit: Self.everOwed, holds: false,
                debts: owed.map { ($0, now) }, debtLimit: answerLimit, rule: answerRule)
        }
        peers[id] = peer
        peer.watch = loop.watch(descriptor.number, events: POLLIN) { ready in
            self.assumeIsolated { $0.handle(ready, id) }
        }
        offerCurrent(to: peer)
    }

    /// One client too many. If it reads JSON, it is told so.
    func turnAway(_ descriptor: Descriptor) {
        let message =
            "the station serves \(plan.settings.maxClients) clients here already (maxClients): close one, or raise the limit"
        figures.lastError = "a client was turned away: \(message)"
        guard plan.settings.lines == .json else { return }
        // The socket is fresh: a line fits into its buffer.
        _ = descriptor.write(Reply(command: "", error: message).line(), from: 0, isSocket: true)
    }

    /// Who is at the other end: the host that is connected to, at whatever address; a client's address without the port, which changes each time.
    private func party(at address: String) -> String {
        guard plan.settings.role == .server else { return plan.target }
        return String(address[..<(address.lastIndex(of: ":") ?? address.endIndex)])
    }

    /// A station that is killed remembers what may still be answered.
    private func rememberDebts() {
        guard plan.isAnsweredByBytes else { return }
        let now = Instant.now
        debts.remember(isOwed: peers.values.contains { $0.debts(at: now) != nil })
    }

    /// After so much of a host's silence on one connection, nothing comes on it any more that answers what was sent on an earlier one: a device
    /// server's buffers aren't larger, and a host isn't slower.
    private var answerLimit: Duration { plan.settings.answerLimit ?? max(.seconds(10), plan.settings.ackTimeout * 2) }
    /// While a connection lasts, every answer stays owed, because the connection loses nothing.
    private static let everOwed: Duration = .seconds(1_000_000_000)

    /// Drops a peer; others may take what it was offered, or it comes again.
    func close(_ peer: TCPPeer, _ why: String = "closed") {
        guard peers.removeValue(forKey: peer.id) != nil else { return }
        peer.watch.map(loop.unwatch)
        peer.watch = nil
        endOffer(to: peer)
        peer.outgoing = OutgoingLines()
        peer.isClosing = true
        if plan.settings.lines == .json {
            retired.retire(
                peer.ledger, of: party(at: peer.address), openedAt: peer.openedAt, at: answerClock())
        } else if let owed = peer.debts(at: Instant.now) {
            debts.add(owed, of: party(at: peer.address))
        }
        TCPSocket.discardInput(peer.descriptor)
        shutdown(peer.descriptor.number, Int32(SHUT_RDWR))
        lost(why)
        withdrawn("\(peer.address): \(why)")
    }

    /// After a change of the network. What the kernel holds may still arrive. If that counted as delivered, nobody will send it again, so
    /// the connection gets the time it needs.
    private func closeLostPeers() {
        for peer in peers.values {
            if TCPSocket.hasLostAddress(peer.descriptor.number) {
                close(peer, "the address that it was connected to from here is gone")
            } else if plan.settings.receipt == .ack, TCPSocket.isUnanswered(peer.descriptor.number) {
                close(peer, "the network changed, and nothing has come back since before that")
            }
        }
    }

    // MARK: Out

    /// Marks `record`, which is sent next, as the event under way.
    func offer(_ record: [UInt8], to peer: TCPPeer) {
        peer.offerRest = peer.outgoing.bytes + record.count
        peer.hasTaken = false
        guard let scan = scanUnderWay else { return }
        peer.ledger.offered(scan, at: answerClock(), hasUnread: isReady(peer.descriptor.number))
        if peer.line != nil { debts.remember(isOwed: true) }
        step(peer, .send(scan: scan))
    }

    private func endOffer(to peer: TCPPeer) {
        peer.offerRest = nil
        // It has the record, or will get it, and will answer it at some point.
        step(peer, .abandon)
    }

    func send(_ bytes: [UInt8], to peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        peer.outgoing.append(bytes)
        flush(peer)
        let (waiting, waitingBytes) = (peer.outgoing.count, peer.outgoing.bytes)
        guard peers[peer.id] != nil, waiting > plan.settings.clientQueue || waitingBytes > limits.peerBytes,
            // A single record that is larger than the limit must still get through.
            waiting > 1
        else { return }
        figures.slowClientsDropped += 1
        let message = "\(waiting) lines waited for it (clientQueue): the program there doesn't read"
        figures.lastError = "\(peer.address) was closed: \(message)"
        close(peer, message)
    }

    private func flush(_ peer: TCPPeer) {
        let (written, error) = peer.outgoing.flush(to: peer.descriptor)
        peer.offerRest? -= written
        figures.bytes += UInt64(written)
        if let error {
            // Not at once: what was received earlier, perhaps an answer, has yet to be read.
            let id = peer.id
            return loop.execute {
                self.assumeIsolated { output in
                    guard let peer = output.peers[id] else { return }
                    output.read(peer)
                    output.close(peer, error.text)
                }
            }
        }
        if peer.isClosing, peer.outgoing.isEmpty { return close(peer, "closed here") }
        updateInterest(peer)
        guard let rest = peer.offerRest, rest <= 0, !peer.hasTaken else { return }
        peer.hasTaken = true
        taken(by: peer)
    }

    func updateInterest(_ peer: TCPPeer) {
        guard let watch = peer.watch else { return }
        var events: Int32 = 0
        if !peer.isClosing, peer.commands.count < limits.peerCommands { events |= POLLIN }
        if !peer.outgoing.isEmpty { events |= POLLOUT }
        loop.setEvents(events, of: watch)
    }

    // MARK: In

    private func handle(_ ready: Int16, _ id: ClientID) {
        guard let peer = peers[id] else { return }
        if Int32(ready) & POLLOUT != 0 { flush(peer) }
        guard peers[id] != nil else { return }
        if Int32(ready) & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 { read(peer) }
    }

    /// One read per turn, so that a peer that floods us leaves the others their turns.
    func read(_ peer: TCPPeer) {
        guard peers[peer.id] != nil else { return }
        switch peer.descriptor.read(limit: 16_384) {
        case .bytes(let bytes):
            guard !peer.isClosing else { return }
            TCPSocket.acknowledge(peer.descriptor)
            if plan.settings.lines == .json {
                take(peer.splitter.add(bytes), from: peer)
            } else {
                for byte in bytes { take(byte, from: peer) }
                release()
            }
        case .nothing: break
        case .end: close(peer, "the other side closed it")
        case .failed(let error): close(peer, error.text)
        }
    }
}
