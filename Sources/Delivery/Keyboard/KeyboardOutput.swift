import Glibc
import Linux
import Settings
import Vocabulary
import Wire

/// Scans typed into the computer that the Pi is plugged into, as a USB keyboard (a HID gadget of the kernel).
///
/// A text is typed as a whole or not at all: what the layout, the GS policy or the list of control characters doesn't permit is refused
/// before the first key. A text that breaks off in the middle isn't typed again, because nobody knows which field has the focus by then:
/// the scan has failed for good, and the reason says how much went out. `TypingMachine` handles the order and pace of the reports, and Caps
/// Lock.
///
/// The gadget is opened when it is there, and proven by a report that presses nothing; while it is missing, or no computer
/// fetches reports, `deliver` fails at once, worth a retry: a live output's scans are skipped when they are too old.
actor KeyboardOutput: Output, RelinkingOutput {
    struct Limits: Sendable {
        var typing = TypingMachine.Limits()
        /// How long `stop` tries to release the keys.
        var releaseTime: Duration = .milliseconds(500)
        /// Waits between attempts to open the device.
        var reopen = RetryMachine.Policy(initial: .milliseconds(100), maximum: .seconds(5), jitter: 0.1)
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    private nonisolated let status = StatusChannel()
    private let settings: KeyboardSettings
    private let format: ScanFormat
    private let typist: KeyboardTypist
    private let limits: Limits

    var link: RetryLink
    private var device: KeyboardDevice?
    private var watch: Int?
    private var machine: TypingMachine
    private var typingTimer: Int?
    private var typing: CheckedContinuation<Receipt, Never>?
    /// A text ended early, and a key may still be down: nothing is typed before it is released.
    private var mustRelease = false
    private var released: CheckedContinuation<Void, Never>?
    private var isStopped = false
    private var figures: OutputReport

    /// Throws if the settings can't work on any machine; `KeyboardSettings.problems` has all of them.
    init(
        name: String, settings: KeyboardSettings, secrets: SecretPolicy, limits: Limits = Limits()
    ) throws(DeliveryError) {
        do {
            format = try ScanFormat(settings.format, secrets: secrets)
        } catch {
            throw DeliveryError(.badSetting, "\(name): \(error.message)")
        }
        do {
            typist = try KeyboardTypist(settings)
        } catch {
            throw DeliveryError(.badSetting, "\(name): \(error.reason)")
        }
        self.name = name
        self.settings = settings
        self.limits = limits
        machine = TypingMachine(interval: settings.keyInterval, limits: limits.typing)
        link = RetryLink(policy: limits.reopen)
        figures = OutputReport(name: name, kind: KeyboardSettings.key, status: OutputStatus(.idle))
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
        guard let runs = format.runs(event) else { return .accepted }
        guard !format.withholds(event) else {
            return refuse("the code holds a secret, which this output may not show (\"secrets\")")
        }
        let keys: [[KeyStroke]]
        do {
            keys = try typist.keys(for: runs)
        } catch {
            return refuse(error.reason)
        }
        guard !isStopped else { return .failed(reason: "\(name) is stopped", retry: true) }
        guard device != nil, !mustRelease else {
            return .failed(reason: status.current.detail ?? "\(settings.device) is not open", retry: true)
        }
        guard typing == nil else { return .failed(reason: "\(name) is typing already", retry: true) }
        // The computer may have said just now that Caps Lock is on.
        readLights()
        guard device != nil else { return .failed(reason: status.current.detail ?? "", retry: true) }
        return await withCheckedContinuation { done in
            typing = done
            perform(machine.handle(.type(keys), at: Instant.now))
        }
    }

    func stop() async {
        guard !isStopped else { return }
        isStopped = true
        feedLink(.abandon)
        perform(machine.handle(.lost("the station stopped"), at: Instant.now))
        if mustRelease {
            let timer = loop.setTimer(at: Instant.now.advanced(by: limits.releaseTime)) {
                self.assumeIsolated { $0.endRelease() }
            }
            await withCheckedContinuation { done in
                released = done
                release()
            }
            loop.cancelTimer(timer)
        }
        close()
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    private func refuse(_ reason: String) -> Receipt {
        figures.refused += 1
        return .refused(reason: reason)
    }

    // MARK: The link

    func attemptLink() {
        do throws(DeliveryError) {
            let device = try KeyboardDevice.open(settings.device)
            // This releases a key that an earlier station left down, and fails without a computer.
            switch device.write(KeyStroke.release) {
            case .failed(let error): throw KeyboardDevice.failed(settings.device, error)
            case .wouldBlock: mustRelease = true
            case .written: mustRelease = false
            }
            self.device = device
            watch = loop.watch(device.descriptor.number, events: POLLIN) { ready in
                self.assumeIsolated { $0.handle(ready) }
            }
            feedLink(.succeeded)
            mustRelease ? waitForRelease() : status.set(.ready)
        } catch {
            waiting(error.message)
            feedLink(.failed)
        }
    }

    private func waiting(_ message: String) {
        figures.lastError = message
        status.set(.waiting, detail: message)
    }

    /// The device is gone. The next attempt comes after a wait, so that one that opens and fails at once can't spin.
    private func lost(_ error: DeliveryError) {
        guard device != nil else { return }
        close()
        waiting(error.message)
        perform(machine.handle(.lost(error.message), at: Instant.now))
        // The keys are gone with the device.
        mustRelease = false
        endRelease()
        guard !isStopped else { return }
        linkLost()
    }

    private func close() {
        watch.map(loop.unwatch)
        watch = nil
        device = nil
    }

    private func handle(_ ready: Int16) {
        if Int32(ready) & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
            readLights(isBroken: Int32(ready) & (POLLHUP | POLLERR | POLLNVAL) != 0)
        }
        guard device != nil, Int32(ready) & POLLOUT != 0 else { return }
        watch.map { loop.setEvents(POLLIN, of: $0) }
        if mustRelease { release() } else { perform(machine.handle(.writable, at: Instant.now)) }
    }

    /// `isBroken`: poll(2) says that something is wrong, so that "nothing" means that the device is gone.
    private func readLights(isBroken: Bool = false) {
        guard let device else { return }
        switch device.readLights() {
        case .lights(let lights): perform(machine.handle(.lights(lights), at: Instant.now))
        case .nothing where !isBroken: break
        case .nothing: lost(KeyboardDevice.failed(settings.device, SystemError(ENODEV)))
        case .gone(let why):
            lost(DeliveryError(.noSuchDevice, "the USB keyboard \(settings.device) is gone: \(why)"))
        }
    }

    // MARK: Typing

    private func perform(_ actions: [TypingMachine.Action]) {
        // No recursion: without a pause between reports, a text is thousands of them.
        var queue = actions[...]
        while let action = queue.popFirst() {
            switch action {
            case .write(let report):
                guard let device else { continue }
                switch device.write(report) {
                case .written(let count):
                    figures.bytes += UInt64(count)
                    queue += machine.handle(.written, at: Instant.now)
                case .wouldBlock: queue += machine.handle(.blocked, at: Instant.now)
                case .failed(let error): lost(KeyboardDevice.failed(settings.device, error))
                }
            case .awaitWritable: watch.map { loop.setEvents(POLLIN | POLLOUT, of: $0) }
            case .wakeAt(let instant):
                typingTimer.map(loop.cancelTimer)
                typingTimer = instant.map { instant in
                    loop.setTimer(at: instant) { self.assumeIsolated { $0.typingTimerFired() } }
                }
            case .finished(let outcome): conclude(outcome)
            }
        }
    }

    private func typingTimerFired() {
        typingTimer = nil
        perform(machine.handle(.timer, at: Instant.now))
    }

    private func conclude(_ outcome: TypingMachine.Outcome) {
        let receipt: Receipt
        switch outcome {
        case .typed:
            figures.delivered += 1
            status.set(.ready)
            receipt = .accepted
        case .notTaken:
            receipt = .failed(reason: Self.asleep(settings.device), retry: true)
        case .capsLockStays:
            let message = "Caps Lock is on at the computer and doesn't go off: switch it off there"
            figures.lastError = message
            receipt = .failed(reason: message, retry: true)
        case .broken(let typed, let count, let why):
            let message = "typed \(typed) of \(count) characters, then: \(why)"
            figures.lastError = message
            // A text that wasn't begun may be offered again.
            receipt = .failed(reason: message, retry: typed == 0)
        }
        if outcome != .typed, device != nil {
            mustRelease = true
            release()
        }
        let done = typing
        typing = nil
        done?.resume(returning: receipt)
    }

    // MARK: Releasing keys

    private static func asleep(_ device: String) -> String {
        "the computer at \(device) fetches no keys: it sleeps, is switched off, or has only power on that cable"
    }

    /// Releases every key as soon as the device takes the report.
    private func release() {
        guard let device else { return endRelease() }
        switch device.write(KeyStroke.release) {
        case .written:
            mustRelease = false
            if !isStopped { status.set(.ready) }
            endRelease()
        case .wouldBlock: waitForRelease()
        case .failed(let error): lost(KeyboardDevice.failed(settings.device, error))
        }
    }

    private func waitForRelease() {
        if !isStopped { waiting(Self.asleep(settings.device)) }
        watch.map { loop.setEvents(POLLIN | POLLOUT, of: $0) }
    }

    private func endRelease() {
        let done = released
        released = nil
        done?.resume()
    }
}
