import ScanCore

/// An output's receipts for the scans after its cursor, up to and with `sequence`.
public struct Settlement: Hashable, Sendable {
    /// Why a scan was not accepted; acceptance needs no words.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The receiver said no.
        case refused
        /// A live output came too late for it.
        case skipped
        /// It can't be delivered: the receiver will never take it.
        case undeliverable
    }

    public struct Exception: Hashable, Sendable {
        public var sequence: UInt64
        public var outcome: Outcome
        public var reason: String

        public init(sequence: UInt64, outcome: Outcome, reason: String) {
            self.sequence = sequence
            self.outcome = outcome
            self.reason = reason
        }
    }

    public var output: String
    /// The output's new cursor.
    public var sequence: UInt64
    /// Scans among them that were not accepted; all others were.
    public var exceptions: [Exception]

    public init(output: String, sequence: UInt64, exceptions: [Exception] = []) {
        self.output = output
        self.sequence = sequence
        self.exceptions = exceptions
    }
}
