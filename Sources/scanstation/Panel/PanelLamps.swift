import Peripherals
import ScanCore

/// What the panel's lamps show: levels as the simulated panel tells of them. A flash between two pictures is seen in the next
/// one, however short it was.
struct PanelLamps {
    private var levels: [LineRole: Bool] = [:]
    private var flashed: Set<LineRole> = []
    private var newest: UInt64 = 0

    init(_ lines: [PanelLine]) { look(at: lines) }

    /// - Parameter lines: the lines as they are now, for a reader that was too slow for some changes.
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

    /// The lamps for one picture.
    mutating func picture(torch mode: TorchMode) -> [PanelModel.Lamp] {
        defer { flashed = [] }
        let torchName = mode == .off || mode == .on ? "torch" : "torch (\(mode.rawValue))"
        let shown: [(String, LineRole, Paint.Style)] = [
            (torchName, .torch, .white), ("good", .good, .green), ("error", .error, .red), ("ready", .ready, .blue),
            ("buzzer", .buzzer, .yellow), ("relay", .relay, .yellow),
        ]
        return shown.map { name, role, colour in
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
