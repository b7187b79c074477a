import Linux
import Settings
import Vocabulary

/// A press or a release, debounced.
package struct ButtonEdge: Hashable, Sendable {
    package var pressed: Bool
    /// When the finger moved: the first edge of a burst.
    package var at: Instant

    package init(pressed: Bool, at: Instant) {
        self.pressed = pressed
        self.at = at
    }
}

/// A push button: the trigger or the confirm button. `DebounceMachine` decides what counts as a press.
package actor Button {
    /// Presses and releases in order, for one consumer; the newest 64 are kept for a slow one. Ends at shutdown.
    package nonisolated let edges: AsyncStream<ButtonEdge>

    private let continuation: AsyncStream<ButtonEdge>.Continuation
    private var machine: DebounceMachine
    private var line: HeldLine<OpenedLine>
    private var isDebounced = false
    private var wakeup: Wakeup
    private var loop: Task<Void, Never>?
    /// Reads the edges of the held line; replaced when the line is.
    private var listener: Task<Void, Never>?
    private var generation = 0
    private var isShutDown = false
    private let settings: ButtonSettings
    private let clock: any PeripheralClock

    /// A line, and whether it was pressed when it was taken. Read before anyone hears that the line is held: a press after that is a press.
    private struct OpenedLine: Sendable {
        let input: any InputLine
        let wasActive: Bool

        init(_ input: any InputLine) throws(LineError) {
            self.input = input
            wasActive = try input.read()
        }
    }

    /// - Parameter role: `.trigger` or `.confirm`.
    package init(
        settings: ButtonSettings, role: LineRole, lines: any LineProvider, clock: any PeripheralClock = BootClock(),
        notices: PeripheralNotices = PeripheralNotices()
    ) {
        self.settings = settings
        self.clock = clock
        wakeup = Wakeup(clock: clock)
        machine = DebounceMachine(debounce: settings.debounce)
        line = HeldLine(
            role: role, name: settings.line.line, clock: clock, notices: notices,
            open: { () throws(LineError) in try OpenedLine(lines.openInput(settings, role: role)) },
            close: { $0.input.close() })
        (edges, continuation) = AsyncStream.makeStream(of: ButtonEdge.self, bufferingPolicy: .bufferingNewest(64))
    }

    deinit { listener?.cancel() }

    /// Takes the line and listens. Idempotent.
    package func start() {
        guard loop == nil, !isShutDown else { return }
        let signals = wakeup.signals
        loop = Task { [weak self] in
            for await _ in signals { await self?.tick() }
        }
        apply(line.start())
        rearm()
    }

    /// Gives the line back; a pressed button is released first. For good.
    package func shutdown() {
        isShutDown = true
        generation += 1
        listener?.cancel()
        perform(machine.handle(.lineLost, at: clock.now))
        line.stop()
        wakeup.finish()
        loop?.cancel()
        loop = nil
        continuation.finish()
    }

    package var isPressed: Bool { machine.isPressed }

    /// The line, for `status`; `isActive` says whether it is pressed.
    package func status() -> LineStatus { line.status(isActive: machine.isPressed) }

    /// Does what is due by now. Calling it once too often is harmless.
    func tick() {
        guard !isShutDown else { return }
        perform(machine.handle(.tick, at: clock.now))
        apply(line.tick(check: { (held) throws(LineError) in _ = try held.input.read() }))
        rearm()
    }

    private func apply(_ change: HeldLine<OpenedLine>.Change) {
        switch change {
        case .none: break
        case .held: listen()
        case .lost: lineLost()
        }
    }

    private func listen() {
        generation += 1
        let current = generation
        do throws(LineError) {
            let held = try line.use { (held) throws(LineError) in held }
            let (edges, isDebounced) = (held.input.edges, held.input.isDebounced)
            perform(machine.handle(.opened(isActive: held.wasActive, isDebounced: isDebounced), at: clock.now))
            listener = Task { [weak self] in
                for await edge in edges { await self?.received(edge, from: current) }
                await self?.ended(current)
            }
        } catch {
            lineLost()
        }
    }

    private func received(_ edge: LineEdge, from line: Int) {
        guard line == generation else { return }
        perform(machine.handle(.edge(isActive: edge.isActive), at: edge.at))
        rearm()
    }

    /// A line's edges end when its chip is gone.
    private func ended(_ generation: Int) {
        guard generation == self.generation, !isShutDown else { return }
        line.fail(
            LineError(
                role: line.role, kind: .vanished,
                message: "\(line.name) (\(line.role.settingsKey)) reports no more edges: is its chip unplugged?"))
        lineLost()
        rearm()
    }

    private func lineLost() {
        generation += 1
        listener?.cancel()
        listener = nil
        perform(machine.handle(.lineLost, at: clock.now))
    }

    private func perform(_ actions: [DebounceMachine.Action]) {
        for action in actions {
            switch action {
            case .changed(let isPressed, let instant):
                continuation.yield(ButtonEdge(pressed: isPressed, at: instant))
            case .readLevel:
                do throws(LineError) {
                    let isActive = try line.use { (held) throws(LineError) in try held.input.read() }
                    perform(machine.handle(.level(isActive: isActive), at: clock.now))
                } catch {
                    lineLost()
                }
            }
        }
    }

    private func rearm() {
        guard loop != nil else { return }
        wakeup.set([machine.wakeAt, line.wakeAt].compactMap(\.self).min())
    }
}
