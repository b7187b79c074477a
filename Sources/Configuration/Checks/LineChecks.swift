import Settings
import Vocabulary

extension SettingsChecks {
    static let lines: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            var roles: [String: String] = [:]
            for use in LineUse.all(in: settings) where !findings.leftOut(use.path) {
                if let other = roles[use.pin] {
                    findings.add(
                        .error, "\(use.path) and \(other) both name \(use.line.line): give each a line of its own",
                        atPath: use.path)
                } else {
                    roles[use.pin] = use.path
                }
            }
        },
        SettingsCheck { settings, findings in
            guard settings.buzzer != nil else { return }
            let (line, pwm) = (findings.has("buzzer.line"), findings.has("buzzer.pwm"))
            if line && pwm {
                findings.add(
                    .error,
                    "buzzer.line and buzzer.pwm can't be combined: an active buzzer has a line, a passive one pwm",
                    atPath: "buzzer.pwm")
            } else if findings.leftOut("buzzer.line") && findings.leftOut("buzzer.pwm") {
                findings.add(
                    .error, "buzzer needs the key \"line\" (active buzzer) or \"pwm\" (passive buzzer)",
                    atPath: "buzzer")
            }
        },
        SettingsCheck { settings, findings in
            guard let relay = settings.relay, relay.pulse > relay.maxPulse else { return }
            let (pulse, limit) = (DurationText.text(relay.pulse), DurationText.text(relay.maxPulse))
            findings.add(
                .error, "relay.pulse (\(pulse)) is longer than relay.maxPulse (\(limit))", atPath: "relay.pulse")
        },
        // Until the station runs, the pins have their resistors' level: BCM2711 data sheet, 5.3; the others are alike.
        SettingsCheck { settings, findings in
            for use in LineUse.all(in: settings) where use.isDangerousWhileBooting {
                guard let number = use.number, (0...27).contains(number) else { continue }
                let isPulledUp = number <= 8
                guard isPulledUp != use.line.activeLow else { continue }
                findings.add(
                    .warning,
                    """
                    GPIO\(number) is pulled \(isPulledUp ? "up" : "down") while the Pi starts, which switches \
                    \(use.path.prefix { $0 != "." }) on until the station runs: \
                    take one of GPIO\(isPulledUp ? "9 to GPIO27" : "2 to GPIO8"), or fit a strong resistor against it
                    """, atPath: use.path)
            }
        },
        SettingsCheck { settings, findings in
            for use in LineUse.all(in: settings) {
                guard let number = use.number, !(0...27).contains(number) else { continue }
                findings.add(
                    .warning,
                    "\(use.path): a Raspberry Pi's header has GPIO0 to GPIO27; \(use.line.line) isn't on any of its pins",
                    atPath: use.path)
            }
        },
        SettingsCheck { settings, findings in
            let uarts: Set = ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"]
            for output in settings.outputs {
                guard case .serial(let serial) = output.kind, uarts.contains(serial.device) else { continue }
                for use in LineUse.all(in: settings) where use.number == 14 || use.number == 15 {
                    findings.add(
                        .warning,
                        "\(use.path) is a pin of the UART \(serial.device), which output \"\(output.name)\" uses",
                        atPath: use.path)
                }
            }
        },
    ]
}

extension Findings {
    /// Whether a section lacks a required key: then the settings have a sample in its place, and the complaint is made
    /// elsewhere.
    fileprivate func leftOut(_ path: String) -> Bool {
        guard !has(path), let dot = path.lastIndex(of: ".") else { return false }
        return has(String(path[..<dot]))
    }
}

/// A GPIO line that the settings name, and the key that names it.
struct LineUse {
    let path: String
    let line: LineSettings
    /// Being on during start-up does something: true of torch and relay, not of an LED.
    let isDangerousWhileBooting: Bool

    /// The number on a Raspberry Pi's header, however the line is named; on its chips the offset is the number.
    var number: Int? {
        let name = line.line
        let prefixes = ["GPIO", "pinctrl-rp1:", "pinctrl-bcm2711:", "pinctrl-bcm2835:"]
        return prefixes.first(where: name.hasPrefix).flatMap { Int(name.dropFirst($0.count)) }
    }

    /// Equal for two names of one line.
    var pin: String { number.map { "GPIO\($0)" } ?? line.line }

    static func all(in settings: StationSettings) -> [LineUse] {
        var uses: [LineUse] = []
        func add(_ path: String, _ line: LineSettings?, isDangerous: Bool = false) {
            guard let line, !line.line.isEmpty else { return }
            uses.append(LineUse(path: path, line: line, isDangerousWhileBooting: isDangerous))
        }
        add("torch.line", settings.torch?.line, isDangerous: true)
        add("indicators.good.line", settings.indicators.good)
        add("indicators.error.line", settings.indicators.error)
        add("indicators.ready.line", settings.indicators.ready)
        if case .line(let line) = settings.buzzer?.drive { add("buzzer.line", line) }
        add("relay.line", settings.relay?.line, isDangerous: true)
        add("trigger.button.line", settings.trigger.button?.line)
        add("confirmation.button.line", settings.confirmation.button?.line)
        return uses
    }
}
