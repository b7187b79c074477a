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
    }

    /// Unique within the station; default: the kind's name (`serial`, `unix`, `stdout`…), with `-2`… if taken.
    package var name: String
    package var kind: Kind
    /// Whether the journal keeps a scan until this output has accepted or refused it; `nil`: as is usual for the kind.
    package var required: Bool?
    /// `nil`: as is usual for the kind.
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

    /// Serial, TCP, MQTT, webhook and file count unless told otherwise; what a person looks at or types into doesn't.
    package var isRequired: Bool {
        if let required { return required }
        return switch kind {
        case .serial, .tcp, .mqtt, .webhook, .file: true
        case .unixSocket, .standardOutput, .keyboard: false
        }
    }

    /// A keyboard is live: an old scan must not be typed into whatever has the focus by now.
    package var deliveryMode: DeliveryMode {
        if let delivery { return delivery }
        if case .keyboard = kind { return .live }
        return .durable
    }
}
