/// What the host says about a scan, beyond its arrival: the verdict that counts, or that none came in time.
package struct AnswerEvent: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case accepted
        case refused
        /// Nobody answered in time.
        case none
    }

    /// The scan's id and sequence.
    package var scan: String
    package var sequence: UInt64
    package var verdict: Verdict
    /// The output it came through, `control`, or `allowList`; `nil` with `none`.
    package var by: String?
    package var reason: String?
    /// Later than `host.timeout`: nothing was moved.
    package var isLate: Bool
    /// Whether the relay was pulsed.
    package var relay: Bool

    package init(
        scan: String, sequence: UInt64, verdict: Verdict, by: String? = nil, reason: String? = nil,
        isLate: Bool = false,
        relay: Bool = false
    ) {
        self.scan = scan
        self.sequence = sequence
        self.verdict = verdict
        self.by = by
        self.reason = reason
        self.isLate = isLate
        self.relay = relay
    }
}
