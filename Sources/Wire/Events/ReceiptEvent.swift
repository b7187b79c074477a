/// What became of a scan at an output: its last word on it.
public struct ReceiptEvent: Hashable, Sendable {
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        case accepted
        /// The receiver said no.
        case refused
        /// Too late for a live output, or nothing that it can write.
        case skipped
        /// It can't be delivered, however often it is tried.
        case undeliverable
    }

    public var output: String
    /// The scan's id and sequence.
    public var scan: String
    public var sequence: UInt64
    public var outcome: Outcome
    public var reason: String?

    public init(output: String, scan: String, sequence: UInt64, outcome: Outcome, reason: String? = nil) {
        self.output = output
        self.scan = scan
        self.sequence = sequence
        self.outcome = outcome
        self.reason = reason
    }

    public var isAccepted: Bool { outcome == .accepted }
}
