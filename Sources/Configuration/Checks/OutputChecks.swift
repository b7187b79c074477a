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
            for (index, output) in settings.outputs.enumerated() {
                let (target, path) = target(of: output, index)
                if let other = users[target] {
                    findings.add(.error, "\(path) and \(other) both name \(target)", atPath: path)
                } else {
                    users[target] = path
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
                    .error, "\(path) is shorter than ackTimeout, for which each answer is waited for: make it longer",
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
                guard let (kind, lines) = lines(of: output), lines == .json else { continue }
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
                guard let (kind, tls) = tls(of: output), !tls.verify else { continue }
                let path = "outputs[\(index)].\(kind).tls.verify"
                findings.add(
                    .warning,
                    """
                    \(path) is off: any certificate is taken, so whoever is on the way can read the scans and answer in \
                    the host's place
                    """, atPath: path)
            }
        },
    ]

    private static func lines(of output: OutputSettings) -> (kind: String, LineFormat)? {
        switch output.kind {
        case .tcp(let tcp): ("tcp", tcp.lines)
        case .file(let file): ("file", file.lines)
        default: nil
        }
    }

    private static func tls(of output: OutputSettings) -> (kind: String, TLSSettings)? {
        switch output.kind {
        case .mqtt(let mqtt): mqtt.tls.map { ("mqtt", $0) }
        case .webhook(let webhook): webhook.tls.map { ("webhook", $0) }
        default: nil
        }
    }

    /// What only one output can have, and the key that names it.
    private static func target(of output: OutputSettings, _ index: Int) -> (target: String, path: String) {
        switch output.kind {
        case .serial(let serial): (serial.device, "outputs[\(index)].serial.device")
        case .unixSocket(let unix): (unix.path, "outputs[\(index)].unix.path")
        case .standardOutput: ("standard output", "outputs[\(index)].stdout")
        case .tcp(let tcp):
            ("\(tcp.role.rawValue) \(tcp.host):\(tcp.port)", "outputs[\(index)].tcp.port")
        case .mqtt(let mqtt): ("\(mqtt.host) \(mqtt.topic)", "outputs[\(index)].mqtt.topic")
        case .webhook: ("output \(output.name)", "outputs[\(index)].webhook.url")
        case .keyboard(let keyboard): (keyboard.device, "outputs[\(index)].keyboard.device")
        case .file(let file): (file.path, "outputs[\(index)].file.path")
        }
    }
}
