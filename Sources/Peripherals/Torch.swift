import Linux
import Settings
import Synchronization
import Vocabulary

/// The white light, in the terms of a phone's torch. `TorchMachine` decides, this drives the line and reads it back.
///
/// Without settings there is no torch, and every call that would light it says so. A line that isn't available is tried again and reported
/// through the notices; meanwhile `isTorchAvailable` is false, and `status` has the reason.
package actor Torch {
    private var machine: TorchMachine?
    private var line: HeldLine<any OutputLine>?
    private var pending: [TorchMachine.Action] = []
    private var isDraining = false
    /// The outcome of the last mode change.
    private var answer: TorchMachine.Action?
    private var broadcast = Broadcast<TorchStatus>()
    private var wakeup: Wakeup
    private var loop: Task<Void, Never>?
    private let clock: any PeripheralClock
    private let latest: Mutex<TorchStatus>

    package init(
        settings: TorchSettings?, lines: any LineProvider, clock: any PeripheralClock = BootClock(),
        notices: PeripheralNotices = PeripheralNotices()
    ) {
        self.clock = clock
        wakeup = Wakeup(clock: clock)
        machine = settings.map(TorchMachine.init(settings:))
        line = settings.map { HeldLine($0.line, role: .torch, lines: lines, clock: clock, notices: notices) }
        latest = Mutex(machine?.status ?? .none)
    }

    /// Takes the line, off. `status` says whether it worked. Idempotent.
    package func start() {
        guard machine != nil, loop == nil else { return }
        let signals = wakeup.signals
        loop = Task { [weak self] in
            for await _ in signals { await self?.tick() }
        }
        if let change = line?.start() { apply(change) }
        rearm()
    }

    // MARK: State

    /// Configured, and its line exists. From any thread.
    package nonisolated var hasTorch: Bool { status.hasTorch }
    /// We hold the line and it isn't cooling down. From any thread.
    package nonisolated var isTorchAvailable: Bool { status.isAvailable }
    /// The level of the line, as read back. From any thread.
    package nonisolated var isTorchActive: Bool { status.isActive }
    package nonisolated var mode: TorchMode { status.mode }
    /// All of it at one moment. From any thread.
    package nonisolated var status: TorchStatus { latest.withLock(\.self) }

    /// Called with every status from now on, in order. May cancel itself.
    package func observe(_ callback: @escaping @Sendable (TorchStatus) -> Void) -> ObserverToken {
        broadcast.observers.add(callback)
    }

    package func cancel(_ token: ObserverToken) { broadcast.observers.cancel(token) }

    /// The current status and those that follow; the newest 16 are kept for a slow reader.
    package func states() -> AsyncStream<TorchStatus> { broadcast.stream(startingWith: status) }

    /// The line, for `status`; `nil` without a torch.
    package func lineStatus() -> LineStatus? { line?.status(isActive: isTorchActive) }

    // MARK: Commands

    /// Sets the mode. When this returns, the line has been driven and read back; when it throws, the mode is what it was.
    ///
    /// When a capture run ends, the torch goes dark, and the next run brings the mode back. `auto` and `session` light it later, so they
    /// may be set while the torch cools down.
    package func setMode(_ mode: TorchMode) async throws(TorchError) {
        guard machine != nil, let line else { throw .notConfigured }
        answer = nil
        handle(.mode(mode))
        guard case .switchFailed(let reason)? = answer else { return }
        throw reason.map(error) ?? .noEffect(line: line.name)
    }

    /// Takes over what counts as dark in `auto` mode, and the mode to go back to when a run changes (see `setMode`).
    package func configure(_ settings: TorchSettings) { handle(.configured(settings)) }

    /// A session begins or ends to read: `session` mode follows.
    package func sessionStarted() { handle(.sessionStarted) }
    package func sessionEnded() { handle(.sessionEnded) }

    /// What the camera sees, once per frame: `auto` follows.
    /// - Parameter instant: when the frame was exposed.
    package func light(lux: Float?, meanLuma: Float?, at instant: Instant) {
        handle(.light(lux: lux, meanLuma: meanLuma, exposedAt: instant))
    }

    /// A capture run started, or ended or was interrupted: either way the torch goes off.
    package func captureRunChanged(isRunning: Bool) { handle(.captureRun(isRunning: isRunning)) }

    /// Heat or under-voltage: the torch stays off while it lasts.
    package func setSystemPressure(_ isUnderPressure: Bool) { handle(.systemPressure(isUnderPressure)) }

    /// Off, the line given back, no more observers. For good.
    package func shutdown() {
        handle(.shutDown)
        line?.stop()
        wakeup.finish()
        loop?.cancel()
        loop = nil
        broadcast.finish()
    }

    // MARK: Insides

    /// Does what is due by now. Calling it once too often is harmless.
    func tick() {
        if line?.isHeld == true {
            // A check reads the level back: somebody else may have changed it.
            var level: Bool?
            if let change = line?.tick(check: { (held) throws(LineError) in level = try held.read() }) { apply(change) }
            if let level { handle(.levelRead(level)) }
        } else if let change = line?.tick(check: { (_) throws(LineError) in }) {
            apply(change)
        }
        handle(.tick)
    }

    private func apply(_ change: HeldLine<any OutputLine>.Change) {
        switch change {
        case .none: break
        case .held: handle(.lineHeld)
        case .lost(let error): handle(.lineLost(error.message, exists: error.lineExists))
        }
    }

    private func handle(_ event: TorchMachine.Event) {
        guard let actions = machine?.handle(event, at: clock.now) else { return }
        pending += actions
        guard !isDraining else { return }
        isDraining = true
        while !pending.isEmpty { perform(pending.removeFirst()) }
        isDraining = false
        rearm()
    }

    private func perform(_ action: TorchMachine.Action) {
        switch action {
        case .drive(let isActive):
            do throws(LineError) {
                let level = try line?.use { (held) throws(LineError) in
                    try held.set(isActive)
                    return try held.read()
                }
                if let level { handle(.levelRead(level)) }
            } catch {
                handle(.lineLost(error.message, exists: error.lineExists))
            }
        case .switched, .switchFailed: answer = action
        case .statusChanged(let status):
            latest.withLock { $0 = status }
            broadcast.yield(status)
            for token in broadcast.observers.tokens { broadcast.observers.callback(for: token)?(status) }
        }
    }

    private func rearm() {
        guard loop != nil else { return }
        wakeup.set([machine?.wakeAt, line?.wakeAt].compactMap(\.self).min())
    }

    private func error(for reason: TorchStatus.Unavailability) -> TorchError {
        switch reason {
        case .notConfigured: .notConfigured
        case .line(let message): .line(message)
        case .coolingDown(let until):
            .coolingDown(
                until: until, remaining: clock.now.duration(to: until),
                maxOnTime: machine?.settings.maxOnTime ?? .zero)
        case .systemPressure: .systemPressure
        case .shutDown: .shutDown
        }
    }
}
