import Peripherals
import Settings
import Vocabulary

/// What the panel's lamps show: levels as the simulated panel reports them, or as read back from real lines. A flash between two pictures
/// shows in the next one, however short it was.
struct PanelLamps {
    /// There is one lamp for each line.
    private var levels: [LineRole: Bool] = [:]
    private var flashed: Set<LineRole> = []
    private var newest: UInt64 = 0

    init(_ lines: [PanelLine] = []) { look(at: lines) }

    /// - Parameter lines: the lines as they are now, for a reader that was too slow to see some changes.
    mutating func handle(_ change: PanelChange, lines: () -> [PanelLine]) {
        let isNext = newest == 0 || change.number == newest + 1
        newest = change.number
        guard isNext else { return look(at: lines()) }
        guard let role = change.role else { return }
        switch change.what {
        case .taken: set(role, false)
        case .level(let isActive): set(role, isActive)
        case .tone(let hertz): set(role, hertz != 0)
        case .pressed, .givenBack, .fault: break
        }
    }

    /// - Parameter statuses: those of the station's own lines. A line that it doesn't hold is dark.
    mutating func look(at statuses: [LineStatus]) {
        let outputs = statuses.filter { $0.role != .trigger && $0.role != .confirm }
        levels = levels.filter { role, _ in outputs.contains { $0.role == role } }
        for line in outputs { set(line.role, line.isActive ?? false) }
    }

    /// The lamps for one picture.
    mutating func picture(torch mode: TorchMode) -> [PanelModel.Lamp] {
        defer { flashed = [] }
        let torchName = mode == .off || mode == .on ? "torch" : "torch (\(mode.rawValue))"
        let shown: [(String, LineRole, Paint.Style)] = [
            (torchName, .torch, .white), ("good", .good, .green), ("error", .error, .red), ("ready", .ready, .yellow),
            ("buzzer", .buzzer, .cyan), ("relay", .relay, .blue),
        ]
        return shown.filter { levels[$0.1] != nil }.map { name, role, colour in
            PanelModel.Lamp(name: name, isOn: levels[role] == true || flashed.contains(role), colour: colour)
        }
    }

    private mutating func set(_ role: LineRole, _ isActive: Bool) {
        levels[role] = isActive
        if isActive { flashed.insert(role) }
    }

    private mutating func look(at lines: [PanelLine]) {
        for line in lines where !line.isInput { line.role.map { levels[$0] = line.isActive } }
    }
}
