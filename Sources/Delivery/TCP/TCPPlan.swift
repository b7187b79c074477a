import ScanCore
import Wire

/// A TCP output's settings, checked, and what it writes.
struct TCPPlan: Sendable {
    let settings: TCPSettings
    /// `outputs[1].tcp`, for messages.
    let place: String
    private let format: ScanFormat
    private let secrets: SecretPolicy

    init(_ settings: TCPSettings, place: String, secrets: SecretPolicy) throws(DeliveryError) {
        self.settings = settings
        self.place = place
        self.secrets = secrets
        let host = TerminalText.escape(settings.host, limit: 100)
        guard !settings.host.isEmpty, settings.host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x2F }) else {
            throw DeliveryError(.badSetting, "\(place).host: \"\(host)\" is neither a name nor an address")
        }
        // An IPv6 address has at least two colons.
        guard settings.host.count(where: { $0 == ":" }) != 1 else {
            throw DeliveryError(.badSetting, "\(place).host: \"\(host)\": the port goes into \(place).port")
        }
        // 0 lets the system choose: for listening only, and not from a configuration.
        guard ((settings.role == .client ? 1 : 0)...65_535).contains(settings.port) else {
            throw DeliveryError(.badSetting, "\(place).port: \(settings.port) is not a number from 1 to 65535")
        }
        do {
            format = try ScanFormat(settings.format, secrets: secrets)
        } catch {
            throw DeliveryError(.badSetting, "\(place).template: \(error.message)")
        }
    }

    /// `host:port`, as the settings have it.
    var target: String {
        settings.host.contains(":") ? "[\(settings.host)]:\(settings.port)" : "\(settings.host):\(settings.port)"
    }

    func wants(_ event: Event) -> Bool {
        if case .scan = event.body { return true }
        return settings.lines == .json && !settings.scansOnly
    }

    /// `nil`: nothing is written for this event.
    func record(_ event: Event) -> [UInt8]? {
        guard wants(event) else { return nil }
        return settings.lines == .json ? event.line(secrets: secrets) : format.render(event)
    }

    /// Whether a peer has to answer, and how.
    func answer(to event: Event) -> Answer {
        guard settings.receipt == .ack, case .scan = event.body else { return .none }
        return settings.lines == .json ? .command : .byte
    }

    enum Answer: Hashable, Sendable {
        /// "Written" is the receipt.
        case none
        /// `{"command":"ack","id":…}`, `accept` or `refuse`.
        case command
        /// ACK (0x06) or NAK (0x15).
        case byte
    }
}
