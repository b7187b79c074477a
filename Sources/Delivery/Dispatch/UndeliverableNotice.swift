import Vocabulary
import Wire

/// Reports that scans can't be delivered: the first one at once, then at most one event per `Lane.errorInterval`, with their number.
struct UndeliverableNotice: Sendable {
    private var toldAt: Instant?
    private var untold = 0

    /// `nil`: the last report was not long ago, so this one is only counted.
    mutating func tell(_ output: String, _ scan: Scan, reason: String, at now: Instant) -> ErrorEvent? {
        if let toldAt, toldAt.duration(to: now) < Lane.errorInterval {
            untold += 1
            return nil
        }
        defer { (toldAt, untold) = (now, 0) }
        let others = untold == 0 ? "" : " (and \(untold.counted("scan")) before it)"
        return ErrorEvent(
            part: "output.\(output)", code: "undeliverable",
            message:
                "scan \(scan.sequence)\(others) can't be delivered: \(reason). It isn't offered again; the journal "
                + "keeps it, marked as undeliverable")
    }
}
