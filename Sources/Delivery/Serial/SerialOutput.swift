import Glibc
import Linux
import ScanCore
import Settings
import Vocabulary
import Wire

/// Scans on a serial line, formatted by a template, and acknowledged by the host if configured.
///
/// The device is opened when it is there and opened again when it was unplugged, with back-off (`RetryMachine`). While it is
/// away, `deliver` fails at once, worth a retry: the scan waits in the journal, and the lane tries again as soon as the
/// state is `ready`. A bare line gives no receipt ("written" is the best it can say). With `acknowledgement: ackNak` it does: `AckLine`
/// decides, and also says when nothing may be sent because an answer to something else may still come.
actor SerialOutput: Output, RelinkingOutput {
    struct Limits: Sendable {
        /// No byte could be sent for this long: flow control blocks the line.
        var writeTimeout: Duration = .seconds(5)
        /// How long `stop` waits until the driver has sent what it still holds.
        var drainTimeout: Duration = .seconds(1)
        /// Waits between attempts to open the device.
        var reopen = RetryMachine.Policy(initial: .milliseconds(100), maximum: .seconds(2), jitter: 0.1)
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    private nonisolated let status = StatusChannel()
    private let settings: SerialSettings
    private let format: ScanFormat
    private let context: OutputContext
    private let limits: Limits
    private let diagnosis: SerialDiagnosis

    var link: RetryLink
    private var port: SerialPort?
    private var watch: Int?
    private var sending: Sending?
    /// With acknowledgement, kept from the first opening on: what the host owes outlives a pulled cable.
    private var line: AckLine?
    private var lineTimer: Int?
    private let memory: AckMemory
    private var isStopped = false
    private var figures: OutputReport

    /// One record on its way.
    private struct Sending {
        let record: [UInt8]
        /// The scan's id, for the host's answer.
        let id: String
        var offset = 0
        /// The write time-out.
        var timer: Int?
        let done: CheckedContinuation<Receipt, Never>
    }

    /// Throws if the settings can't work on any machine; the device isn't looked for before `start`.
    init(
        name: String, settings: SerialSettings, secrets: SecretPolicy,
        context: OutputContext = OutputContext(), limits: Limits = Limits(),
        diagnosis: SerialDiagnosis = SerialDiagnosis()
    ) throws(DeliveryError) {
        try settings.problems(at: "\(context.place).serial").throwFirst()
        do {
            format = try ScanFormat(settings.format, secrets: secrets)
        } catch {
            throw DeliveryError(.badSetting, "\(name): \(error.message)")
        }
        self.name = name
        self.settings = settings
        self.context = context
        self.limits = limits
        self.diagnosis = diagnosis
        memory = AckMemory(folder: context.stateFolder, output: name)
        link = RetryLink(policy: limits.reopen)
        figures = OutputReport(name: name, kind: SerialSettings.key, status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool {
        if case .scan = event.body { true } else { false }
    }

    func start() {
        guard !isStopped else { return }
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        guard case .scan(let body) = event.body, let record = format.render(event) else { return .accepted }
        guard !isStopped else { return .failed(reason: "\(name) is stopped", retry: true) }
        guard port != nil else {
            return .failed(reason: status.current.detail ?? "\(settings.device) is not open", retry: true)
        }
        guard sending == nil else { return .failed(reason: "\(name) is sending already", retry: true) }
        return await withCheckedContinuation { done in
            sending = Sending(record: record, id: body.scan.id, done: done)
            if line == nil { transmit() } else { step(.send(scan: body.scan.id)) }
        }
    }

    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        giveUp("\(name) is stopped")
        feedLink(.abandon)
        await drain()
        closePort()
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    // MARK: The link

    func attemptLink() {
        do {
            let port = try SerialPort.open(settings, diagnosis: diagnosis)
            self.port = port
            takeUpLine()
            watch = loop.watch(port.descriptor.number, events: POLLIN) { ready in
                self.assumeIsolated { $0.handle(ready) }
            }
            feedLink(.succeeded)
            status.set(.ready, detail: notes(port))
        } catch {
            figures.lastError = error.message
            status.set(.waiting, detail: error.message)
            feedLink(.failed)
        }
    }

    private func notes(_ port: SerialPort) -> String? {
        guard !port.ignoredSettings.isEmpty else { return nil }
        return "\(settings.device) ignores: \(port.ignoredSettings.joined(separator: ", "))"
    }

    /// The device is gone. The next attempt comes after a wait, so that one that opens and hangs up at once can't spin.
    private func lost(_ why: String) {
        closePort()
        let message = "\(settings.device) was unplugged (\(why)); waiting for it to come back"
        figures.lastError = message
        status.set(.waiting, detail: message)
        giveUp(message)
        linkLost()
    }

    private func closePort() {
        watch.map(loop.unwatch)
        watch = nil
        port?.release()
        port = nil
    }

    private func drain() async {
        let limit = Instant.now.advanced(by: limits.drainTimeout)
        // The driver says how much it holds, but not when it is done, unless one blocks for that.
        while let port, port.unsentBytes > 0, Instant.now < limit {
            await withCheckedContinuation { done in
                _ = loop.setTimer(at: Instant.now.advanced(by: .milliseconds(10))) { done.resume() }
            }
        }
    }

    // MARK: The line

    private func handle(_ ready: Int16) {
        guard let port else { return }
        if Int32(ready) & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
            switch port.descriptor.read(limit: 4096) {
            case .bytes(let bytes):
                for byte in bytes { step(.received(byte)) }
            case .nothing:
                if Int32(ready) & (POLLHUP | POLLERR | POLLNVAL) != 0 { return lost("hung up") }
            case .end: return lost("hung up")
            case .failed(let error): return lost(error.text)
            }
        }
        if Int32(ready) & POLLOUT != 0 { write() }
    }

    // MARK: Acknowledgement

    private var answerLimit: Duration { settings.answerLimit ?? settings.ackTimeout * 5 }

    private func takeUpLine() {
        guard line == nil, settings.acknowledgement == .ackNak else { return }
        let past = memory.load(answerLimit: answerLimit, at: Instant.now)
        line = AckLine(
            timeout: settings.ackTimeout, retries: settings.retries, answerLimit: answerLimit,
            pastUntil: past, rule: context.answerRule)
    }

    private func step(_ event: AckLine.Event) {
        guard let actions = line?.handle(event, at: Instant.now) else { return }
        for action in actions {
            switch action {
            case .transmit:
                memory.save(Instant.now.advanced(by: answerLimit + limits.writeTimeout))
                transmit()
            case .wakeAt(let instant): setLineTimer(instant)
            case .finished(let outcome):
                memory.save(line?.owedUntil)
                conclude(outcome)
            case .lostPlace(let doubt, let until): lostPlace(doubt, until: until)
            case .foundPlace:
                memory.save(line?.owedUntil)
                if port != nil { status.set(.ready, detail: port.flatMap(notes)) }
            case .objected(let scan): context.object(HostObjection(output: name, scans: scan.map { [$0] }))
            case .stale: memory.save(line?.owedUntil)
            }
        }
    }

    private func setLineTimer(_ instant: Instant?) {
        lineTimer.map(loop.cancelTimer)
        lineTimer = instant.map { instant in
            loop.setTimer(at: instant) { self.assumeIsolated { $0.step(.timer) } }
        }
    }

    private func lostPlace(_ doubt: AckLine.Doubt, until: Instant) {
        let seconds = (Instant.now.duration(to: until).milliseconds / 1000).rounded(.up)
        let what =
            switch doubt {
            case .owed(let scans):
                "the host on \(settings.device) owes answers to \(scans == 1 ? "an earlier scan" : "\(scans) earlier scans")"
            case .unknownPast:
                "the host on \(settings.device) may still answer what was sent before the station started"
            case .unasked: "the host on \(settings.device) answers more often than it is asked"
            }
        let message =
            "\(what): nothing is sent for up to \(Int(seconds)) s, because a late answer would be taken for the next scan's"
        figures.lastError = message
        status.set(.stalled, detail: message)
    }

    /// The record under way comes again later, but the host may still answer it.
    private func giveUp(_ why: String) {
        finish(.failed(reason: why, retry: true))
        step(.abandon)
        if line != nil { memory.save(line?.owedUntil) }
    }

    // MARK: Writing

    private func transmit() {
        sending?.offset = 0
        armWriteTimeout()
        write()
    }

    private func write() {
        while let port, let current = sending, current.offset < current.record.count {
            switch port.descriptor.write(current.record, from: current.offset) {
            case .written(let count):
                figures.bytes += UInt64(count)
                sending?.offset += count
                armWriteTimeout()
            case .wouldBlock:
                watch.map { loop.setEvents(POLLIN | POLLOUT, of: $0) }
                return
            case .failed(let error):
                return lost(error.text)
            }
        }
        guard port != nil, let current = sending, current.offset == current.record.count else { return }
        watch.map { loop.setEvents(POLLIN, of: $0) }
        setSendTimer(nil) { _ in }
        guard line == nil else {
            step(.written)
            return memory.save(line?.owedUntil)
        }
        status.set(.ready, detail: port.flatMap(notes))
        finish(.accepted)
    }

    private func armWriteTimeout() {
        setSendTimer(Instant.now.advanced(by: limits.writeTimeout)) { $0.writeTimedOut() }
    }

    private func writeTimedOut() {
        let reason =
            settings.flowControl == .none
            ? "the device is stuck; unplug it and plug it in again"
            : "the host's flow control (\(settings.flowControl.rawValue)) holds it back; check the cable and the host"
        let message = "\(settings.device) took nothing for \(DurationText.text(limits.writeTimeout)): \(reason)"
        watch.map { loop.setEvents(POLLIN, of: $0) }
        // Otherwise what the driver holds would be sent before the same record comes again.
        port?.discardUnsent()
        figures.lastError = message
        status.set(.stalled, detail: message)
        giveUp(message)
    }

    private func setSendTimer(_ instant: Instant?, _ handler: @escaping @Sendable (isolated SerialOutput) -> Void) {
        (sending?.timer).map(loop.cancelTimer)
        sending?.timer = instant.map { instant in
            loop.setTimer(at: instant) { self.assumeIsolated { handler($0) } }
        }
    }

    private func conclude(_ outcome: AckLine.Outcome) {
        switch outcome {
        case .accepted:
            status.set(.ready, detail: port.flatMap(notes))
            answer(isAccepted: true)
            finish(.accepted)
        case .refused(let transmissions):
            status.set(.ready, detail: port.flatMap(notes))
            let reason = "the host answered NAK, \(transmissions) times"
            answer(isAccepted: false, reason: reason)
            finish(.refused(reason: reason))
        case .silent(let transmissions):
            let message =
                "the host on \(settings.device) answered none of \(transmissions) transmissions within "
                + "\(DurationText.text(settings.ackTimeout)) each: scans wait until it does"
            figures.lastError = message
            status.set(.stalled, detail: message)
            finish(.failed(reason: message, retry: true))
        }
    }

    /// ACK and NAK are also the host's verdict, and the station shows them as that.
    private func answer(isAccepted: Bool, reason: String? = nil) {
        guard let id = sending?.id else { return }
        context.answer(HostAnswer(output: name, scan: id, isAccepted: isAccepted, reason: reason))
    }

    private func finish(_ receipt: Receipt) {
        guard let finished = sending else { return }
        finished.timer.map(loop.cancelTimer)
        sending = nil
        watch.map { loop.setEvents(POLLIN, of: $0) }
        switch receipt {
        case .accepted: figures.delivered += 1
        case .refused: figures.refused += 1
        case .skipped, .failed: break
        }
        finished.done.resume(returning: receipt)
    }
}
