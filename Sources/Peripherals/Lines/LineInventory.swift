import ScanCore

/// What `scanstation lines` and `lines off` show and do.
public enum LineInventory {
    /// Everything there is.
    public struct Report: Hashable, Sendable {
        public var chips: [Chip]
        /// Why there are none, or why they can't be listed, and what to do.
        public var problem: String?
        /// Where this comes from: `libgpiod 1.6.3`, `simulated panel`.
        public var source: String

        public init(chips: [Chip], problem: String? = nil, source: String) {
            self.chips = chips
            self.problem = problem
            self.source = source
        }
    }

    public struct Chip: Hashable, Sendable {
        /// `gpiochip0`
        public var name: String
        /// `/dev/gpiochip0`; empty for a simulated one.
        public var path: String
        /// `pinctrl-rp1`
        public var label: String
        public var lines: [Line]
        /// Why its lines can't be listed, and what to do.
        public var problem: String?

        public init(name: String, path: String, label: String, lines: [Line], problem: String? = nil) {
            self.name = name
            self.path = path
            self.label = label
            self.lines = lines
            self.problem = problem
        }
    }

    public struct Line: Hashable, Sendable {
        public var offset: UInt32
        /// Empty when it has none.
        public var name: String
        /// Who holds it; `nil` when it is free. `?` when the holder gave no name.
        public var holder: String?
        public var isOutput: Bool
        public var isActiveLow: Bool

        public init(offset: UInt32, name: String, holder: String?, isOutput: Bool, isActiveLow: Bool) {
            self.offset = offset
            self.name = name
            self.holder = holder
            self.isOutput = isOutput
            self.isActiveLow = isActiveLow
        }
    }

    /// What became of one line in `driveSafe`.
    public struct Outcome: Hashable, Sendable {
        public var role: LineRole
        public var line: String
        /// `nil`: the line is at its safe level. Else what happened and what to do.
        public var problem: String?

        public init(role: LineRole, line: String, problem: String? = nil) {
            self.role = role
            self.line = line
            self.problem = problem
        }

        public var isSafe: Bool { problem == nil }
    }

    public static func list(_ lines: any LineProvider = GPIOChips()) -> Report { lines.inventory() }

    /// Drives every output that the configuration names to its safe level and gives it back. For the unit's ExecStopPost:
    /// on Pi kernels a line keeps the level it had when its holder was killed. A line that somebody holds is left alone.
    public static func driveSafe(
        settings: StationSettings, lines: any LineProvider = GPIOChips()
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (role, line) in outputs(of: settings) {
            var outcome = Outcome(role: role, line: line.line)
            do throws(LineError) {
                // Taking it drives it inactive, closing it does so once more.
                try lines.openOutput(line, role: role).close()
            } catch {
                outcome.problem = error.message
            }
            outcomes.append(outcome)
        }
        if let buzzer = settings.buzzer {
            var outcome = Outcome(role: .buzzer, line: buzzer.lineName)
            do throws(LineError) {
                try lines.openTone(buzzer).close()
            } catch {
                outcome.problem = error.message
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    private static func outputs(of settings: StationSettings) -> [(LineRole, LineSettings)] {
        let all: [(LineRole, LineSettings?)] = [
            (.relay, settings.relay?.line), (.torch, settings.torch?.line), (.good, settings.indicators.good),
            (.error, settings.indicators.error), (.ready, settings.indicators.ready),
        ]
        return all.compactMap { role, line in line.map { (role, $0) } }
    }
}

extension BuzzerSettings {
    /// Its line or PWM channel in a word: `GPIO18`, `pwmchip0/pwm1`.
    public var lineName: String {
        switch drive {
        case .line(let line): line.line
        case .pwm(let chip, let channel): "pwmchip\(chip)/pwm\(channel)"
        }
    }
}
