import Vocabulary
import Wire

/// A refusal that names no scan and may mean several, or that isn't a host's last word yet. It is no verdict; but a host that objects isn't
/// silent, so the allow-list doesn't answer in its place.
package struct HostObjection: Hashable, Sendable {
    /// As in `HostAnswer`.
    package var output: String
    /// The scans that may be meant; `nil`: any that can still be answered.
    package var scans: Set<String>?

    package init(output: String, scans: Set<String>? = nil) {
        self.output = output
        self.scans = scans
    }
}

/// A host's verdict on a scan: more than a receipt, which only says that the scan arrived.
package struct HostAnswer: Hashable, Sendable {
    /// The output it came through, or `control`.
    package var output: String
    /// The id of the scan that it belongs to.
    package var scan: String
    package var isAccepted: Bool
    package var reason: String?
    package var relay: RelayWish

    package init(
        output: String, scan: String, isAccepted: Bool, reason: String? = nil, relay: RelayWish = .asConfigured
    ) {
        self.output = output
        self.scan = scan
        self.isAccepted = isAccepted
        self.reason = reason
        self.relay = relay
    }

    /// `nil` for a command that isn't an answer.
    init?(output: String, scan: String, _ command: Command) {
        switch command {
        case .accept(_, let relay): self.init(output: output, scan: scan, isAccepted: true, relay: relay)
        case .refuse(_, let reason):
            self.init(output: output, scan: scan, isAccepted: false, reason: reason, relay: .none)
        default: return nil
        }
    }
}
