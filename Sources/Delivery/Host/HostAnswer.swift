import Vocabulary

/// A host's verdict on a scan: more than a receipt, which only says that the scan arrived.
package struct HostAnswer: Hashable, Sendable {
    package typealias Relay = RelayWish

    /// The output it came through, or `control`.
    package var output: String
    /// The id of the scan that it belongs to.
    package var scan: String
    package var isAccepted: Bool
    package var reason: String?
    package var relay: Relay

    package init(
        output: String, scan: String, isAccepted: Bool, reason: String? = nil, relay: Relay = .asConfigured
    ) {
        self.output = output
        self.scan = scan
        self.isAccepted = isAccepted
        self.reason = reason
        self.relay = relay
    }
}
