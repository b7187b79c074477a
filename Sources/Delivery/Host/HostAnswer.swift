import ScanCore

/// A host's verdict on a scan: more than a receipt, which only says that the scan arrived.
public struct HostAnswer: Hashable, Sendable {
    public typealias Relay = RelayWish

    /// The output it came through, or `control`.
    public var output: String
    /// The id of the scan that it belongs to.
    public var scan: String
    public var isAccepted: Bool
    public var reason: String?
    public var relay: Relay

    public init(
        output: String, scan: String, isAccepted: Bool, reason: String? = nil, relay: Relay = .asConfigured
    ) {
        self.output = output
        self.scan = scan
        self.isAccepted = isAccepted
        self.reason = reason
        self.relay = relay
    }
}
