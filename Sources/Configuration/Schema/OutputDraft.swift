import Settings

/// An output on its way from YAML, where the kinds are keys of which one is given, and the name may be missing.
struct OutputDraft: Sendable {
    var serial: SerialSettings?
    var unix: UnixSocketSettings?
    var stdout: StandardOutputSettings?
    var tcp: TCPSettings?
    var mqtt: MQTTSettings?
    var webhook: WebhookSettings?
    var keyboard: KeyboardSettings?
    var file: FileSettings?
    var name: String?
    /// What all kinds have; its name and kind mean nothing.
    var common = OutputSettings(name: "", kind: .standardOutput(StandardOutputSettings()))

    init() {}

    init(_ output: OutputSettings) {
        name = output.name
        common = output
        switch output.kind {
        case .serial(let settings): serial = settings
        case .unixSocket(let settings): unix = settings
        case .standardOutput(let settings): stdout = settings
        case .tcp(let settings): tcp = settings
        case .mqtt(let settings): mqtt = settings
        case .webhook(let settings): webhook = settings
        case .keyboard(let settings): keyboard = settings
        case .file(let settings): file = settings
        }
    }

    static let kindNames = "serial, unix, stdout, tcp, mqtt, webhook, keyboard or file"

    private var kinds: [(name: String, kind: OutputSettings.Kind)] {
        [
            serial.map { ("serial", .serial($0)) }, unix.map { ("unix", .unixSocket($0)) },
            stdout.map { ("stdout", .standardOutput($0)) }, tcp.map { ("tcp", .tcp($0)) },
            mqtt.map { ("mqtt", .mqtt($0)) }, webhook.map { ("webhook", .webhook($0)) },
            keyboard.map { ("keyboard", .keyboard($0)) }, file.map { ("file", .file($0)) },
        ].compactMap { $0 }
    }

    func complainUnlessComplete(_ path: String, _ findings: inout Findings) {
        switch kinds.count {
        case 0: findings.add(.error, "\(path) needs a kind: \(Self.kindNames)", atPath: path)
        case 1: break
        default:
            let names = kinds.map(\.name).joined(separator: " and ")
            findings.add(.error, "\(path) has \(names): make them two items of the list", atPath: path)
        }
    }

    /// As settings; none if one is incomplete, so that places in the list stay right. An output without a name gets that of its kind, with
    /// `-2`, `-3`… if it is taken.
    static func named(_ drafts: [OutputDraft]) -> [OutputSettings] {
        guard drafts.allSatisfy({ $0.kinds.count == 1 }) else { return [] }
        var taken = Set(drafts.compactMap(\.name))
        return drafts.compactMap { draft in
            guard let (kindName, kind) = draft.kinds.first else { return nil }
            var name = draft.name ?? kindName
            var number = 2
            while draft.name == nil, taken.contains(name) {
                name = "\(kindName)-\(number)"
                number += 1
            }
            taken.insert(name)
            var output = draft.common
            output.name = name
            output.kind = kind
            return output
        }
    }
}
