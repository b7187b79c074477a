import Settings
import Vocabulary

/// For `scanstation lines` and `lines off`.
package enum LineInventory {
    /// Everything there is.
    package struct Report: Hashable, Sendable {
        package var chips: [Chip]
        /// Why there are none, or why they can't be listed, and what to do.
        package var problem: String?
        /// Where this comes from: `libgpiod 1.6.3`, `simulated panel`.
        package var source: String

        package init(chips: [Chip], problem: String? = nil, source: String) {
            self.chips = chips
            self.problem = problem
            self.source = source
        }
    }

    package struct Chip: Hashable, Sendable {
        /// `gpiochip0`
        package var name: String
        /// `/dev/gpiochip0`; empty for a simulated one.
        package var path: String
        /// `pinctrl-rp1`
        package var label: String
        package var lines: [Line]
        /// Why its lines can't be listed, and what to do.
        package var problem: String?

        package init(name: String, path: String, label: String, lines: [Line], problem: String? = nil) {
            self.name = name
            self.path = path
            self.label = label
            self.lines = lines
            self.problem = problem
        }
    }

    package struct Line: Hashable, Sendable {
        package var offset: UInt32
        /// Empty when it has none.
        package var name: String
        /// Who holds it; `nil` when it is free. `?` when the holder gave no name.
        package var holder: String?
        package var isOutput: Bool
        package var isActiveLow: Bool

        package init(offset: UInt32, name: String, holder: String?, isOutput: Bool, isActiveLow: Bool) {
            self.offset = offset
            self.name = name
            self.holder = holder
            self.isOutput = isOutput
            self.isActiveLow = isActiveLow
        }
    }

    /// What became of one line in `driveSafe`.
    package struct Outcome: Hashable, Sendable {
        package var role: LineRole
        package var line: String
        /// `nil`: the line is at its safe level. Else what happened and what to do.
        package var problem: String?

        package init(role: LineRole, line: String, problem: String? = nil) {
            self.role = role
            self.line = line
            self.problem = problem
        }

        package var isSafe: Bool { problem == nil }
    }

    package static func list(_ lines: any LineProvider = GPIOChips()) -> Report { lines.inventory() }

    /// Drives every output that the configuration names to its safe level and gives it back. For the unit's ExecStopPost: on Pi kernels, a
    /// line keeps the level it had when its holder was killed. Lines that somebody holds are left alone.
    package static func driveSafe(
        settings: StationSettings, lines: any LineProvider = GPIOChips()
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (role, line) in outputs(of: settings) {
            var outcome = Outcome(role: role, line: line.line)
            do throws(LineError) {
                // Taking it drives it inactive, and closing it does so again.
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
    package var lineName: String {
        switch drive {
        case .line(let line): line.line
        case .pwm(let chip, let channel): "pwmchip\(chip)/pwm\(channel)"
        }
    }
}
