import Settings
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
        try settings.problems(at: place).throwFirst()
        do {
            format = try ScanFormat(settings.format, secrets: secrets)
        } catch {
            throw DeliveryError(.badSetting, "\(place).\(error.message)")
        }
    }

    /// `host:port` from the settings.
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

    /// ACK (0x06) and NAK (0x15), which don't name the scan.
    var isAnsweredByBytes: Bool { settings.receipt == .ack && settings.lines == .template }

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
