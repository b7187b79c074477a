import Settings

extension SettingsChecks {
    static let outputs: [SettingsCheck] = [
        SettingsCheck { settings, findings in
            var names: [String: Int] = [:]
            for (index, output) in settings.outputs.enumerated() {
                if let first = names[output.name] {
                    findings.add(
                        .error,
                        "outputs[\(index)] and outputs[\(first)] are both named \"\(output.name)\"",
                        atPath: "outputs[\(index)].name")
                } else {
                    names[output.name] = index
                }
            }
        },
        SettingsCheck { settings, findings in
            var users = settings.control.socket.map { [$0: "control.socket"] } ?? [:]
            if settings.console.isEnabled, let socket = settings.console.socket {
                if let other = users[socket] {
                    findings.add(
                        .error, "console.socket and \(other) both name \(socket)", atPath: "console.socket")
                }
                users[socket] = "console.socket"
            }
            for (index, output) in settings.outputs.enumerated() {
                let kind = output.kind.settings
                guard let (what, key) = kind.exclusive else { continue }
                let path = "outputs[\(index)].\(type(of: kind).key)" + (key.isEmpty ? "" : ".\(key)")
                if let other = users[what] {
                    findings.add(.error, "\(path) and \(other) both name \(what)", atPath: path)
                } else {
                    users[what] = path
                }
            }
        },
        SettingsCheck { settings, findings in
            for (index, output) in settings.outputs.enumerated() {
                guard case .serial(let serial) = output.kind, let limit = serial.answerLimit,
                    limit < serial.ackTimeout
                else { continue }
                let path = "outputs[\(index)].serial.answerLimit"
                findings.add(
                    .error, "\(path) is shorter than ackTimeout, the time that each answer is given: make it longer",
                    atPath: path)
            }
        },
        SettingsCheck { settings, findings in
            for (index, output) in settings.outputs.enumerated() {
                guard case .serial(let serial) = output.kind, serial.acknowledgement == .none else { continue }
                let usual = SerialSettings(device: serial.device)
                let isUnused = [
                    "ackTimeout": serial.ackTimeout != usual.ackTimeout, "retries": serial.retries != usual.retries,
                    "answerLimit": serial.answerLimit != usual.answerLimit,
                ]
                for (key, _) in isUnused.filter(\.value).sorted(by: { $0.key < $1.key }) {
                    let path = "outputs[\(index)].serial.\(key)"
                    findings.add(.warning, "\(path) has no effect: acknowledgement is none", atPath: path)
                }
            }
        },
        SettingsCheck { settings, findings in
            for (index, output) in settings.outputs.enumerated() {
                guard case .tcp(let tcp) = output.kind, tcp.answerLimit != nil,
                    tcp.receipt != .ack || tcp.lines != .template
                else { continue }
                let path = "outputs[\(index)].tcp.answerLimit"
                findings.add(
                    .warning, "\(path) has no effect: it is for receipt: ack with lines: template", atPath: path)
            }
        },
        SettingsCheck { settings, findings in
            for (index, output) in settings.outputs.enumerated() {
                guard output.kind.settings.lineFormat == .json else { continue }
                let kind = type(of: output.kind.settings).key
                for key in ["template", "templates"] where findings.has("outputs[\(index)].\(kind).\(key)") {
                    let path = "outputs[\(index)].\(kind).\(key)"
                    findings.add(
                        .warning,
                        "\(path) has no effect: \(kind).lines is json, so events are written as JSON; set lines: template",
                        atPath: path)
                }
            }
        },
        SettingsCheck { settings, findings in
            for (index, output) in settings.outputs.enumerated() {
                guard let tls = output.kind.settings.transportSecurity, !tls.verify else { continue }
                let path = "outputs[\(index)].\(type(of: output.kind.settings).key).tls.verify"
                findings.add(
                    .warning,
                    """
                    \(path) is off: any certificate is accepted, so anyone on the way can read the scans and answer in \
                    the host's place
                    """, atPath: path)
            }
        },
    ]
}
