import Peripherals
import Settings
import Vocabulary
import Wire

/// Are the configured lines there and free (or ours)?
struct LinesCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        if let lines = context.station?["lines"]?.arrayValue {
            return lines.map { line in
                let name = "\(line["role"]?.stringValue ?? "?") on \(line["line"]?.stringValue ?? "?")"
                if let problem = line["problem"]?.stringValue {
                    return DoctorFinding(.fail, "gpio", "\(name): \(problem)")
                }
                return DoctorFinding(.ok, "gpio", "\(name): held by the running station")
            }
        }
        let wanted = context.settings.lines
        guard !wanted.isEmpty else { return [DoctorFinding(.ok, "gpio", "no line is configured")] }
        let report = LineInventory.list()
        if report.chips.isEmpty {
            return [
                DoctorFinding(
                    .fail, "gpio", report.problem ?? "no GPIO chip",
                    remedy: "lines are configured, but this machine has no /dev/gpiochip*: on a desk use run --simulate"
                )
            ]
        }
        return wanted.map { role, settings in
            guard let (chip, line) = report.find(settings.line) else {
                return DoctorFinding(
                    .fail, "gpio", "\(role) wants \(settings.line): no chip has such a line",
                    remedy: "see `scanstation lines` for the names, and set \(role.settingsKey)")
            }
            if let holder = line.holder {
                return DoctorFinding(
                    .fail, "gpio", "\(settings.line) (\(role)) is in use by \"\(holder)\" (\(chip.name))",
                    remedy:
                        "free it (an overlay in /boot/firmware/config.txt?) or set \(role.settingsKey) to another line")
            }
            return DoctorFinding(.ok, "gpio", "\(settings.line) (\(role)) is free (\(chip.name))")
        }
    }
}

extension LineInventory.Report {
    /// The line with this address: a name, or `LABEL:OFFSET`.
    func find(_ address: String) -> (chip: LineInventory.Chip, line: LineInventory.Line)? {
        for chip in chips {
            for line in chip.lines where line.name == address || "\(chip.label):\(line.offset)" == address {
                return (chip, line)
            }
        }
        return nil
    }
}

extension StationSettings {
    /// Every line that the settings name, with its role.
    var lines: [(role: LineRole, settings: LineSettings)] {
        var lines: [(LineRole, LineSettings)] = []
        if let torch { lines.append((.torch, torch.line)) }
        if let line = indicators.good { lines.append((.good, line)) }
        if let line = indicators.error { lines.append((.error, line)) }
        if let line = indicators.ready { lines.append((.ready, line)) }
        if case .line(let line)? = buzzer?.drive { lines.append((.buzzer, line)) }
        if let relay { lines.append((.relay, relay.line)) }
        if let button = trigger.button { lines.append((.trigger, button.line)) }
        if let button = confirmation.button { lines.append((.confirm, button.line)) }
        return lines
    }
}
