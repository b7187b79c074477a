import Journal
import Wire

/// The mutation `receiptsLate`: receipts are recorded much later, so that after a kill far more is repeated than can have been under way.
actor LateReceiptsJournal: ScanJournal {
    /// The most receipts of an output that are held back.
    static let batch: UInt64 = 500

    private let inner: any ScanJournal
    private var settled: [String: UInt64] = [:]

    init(_ inner: any ScanJournal) { self.inner = inner }

    nonisolated var states: AsyncStream<JournalState> { inner.states }

    func open() async { await inner.open() }

    func append(_ scans: [Event]) async throws(JournalError) -> [Event] { try await inner.append(scans) }

    func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        try await inner.scans(after: sequence, limit: limit)
    }

    func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        settled = try await inner.register(outputs)
        return settled
    }

    func settle(_ settlement: Settlement) async throws(JournalError) {
        guard settlement.sequence >= settled[settlement.output, default: 0] + Self.batch else { return }
        try await inner.settle(settlement)
        settled[settlement.output] = settlement.sequence
    }

    func report() async -> JournalReport { await inner.report() }

    func close() async { await inner.close() }
}
