import Linux
import Settings
import Synchronization
import Vocabulary

/// The lines of a station on a desk: LEDs, buzzer, relay and buttons that exist in memory. It keeps a trace of every change,
/// tells observers, lets a person press buttons, and can make lines fail as real ones do.
///
/// Any line name works; a line is created when it is first named. As with a Pi's kernel, a line that is given back keeps its level.
package final class SimulatedPanel: LineProvider {
    /// What can be wrong with a line.
    package enum Fault: Hashable, Sendable {
        /// Another program has it.
        case taken(by: String)
        /// There is no such line.
        case missing
        /// Its chip was unplugged: its holder gets errors.
        case vanished
        case permissionDenied
    }

    private struct State: Sendable {
        var lines: [String: SimulatedLine] = [:]
        var trace: [PanelChange] = []
        var changes: UInt64 = 0
    }

    /// How many changes the trace keeps; older ones are dropped.
    package let traceLimit: Int
    let debouncesButtons: Bool
    private let clock: any PeripheralClock
    private let state = Mutex(State())
    private let observers = OrderedObservers<PanelChange>()

    /// - Parameter debouncesButtons: `false`: presses come as raw edges, and the station debounces, as on libgpiod 1.x.
    package init(
        clock: any PeripheralClock = BootClock(), debouncesButtons: Bool = true, traceLimit: Int = 10_000
    ) {
        self.clock = clock
        self.debouncesButtons = debouncesButtons
        self.traceLimit = max(1, traceLimit)
    }

    // MARK: At the desk

    /// Presses (`true`) or releases the button that the station uses for `role`. `false`: it uses none.
    @discardableResult
    package func press(_ role: LineRole, _ isPressed: Bool = true) -> Bool {
        let line = state.withLock { state in
            state.lines.first { $0.value.role == role && $0.value.isInput && $0.value.isHeld }?.key
        }
        guard let line else { return false }
        press(line: line, isPressed)
        return true
    }

    @discardableResult
    package func release(_ role: LineRole) -> Bool { press(role, false) }

    /// The same for a line by its name, whether or not the station listens to it.
    package func press(line: String, _ isPressed: Bool = true) {
        change(line) { state, now in
            guard state.isActive != isPressed else { return [] }
            state.isActive = isPressed
            state.edges?.yield(LineEdge(isActive: isPressed, at: now))
            return [.pressed(isPressed)]
        }
    }

    /// Makes a line fail, or work again (`nil`). `vanished` affects the holder at once, the others at the next attempt.
    package func setFault(_ fault: Fault?, line: String) {
        var ended: AsyncStream<LineEdge>.Continuation?
        change(line) { state, _ in
            state.fault = fault
            if fault == .vanished {
                ended = state.edges
                state.edges = nil
                state.holder = nil
            }
            return [.fault(fault)]
        }
        ended?.finish()
    }

    /// All lines, by name.
    package var lines: [PanelLine] {
        state.withLock { state in
            state.lines.sorted { $0.key < $1.key }.map { name, line in
                PanelLine(
                    line: name, role: line.role, isHeld: line.isHeld, isInput: line.isInput, isActive: line.isActive,
                    toneHertz: line.toneHertz, fault: line.fault)
            }
        }
    }

    /// Whether a line is active; `false` for one that nobody has named.
    package func isActive(line: String) -> Bool { state.withLock { $0.lines[line]?.isActive ?? false } }

    /// The newest changes, oldest first.
    package var trace: [PanelChange] { state.withLock { Array($0.trace.suffix(traceLimit)) } }

    /// Called with every change from now on, in order. Must be quick.
    package func observe(_ callback: @escaping @Sendable (PanelChange) -> Void) -> ObserverToken {
        observers.add(callback)
    }

    package func cancel(_ token: ObserverToken) { observers.cancel(token) }

    /// Changes from now on; the newest 1024 are kept for a slow reader.
    package func changes() -> AsyncStream<PanelChange> { observers.stream(limit: 1024) }

    // MARK: LineProvider

    package func openOutput(_ settings: LineSettings, role: LineRole) throws(LineError) -> any OutputLine {
        let holder = try take(settings.line, role: role, isInput: false)
        return SimulatedOutput(panel: self, line: settings.line, role: role, holder: holder)
    }

    package func openInput(_ settings: ButtonSettings, role: LineRole) throws(LineError) -> any InputLine {
        let name = settings.line.line
        let holder = try take(name, role: role, isInput: true)
        let (stream, continuation) = AsyncStream.makeStream(of: LineEdge.self, bufferingPolicy: .bufferingNewest(64))
        state.withLock { $0.lines[name]?.edges = continuation }
        return SimulatedInput(
            panel: self, line: name, role: role, holder: holder, edges: stream, isDebounced: debouncesButtons)
    }

    package func openTone(_ settings: BuzzerSettings) throws(LineError) -> any ToneOutput {
        switch settings.drive {
        case .line(let line):
            return LineTone(line: try openOutput(line, role: .buzzer))
        case .pwm:
            let holder = try take(settings.lineName, role: .buzzer, isInput: false)
            return SimulatedTone(panel: self, line: settings.lineName, holder: holder)
        }
    }

    package func inventory() -> LineInventory.Report {
        let lines = self.lines.enumerated().map { index, line in
            LineInventory.Line(
                offset: UInt32(index), name: line.line, holder: line.holderName, isOutput: !line.isInput,
                isActiveLow: false)
        }
        let chip = LineInventory.Chip(name: "simulated", path: "", label: "scanstation-panel", lines: lines)
        return LineInventory.Report(chips: [chip], source: "simulated panel")
    }

    // MARK: For the handles

    /// Does something as the holder of a line; throws when the line was lost.
    func use<Result: Sendable>(
        _ line: String, role: LineRole, holder: UInt64,
        _ body: (inout SimulatedLine) -> (result: Result, change: PanelChange.What?)
    ) throws(LineError) -> Result {
        var outcome: Result?
        change(line) { state, _ in
            guard state.holder == holder else { return [] }
            let (result, what) = body(&state)
            outcome = result
            return what.map { [$0] } ?? []
        }
        guard let outcome else { throw Self.error(.vanished, line: line, role: role) }
        return outcome
    }

    /// Inactive first, then free. A line that vanished keeps its level: nothing reaches it any more.
    func giveBack(_ line: String, holder: UInt64) {
        var ended: AsyncStream<LineEdge>.Continuation?
        change(line) { state, _ in
            guard state.holder == holder else { return [] }
            var changes: [PanelChange.What] = []
            if !state.isInput, state.isActive {
                state.isActive = false
                changes.append(state.toneHertz != 0 ? .tone(hertz: 0) : .level(false))
                state.toneHertz = 0
            }
            ended = state.edges
            state.edges = nil
            state.holder = nil
            return changes + [.givenBack]
        }
        ended?.finish()
    }

    private func take(_ line: String, role: LineRole, isInput: Bool) throws(LineError) -> UInt64 {
        var refusal: Fault?
        var holder: UInt64 = 0
        guard LineAddress(line) != nil else { throw GPIOErrors.badAddress(line, role: role) }
        change(line) { state, _ in
            refusal = state.fault ?? (state.isHeld ? .taken(by: state.role?.consumer ?? "scanstation") : nil)
            guard refusal == nil else { return [] }
            holder = state.take(role: role, isInput: isInput)
            return [.taken]
        }
        if let refusal { throw Self.error(refusal, line: line, role: role) }
        return holder
    }

    /// Changes a line, writes the trace in the order of the changes, and tells observers outside the lock.
    private func change(_ name: String, _ body: (inout SimulatedLine, Instant) -> [PanelChange.What]) {
        state.withLock { state in
            let now = clock.now
            var line = state.lines[name] ?? SimulatedLine()
            let what = body(&line, now)
            state.lines[name] = line
            for what in what {
                state.changes += 1
                let change = PanelChange(number: state.changes, at: now, role: line.role, line: name, what: what)
                state.trace.append(change)
                observers.enqueue(change)
            }
            // In blocks, so that a full trace doesn't move all its entries at each change.
            if state.trace.count >= 2 * traceLimit { state.trace.removeFirst(state.trace.count - traceLimit) }
        }
        observers.deliver()
    }

    private static func error(_ fault: Fault, line: String, role: LineRole) -> LineError {
        let chip = GPIOChip(path: "", name: "simulated", label: "scanstation-panel")
        let place = GPIOPlace(role: role, line: line, chip: chip, offset: 0)
        return switch fault {
        case .taken(let holder): GPIOErrors.taken(by: holder, place)
        case .missing: GPIOErrors.notFound(line, role: role, chips: [chip], failures: [])
        case .vanished: GPIOErrors.vanished(place)
        case .permissionDenied: GPIOErrors.denied(place)
        }
    }
}
