/// What the host says to a scan, beyond its arrival: the verdict that counts, or that there was none in time.
public struct AnswerEvent: Hashable, Sendable {
    public enum Verdict: String, CaseIterable, Hashable, Sendable {
        case accepted
        case refused
        /// Nobody answered in time.
        case none
    }

    /// The scan's id and sequence.
    public var scan: String
    public var sequence: UInt64
    public var verdict: Verdict
    /// The output it came through, `control`, or `allowList`; `nil` with `none`.
    public var by: String?
    public var reason: String?
    /// Later than `host.timeout`: nothing was moved.
    public var isLate: Bool
    /// Whether the relay was pulsed.
    public var relay: Bool

    public init(
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
