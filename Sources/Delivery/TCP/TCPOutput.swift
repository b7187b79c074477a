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
/// `receipt: written` means: the whole record is in the kernel's send buffer for one peer at least. A peer whose program dies
/// before it reads, or a network that goes down at that moment, loses what was in there; `receipt: ack` is for those who mind.
/// A peer that closes its sending side counts as gone, as it can't be told from one that died.
///
/// With a lone peer that doesn't read, `deliver` waits (`stalled`): this output's scans stay in the journal, nothing else
/// does. The kernel closes such a connection after `peerTimeout`, and it is made again. Among several clients, one that
/// doesn't read is closed when `clientQueue` lines wait for it.
///
/// Over several files: the link is in `+Link`, the peers in `+Peers`, what they say in `+Answers`.
actor TCPOutput: Output, RelinkingOutput {
    struct Limits: Sendable {
        /// Waits between attempts to connect, or to listen.
        var reopen = RetryMachine.Policy(initial: .milliseconds(200), maximum: .seconds(10))
        /// A connection that lived shorter than this doesn't reset the waits.
        var provenAfter: Duration = .seconds(5)
        /// Nobody took the record for this long: the state is `stalled`.
        var stallAfter: Duration = .seconds(5)
        /// The kernel gives a connection up when what was sent isn't taken for this long (TCP_USER_TIMEOUT).
        var peerTimeout: Duration = .seconds(30)
        /// Bytes that the kernel may hold for a peer (SO_SNDBUF; it doubles the number for its own needs): what `written` can
        /// lose with a host that dies, and plenty for a local network.
        var kernelBytes = 65_536
        /// Bytes of a line that a peer sends.
        var maxLineBytes = 65_536
        /// Lines in a row that are no commands, before the connection is closed: two programs could answer each other's errors
        /// for ever.
        var maxBadLines = 16
        /// Bytes that wait for one peer, whatever the number of lines.
        var peerBytes = 8 << 20
        /// Commands of one peer that wait for their turn; its socket isn't read while there are more.
        var peerCommands = 16
        /// Pause after connections couldn't be accepted (the process is out of descriptors).
        var acceptPause: Duration = .seconds(1)
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    nonisolated let status = StatusChannel()
    nonisolated let plan: TCPPlan
    let limits: Limits
    let resolver: AddressResolver
    let handler: CommandHandler
    let tell: @Sendable (HostAnswer) -> Void
    let answerRule: OfferLedger.Rule
    let answerClock: @Sendable () -> Instant
    /// What hosts that have disconnected may still answer, by their addresses.
    var retired = RetiredLedgers<String>()
    let decoder: CommandDecoder

    var link: RetryLink
    var provenTimer: Int?
    var connector: TCPConnector?
    var listeners: [(descriptor: Descriptor, watch: Int)] = []
    var peers: [ClientID: TCPPeer] = [:]
    var nextPeer: UInt64 = 1
    private var isStarted = false
    var isStopped = false
    var figures: OutputReport
    private var current: Delivery?

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

    /// Throws what can't work on any machine. Hosts and ports are looked for after `start`.
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
        answerRule = context.answerRule
        answerClock = context.answerClock
        decoder = CommandDecoder(limits: CommandLimits(maxLineBytes: limits.maxLineBytes))
        link = RetryLink(policy: limits.reopen)
        figures = OutputReport(name: name, kind: "tcp", status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool { plan.wants(event) }

    func start() {
        guard !isStarted, !isStopped else { return }
        isStarted = true
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        guard let record = plan.record(event) else { return .accepted }
        guard !isStopped else { return stopped }
        guard current == nil else { return .failed(reason: "\(name) is sending already", retry: true) }
        await turnaround()
        guard !isStopped else { return stopped }
        let takers = peers.values.filter { $0.wants(event.type) }
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
            // First all of them: the first one may settle the event, or be closed, before the last one has it.
            for peer in takers { offer(record, to: peer) }
            for peer in takers { send(record, to: peer) }
        }
    }

    /// With ACK bytes: after an answer the line rests, so that a second one to the same record isn't taken for the next one's.
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
        finish(stopped)
        feedLink(.abandon)
        closeLink()
        for peer in peers.values { close(peer) }
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
    func offerCurrent(to peer: TCPPeer) {
        guard let current else { return }
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
        guard current != nil, !peers.values.contains(where: { $0.offerEnd != nil }) else { return }
        finish(.failed(reason: why, retry: true))
    }

    /// Ends the delivery; every peer may get the next event.
    func finish(_ receipt: Receipt) {
        guard let finished = current else { return }
        finished.timer.map(loop.cancelTimer)
        current = nil
        for peer in peers.values where peer.offerEnd != nil { endOffer(to: peer) }
        switch receipt {
        case .accepted: figures.delivered += 1
        case .refused: figures.refused += 1
        case .skipped, .failed: return finished.done.resume(returning: receipt)
        }
        status.set(.ready, detail: readyDetail)
        finished.done.resume(returning: receipt)
    }

    private func stalled() {
        let who = peers.values.filter { $0.offerEnd != nil }.map(\.address).sorted().joined(separator: ", ")
        let message =
            "\(who) took nothing for \(limits.stallAfter): the program there doesn't read; scans wait until it does"
        figures.lastError = message
        status.set(.stalled, detail: message)
    }

    private func unanswered() {
        let message =
            "\(plan.target): nobody answered within \(plan.settings.ackTimeout) (ackTimeout): the peer must send "
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
