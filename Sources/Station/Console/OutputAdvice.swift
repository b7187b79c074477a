import Settings
import Wire

/// What a person can do about an output that doesn't deliver, by its kind and state.
enum OutputAdvice {
    /// `nil`: nothing has to be done.
    static func text(_ report: OutputReport) -> String? {
        switch report.status.state {
        case .idle, .ready, .connecting, .stopped: return report.lastError == nil ? nil : passed
        case .stalled:
            return "its receiver takes nothing at the moment: \(receiver(report.kind)); scans wait in the journal"
        case .waiting: return "it tries again by itself: \(receiver(report.kind)); scans wait in the journal"
        case .failed: return "it doesn't try again: \(receiver(report.kind)), then restart the station"
        }
    }

    private static let passed = "it works again: nothing has to be done"

    private static func receiver(_ kind: String) -> String {
        OutputSettings.kinds.first { $0.key == kind }?.receiverAdvice ?? "see its detail"
    }
}
