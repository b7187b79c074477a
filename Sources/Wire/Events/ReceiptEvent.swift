/// What became of a scan at an output: its last word on it.
package struct ReceiptEvent: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        case accepted
        /// The receiver said no.
        case refused
        /// Too late for a live output, or nothing that it can write.
        case skipped
        /// It can't be delivered, however often it is tried.
        case undeliverable
    }

    package var output: String
    /// The scan's id and sequence.
    package var scan: String
    package var sequence: UInt64
    package var outcome: Outcome
    package var reason: String?

    package init(output: String, scan: String, sequence: UInt64, outcome: Outcome, reason: String? = nil) {
        self.output = output
        self.scan = scan
        self.sequence = sequence
        self.outcome = outcome
        self.reason = reason
    }

    package var isAccepted: Bool { outcome == .accepted }
}
