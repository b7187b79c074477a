/// One place where scans go.
package struct OutputSettings: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case serial(SerialSettings)
        case unixSocket(UnixSocketSettings)
        case standardOutput(StandardOutputSettings)
        case tcp(TCPSettings)
        case mqtt(MQTTSettings)
        case webhook(WebhookSettings)
        case keyboard(KeyboardSettings)
        case file(FileSettings)

        package var settings: any OutputKind {
            switch self {
            case .serial(let settings): settings
            case .unixSocket(let settings): settings
            case .standardOutput(let settings): settings
            case .tcp(let settings): settings
            case .mqtt(let settings): settings
            case .webhook(let settings): settings
            case .keyboard(let settings): settings
            case .file(let settings): settings
            }
        }
    }

    /// Every kind, in the order of documents and messages.
    package static let kinds: [any OutputKind.Type] = [
        SerialSettings.self, UnixSocketSettings.self, StandardOutputSettings.self, TCPSettings.self,
        MQTTSettings.self, WebhookSettings.self, KeyboardSettings.self, FileSettings.self,
    ]

    /// Unique within the station; default: the kind's name (`serial`, `unix`, `stdout`…), with `-2`… if taken.
    package var name: String
    package var kind: Kind
    /// Whether the journal keeps a scan until this output has accepted or refused it; `nil`: the kind's default.
    package var required: Bool?
    /// `nil`: the kind's default.
    package var delivery: DeliveryMode?
    /// A `live` output skips scans that are older than this when their turn comes.
    package var maxAge: Duration = .seconds(2)
    /// What becomes of passwords and one-time-password secrets at this output.
    package var secrets: SecretPolicy = .withheld
    /// Events other than scans that may wait for this output before the oldest are dropped and counted. Scans wait in the
    /// journal.
    package var queue = 4096

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    package var isRequired: Bool { required ?? type(of: kind.settings).isUsuallyRequired }

    package var deliveryMode: DeliveryMode { delivery ?? type(of: kind.settings).usualDelivery }
}
