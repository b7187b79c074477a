import ScanCore

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
    ]

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
