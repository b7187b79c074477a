/// An output's receipts for the scans after its cursor, up to and including `sequence`.
package struct Settlement: Hashable, Sendable {
    /// Why a scan wasn't accepted; acceptance needs no words.
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The receiver said no.
        case refused
        /// It was too old for a live output.
        case skipped
        /// It can't be delivered: the receiver will never take it.
        case undeliverable
    }

    package struct Exception: Hashable, Sendable {
        package var sequence: UInt64
        package var outcome: Outcome
        package var reason: String

        package init(sequence: UInt64, outcome: Outcome, reason: String) {
            self.sequence = sequence
            self.outcome = outcome
            self.reason = reason
        }
    }

    package var output: String
    /// The output's new cursor.
    package var sequence: UInt64
    /// Those that weren't accepted; all others were.
    package var exceptions: [Exception]

    package init(output: String, sequence: UInt64, exceptions: [Exception] = []) {
        self.output = output
        self.sequence = sequence
        self.exceptions = exceptions
    }
}
