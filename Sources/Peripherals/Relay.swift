import Linux
import Settings
import Vocabulary

/// A fail-safe contact that is closed in pulses. `RelayMachine` decides, this drives the line. Off at the start, at the end, and when its
/// line comes back after being away.
package actor Relay {
    private var machine: RelayMachine?
    private var line: HeldLine<any OutputLine>?
    private var wakeup: Wakeup
    private var loop: Task<Void, Never>?
    private var isShutDown = false
    private var broadcast = Broadcast<RelayStatus>()
    private var reported: RelayStatus?
    private let clock: any PeripheralClock

    package init(
        settings: RelaySettings?, lines: any LineProvider, clock: any PeripheralClock = BootClock(),
        notices: PeripheralNotices = PeripheralNotices()
    ) {
        self.clock = clock
        wakeup = Wakeup(clock: clock)
        machine = settings.map(RelayMachine.init(settings:))
        line = settings.map { HeldLine($0.line, role: .relay, lines: lines, clock: clock, notices: notices) }
    }

    /// Takes the line, off. Idempotent.
    package func start() {
        guard machine != nil, loop == nil, !isShutDown else { return }
        let signals = wakeup.signals
        loop = Task { [weak self] in
            for await _ in signals { await self?.tick() }
        }
        _ = line?.start()
        settle()
    }

    /// Closes the contact for a while; extends a pulse that runs, up to `maxPulse` after it began.
    ///
    /// - Parameters:
    ///   - length: `nil`: the configured one. 10 ms … `relay.maxPulse`.
    ///   - isWanted: asked once more right before the contact closes: whoever it was for may have left.
    /// - Returns: how long the contact will be closed from now on.
    @discardableResult
    package func pulse(
        _ length: Duration? = nil, if isWanted: @Sendable () -> Bool = { true }
    ) throws(RelayError) -> Duration {
        guard var machine else { throw .notConfigured }
        guard !isShutDown else { throw .shutDown }
        let granted: Duration
        switch machine.length(of: length) {
        case .success(let length): granted = length
        case .failure(.tooShort(let wanted)): throw .tooShort(wanted, shortest: RelayMachine.shortestPulse)
        case .failure(.tooLong(let wanted)): throw .tooLong(wanted, longest: machine.longestPulse)
        }
        guard line?.isHeld == true else { throw .line(line?.lastError?.message ?? "its line isn't open yet") }
        guard isWanted() else { throw .tooLate }
        let now = clock.now
        let actions = machine.handle(.pulse(granted), at: now)
        self.machine = machine
        do throws(LineError) {
            try perform(actions)
        } catch {
            settle()
            throw .line(error.message)
        }
        settle()
        return now.duration(to: self.machine?.activeUntil ?? now)
    }

    /// Off, the line given back. For good.
    package func shutdown() {
        isShutDown = true
        try? perform(machine?.handle(.stop, at: clock.now) ?? [])
        line?.stop()
        settle()
        wakeup.finish()
        broadcast.finish()
        loop?.cancel()
        loop = nil
    }

    package func status() -> RelayStatus {
        let isActive = try? line?.use { (held) throws(LineError) in try held.read() }
        if line?.isHeld != true { _ = machine?.handle(.lineLost, at: clock.now) }
        return RelayStatus(line: line?.status(isActive: isActive ?? nil), activeUntil: machine?.activeUntil)
    }

    /// Called with every status from now on, in order. May cancel itself.
    package func observe(_ callback: @escaping @Sendable (RelayStatus) -> Void) -> ObserverToken {
        broadcast.observers.add(callback)
    }

    package func cancel(_ token: ObserverToken) { broadcast.observers.cancel(token) }

    /// The current status and those that follow; the newest 16 are kept for a slow reader.
    package func states() -> AsyncStream<RelayStatus> { broadcast.stream(startingWith: status()) }

    /// Does what is due by now. Calling it once too often is harmless.
    func tick() {
        // `line` records a failure and tries again.
        try? perform(machine?.handle(.tick, at: clock.now) ?? [])
        if case .lost = line?.tick(check: { (held) throws(LineError) in _ = try held.read() }) {
            _ = machine?.handle(.lineLost, at: clock.now)
        }
        settle()
    }

    private func perform(_ actions: [RelayMachine.Action]) throws(LineError) {
        for case .drive(let isActive) in actions {
            do throws(LineError) {
                try line?.use { (held) throws(LineError) in try held.set(isActive) }
            } catch {
                _ = machine?.handle(.lineLost, at: clock.now)
                throw error
            }
        }
    }

    /// Reports what changed and sets the timer.
    private func settle() {
        let status = self.status()
        if status != reported {
            reported = status
            broadcast.yield(status)
            for token in broadcast.observers.tokens { broadcast.observers.callback(for: token)?(status) }
        }
        if loop != nil { wakeup.set([machine?.activeUntil, line?.wakeAt].compactMap(\.self).min()) }
    }
}

/// What `status` shows of the relay.
package struct RelayStatus: Hashable, Sendable {
    /// `nil`: not configured.
    package var line: LineStatus?
    /// When a running pulse ends.
    package var activeUntil: Instant?
}
