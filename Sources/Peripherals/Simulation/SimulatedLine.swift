import Vocabulary

/// A line of a simulated panel, guarded by the panel's lock.
struct SimulatedLine: Sendable {
    var role: LineRole?
    var isInput = false
    var isActive = false
    var toneHertz = 0
    var fault: SimulatedPanel.Fault?
    /// Who holds it. Each time it is taken it gets a new number, so that an old handle can't touch what a newer one holds.
    var holder: UInt64?
    /// Where the edges of a held input go.
    var edges: AsyncStream<LineEdge>.Continuation?
    private var takings: UInt64 = 0

    var isHeld: Bool { holder != nil }

    /// Outputs come up inactive; a button stays as it is.
    mutating func take(role: LineRole, isInput: Bool) -> UInt64 {
        takings += 1
        holder = takings
        self.role = role
        self.isInput = isInput
        toneHertz = 0
        if !isInput { isActive = false }
        return takings
    }
}

extension PanelLine {
    /// As the inventory shows it.
    var holderName: String? {
        if case .taken(let program) = fault { return program }
        return isHeld ? role?.consumer : nil
    }
}

final class SimulatedOutput: OutputLine {
    private let panel: SimulatedPanel
    private let line: String
    private let role: LineRole
    private let holder: UInt64

    init(panel: SimulatedPanel, line: String, role: LineRole, holder: UInt64) {
        self.panel = panel
        self.line = line
        self.role = role
        self.holder = holder
    }

    deinit { close() }

    func set(_ isActive: Bool) throws(LineError) {
        try panel.use(line, role: role, holder: holder) { line in
            let isChange = line.isActive != isActive
            line.isActive = isActive
            return ((), isChange ? .level(isActive) : nil)
        }
    }

    func read() throws(LineError) -> Bool {
        try panel.use(line, role: role, holder: holder) { ($0.isActive, nil) }
    }

    func close() { panel.giveBack(line, holder: holder) }
}

final class SimulatedInput: InputLine {
    let isDebounced: Bool
    let edges: AsyncStream<LineEdge>
    private let panel: SimulatedPanel
    private let line: String
    private let role: LineRole
    private let holder: UInt64

    init(
        panel: SimulatedPanel, line: String, role: LineRole, holder: UInt64, edges: AsyncStream<LineEdge>,
        isDebounced: Bool
    ) {
        self.panel = panel
        self.line = line
        self.role = role
        self.holder = holder
        self.edges = edges
        self.isDebounced = isDebounced
    }

    deinit { close() }

    func read() throws(LineError) -> Bool {
        try panel.use(line, role: role, holder: holder) { ($0.isActive, nil) }
    }

    func close() { panel.giveBack(line, holder: holder) }
}

final class SimulatedTone: ToneOutput {
    private let panel: SimulatedPanel
    private let line: String
    private let holder: UInt64

    init(panel: SimulatedPanel, line: String, holder: UInt64) {
        self.panel = panel
        self.line = line
        self.holder = holder
    }

    deinit { close() }

    func sound(hertz: Int) throws(LineError) {
        try panel.use(line, role: .buzzer, holder: holder) { line in
            let isChange = line.toneHertz != hertz
            line.toneHertz = hertz
            line.isActive = hertz != 0
            return ((), isChange ? .tone(hertz: hertz) : nil)
        }
    }

    func read() throws(LineError) -> Bool {
        try panel.use(line, role: .buzzer, holder: holder) { ($0.isActive, nil) }
    }

    func close() { panel.giveBack(line, holder: holder) }
}
