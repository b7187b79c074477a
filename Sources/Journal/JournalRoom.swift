import Settings
import Vocabulary

/// Whether there is room within the limits, and what may be dropped to make some. A value: no I/O.
struct JournalRoom: Sendable {
    let maxScans: UInt64
    let maxBytes: UInt64

    init(_ settings: JournalSettings) {
        maxScans = UInt64(max(1, settings.maxScans))
        maxBytes = UInt64(max(0, settings.maxBytes))
    }

    /// How many more than necessary are dropped, so that not every scan has to drop one.
    private var slack: UInt64 { min(UInt64(JournalLimits.dropStep), maxScans / 64) }
    /// How much room there must be before scans are accepted again, so that the state doesn't flutter.
    private var resumeScans: UInt64 { min(64, max(1, maxScans / 16)) }
    private var resumeBytes: UInt64 { min(64 << 10, maxBytes / 16) }

    /// The sequence up to which scans must be dropped before `incoming` more are kept; `nil`: none.
    func drop(_ ledger: JournalLedger, liveBytes: UInt64, incoming: UInt64) -> UInt64? {
        var through: UInt64 = 0
        let count = ledger.count + incoming
        if count > maxScans { through = ledger.first + (count - maxScans) + slack - 1 }
        if liveBytes > maxBytes { through = max(through, ledger.first + UInt64(JournalLimits.dropStep) - 1) }
        through = min(through, ledger.floor)
        return through >= ledger.first ? through : nil
    }

    /// Why `incoming` scans can't be kept; `nil`: they can. `isFull`: whether the journal was full until now.
    func obstacle(_ ledger: JournalLedger, liveBytes: UInt64, incoming: UInt64, isFull: Bool) -> String? {
        let margin = isFull ? resumeScans : incoming
        if ledger.undelivered + margin > maxScans {
            return
                "\(ledger.undelivered.counted("scan waits", "scans wait")) for \(holder(ledger)), and journal.maxScans is \(maxScans): "
                + "repair that output, set required: off for it, or raise the limit"
        }
        let isOver = isFull ? liveBytes + resumeBytes > maxBytes : liveBytes > maxBytes
        if isOver, ledger.floor < ledger.first, ledger.count > 0 {
            return
                "\(ledger.undelivered.counted("scan")) (\(liveBytes) bytes) wait for \(holder(ledger)), and journal.maxBytes is "
                + "\(maxBytes): repair that output, set required: off for it, or raise the limit"
        }
        return nil
    }

    private func holder(_ ledger: JournalLedger) -> String {
        ledger.slowest.map { "output \($0.name)" } ?? "no output"
    }
}
