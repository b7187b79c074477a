/// One place where scans go.
public struct OutputSettings: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case serial(SerialSettings)
        case unixSocket(UnixSocketSettings)
        case standardOutput(StandardOutputSettings)
        case tcp(TCPSettings)
        case mqtt(MQTTSettings)
        case webhook(WebhookSettings)
        case keyboard(KeyboardSettings)
        case file(FileSettings)
    }

    /// Unique within the station; default: the kind's name (`serial`, `unix`, `stdout`…), with `-2`… if taken.
    public var name: String
    public var kind: Kind
    /// Whether the journal keeps a scan until this output has accepted or refused it; `nil`: as is usual for the kind.
    public var required: Bool?
    /// `nil`: as is usual for the kind.
    public var delivery: DeliveryMode?
    /// A `live` output skips scans that are older than this when their turn comes.
    public var maxAge: Duration = .seconds(2)
    /// What becomes of passwords and one-time-password secrets at this output.
    public var secrets: SecretPolicy = .withheld
    /// Events other than scans that may wait for this output before the oldest are dropped and counted. Scans wait in the
    /// journal.
    public var queue = 4096

    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Serial, TCP, MQTT, webhook and file count unless told otherwise; what a person looks at or types into doesn't.
    public var isRequired: Bool {
        if let required { return required }
        return switch kind {
        case .serial, .tcp, .mqtt, .webhook, .file: true
        case .unixSocket, .standardOutput, .keyboard: false
        }
    }

    /// A keyboard is live: an old scan must not be typed into whatever has the focus by now.
    public var deliveryMode: DeliveryMode {
        if let delivery { return delivery }
        if case .keyboard = kind { return .live }
        return .durable
    }
}
