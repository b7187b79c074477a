import Journal
import Vocabulary
import Wire

/// What the panel says about journal and outputs while something is wrong with them.
///
/// Scans that wait for a moment are normal; an output that works, but has had scans waiting for `patience`, is shown, too.
struct PanelTroubles {
    static let patience: Duration = .seconds(3)

    private var waitingSince: [String: ContinuousClock.Instant] = [:]

    /// The journal first, because nothing is read without it.
    mutating func look(
        at journal: JournalReport, _ outputs: [OutputReport], now: ContinuousClock.Instant
    ) -> [PanelModel.Trouble] {
        var since: [String: ContinuousClock.Instant] = [:]
        if journal.state == .closed { since[Self.opening] = waitingSince[Self.opening] ?? now }
        let isSlow = since[Self.opening].map { $0.duration(to: now) >= Self.patience } ?? false
        var troubles = Self.trouble(journal, isSlow: isSlow).map { [$0] } ?? []
        for output in outputs {
            let lag = output.lag ?? 0
            if lag > 0 { since[output.name] = waitingSince[output.name] ?? now }
            let isLate = since[output.name].map { $0.duration(to: now) >= Self.patience } ?? false
            if let trouble = Self.trouble(output, lag: lag, isLate: isLate) { troubles.append(trouble) }
        }
        waitingSince = since
        return troubles
    }

    /// A name that no output can have.
    private static let opening = ""

    private static func trouble(_ journal: JournalReport, isSlow: Bool) -> PanelModel.Trouble? {
        switch journal.state {
        case .ready: nil
        case .closed: isSlow ? PanelModel.Trouble(subject: "journal", text: "is being opened") : nil
        case .storageSlow(let detail):
            PanelModel.Trouble(subject: "journal", text: "slow: \(clean(detail))")
        case .full(let detail), .unavailable(let detail):
            PanelModel.Trouble(
                subject: "journal", text: "\(journal.state.name): \(clean(detail))", reason: clean(detail),
                isGrave: true)
        }
    }

    private static func trouble(_ output: OutputReport, lag: UInt64, isLate: Bool) -> PanelModel.Trouble? {
        let isInTrouble: Bool =
            switch output.status.state {
            case .waiting, .stalled, .failed: true
            case .idle, .connecting, .ready, .stopped: false
            }
        guard isInTrouble || isLate else { return nil }
        let scans = lag == 0 ? "" : ", \(lag.counted("scan waits", "scans wait"))"
        let reason = (output.status.detail ?? output.lastError).map(clean)
        return PanelModel.Trouble(
            subject: clean(output.name),
            text: output.status.state.rawValue + scans + (reason.map { ": \($0)" } ?? ""), reason: reason)
    }

    private static func clean(_ text: String) -> String { TerminalText.escape(text, limit: 1_000) }
}
