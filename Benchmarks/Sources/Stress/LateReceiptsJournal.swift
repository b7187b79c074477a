import Journal
import Wire

/// The mutation `receiptsLate`: receipts are recorded much later, so that after a kill far more is repeated than can have been under way.
actor LateReceiptsJournal: ForwardingJournal {
    /// The most receipts of an output that are held back.
    static let batch: UInt64 = 500

    nonisolated let inner: any ScanJournal
    private var settled: [String: UInt64] = [:]

    init(_ inner: any ScanJournal) { self.inner = inner }

    func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        settled = try await inner.register(outputs)
        return settled
    }

    func settle(_ settlement: Settlement) async throws(JournalError) {
        guard settlement.sequence >= settled[settlement.output, default: 0] + Self.batch else { return }
        try await inner.settle(settlement)
        settled[settlement.output] = settlement.sequence
    }
}
