import Journal
import Wire

/// A journal around another one, to which it passes on what it doesn't do itself. A call that is new in `ScanJournal` doesn't compile
/// until it is passed on, too.
protocol ForwardingJournal: ScanJournal {
    var inner: any ScanJournal { get }
}

extension ForwardingJournal {
    var states: AsyncStream<JournalState> { inner.states }

    func open() async { await inner.open() }

    func append(_ scans: [Event]) async throws(JournalError) -> [Event] { try await inner.append(scans) }

    func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        try await inner.scans(after: sequence, limit: limit)
    }

    func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        try await inner.register(outputs)
    }

    func settle(_ settlement: Settlement) async throws(JournalError) { try await inner.settle(settlement) }

    func scan(id: String) async throws(JournalError) -> Event? { try await inner.scan(id: id) }

    func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]] {
        try await inner.receipts(of: sequences)
    }

    func record(_ answer: RecordedAnswer) async throws(JournalError) { try await inner.record(answer) }

    func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer] {
        try await inner.answers(to: sequences)
    }

    func remember(_ text: String, as note: JournalNote) async throws(JournalError) {
        try await inner.remember(text, as: note)
    }

    func note(_ note: JournalNote) async throws(JournalError) -> String? { try await inner.note(note) }

    func report() async -> JournalReport { await inner.report() }

    func close() async { await inner.close() }
}
