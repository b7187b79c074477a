import Payloads
import Settings
import Wire

/// The journal on disk: `journal.db` in the state folder (SQLite, write-ahead log, every commit flushed).
///
/// One writer commits what waits in groups. The newest scans are also in memory; older ones are read on a separate connection. Trouble is a
/// state, which ends by itself when its cause does.
package final class SQLiteJournal: ScanJournal {
    private let shared = JournalShared()
    private let writer: JournalWriter
    private let reader: JournalPageReader
    private let place: JournalPlace

    /// - Parameters:
    ///   - folder: of `journal.db`; made when it isn't there.
    ///   - payloads: how payloads are interpreted when scans are read back.
    ///   - version: of the program, written into a new journal.
    ///   - log: see `JournalLog`.
    package convenience init(
        settings: JournalSettings, folder: String, payloads: PayloadSettings = PayloadSettings(), version: String = "0",
        log: @escaping JournalLog = { _, _ in }
    ) {
        self.init(
            settings: settings, folder: folder, payloads: payloads, version: version, options: JournalOptions(),
            log: log)
    }

    package init(
        settings: JournalSettings, folder: String, payloads: PayloadSettings = PayloadSettings(), version: String = "0",
        options: JournalOptions, log: @escaping JournalLog = { _, _ in }
    ) {
        place = JournalPlace(folder: folder)
        let events = ScanEventReader(interpreter: PayloadInterpreter(settings: payloads))
        reader = JournalPageReader(place: place, events: events)
        writer = JournalWriter(
            settings: settings, place: place, events: events, pages: reader, version: version, options: options,
            shared: shared, log: log)
    }

    package var states: AsyncStream<JournalState> { shared.states }

    package func open() async { await writer.open() }

    package func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        guard !scans.isEmpty else { return [] }
        let lines = try ScanLine.lines(scans)
        return try await answer { .append(lines, $0) }
    }

    package func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        let limit = min(limit, JournalLimits.maxPage)
        guard limit > 0 else { return [] }
        let (page, last, opening) = shared.read { content in
            (content.tail.scans(after: sequence, limit: limit), content.ledger.last, content.opening)
        }
        if let page { return page }
        guard let opening else {
            let detail = shared.read(\.state).detail ?? "it isn't open"
            throw JournalError(.unavailable, "the journal can't be read: \(detail)")
        }
        do {
            let page = try await reader.page(after: sequence, upTo: last, limit: limit, opening: opening)
            for row in page.unreadable { writer.rowIsUnreadable(row.sequence, row.reason) }
            return page.events
        } catch {
            throw readingFailed(error, opening: opening)
        }
    }

    package func scan(id: String) async throws(JournalError) -> Event? {
        let opening = try opening()
        do { return try await reader.scan(id: id, opening: opening) } catch {
            throw readingFailed(error, opening: opening)
        }
    }

    package func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]] {
        let opening = try opening()
        let outputs = shared.read { content in
            content.ledger.outputs.values.filter(\.isActive).sorted { $0.name < $1.name }
        }
        do { return try await reader.receipts(of: sequences, outputs, opening: opening) } catch {
            throw readingFailed(error, opening: opening)
        }
    }

    package func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer] {
        let opening = try opening()
        do { return try await reader.answers(to: sequences, opening: opening) } catch {
            throw readingFailed(error, opening: opening)
        }
    }

    package func note(_ note: JournalNote) async throws(JournalError) -> String? {
        let opening = try opening()
        do { return try await reader.note(note, opening: opening) } catch {
            throw readingFailed(error, opening: opening)
        }
    }

    private func opening() throws(JournalError) -> UInt64 {
        let (opening, state) = shared.read { ($0.opening, $0.state) }
        guard let opening else {
            throw JournalError(.unavailable, "the journal can't be read: \(state.detail ?? "it isn't open")")
        }
        return opening
    }

    private func readingFailed(_ error: any Error, opening: UInt64) -> JournalError {
        let failure = JournalFailure(error, place: place, freeBytes: nil)
        guard case .damaged(let message) = failure else {
            return JournalError(.unavailable, "the journal can't be read: \(failure.message)")
        }
        writer.damageRead(message, opening: opening)
        return JournalError(.damaged, "the journal's file is damaged: \(message). It is set aside")
    }

    package func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        try await answer { .register(outputs, $0) }
    }

    package func settle(_ settlement: Settlement) async throws(JournalError) {
        try await answer { .settle(settlement, $0) }
    }

    package func record(_ answer: RecordedAnswer) async throws(JournalError) {
        try await self.answer { .record(answer, $0) }
    }

    package func remember(_ text: String, as note: JournalNote) async throws(JournalError) {
        try await answer { .remember(note, text, $0) }
    }

    package func report() async -> JournalReport { shared.report(path: place.database) }

    package func close() async {
        await writer.close()
        await reader.close()
    }

    /// Waits until the writer has nothing left to do. For tests.
    package func settled() async { await writer.settled() }

    /// Jobs that wait for the writer. For tests.
    var waitingJobs: Int { writer.inboxCount }

    private func answer<Value: Sendable>(
        _ job: (@escaping JournalJob.Answer<Value>) -> JournalJob
    ) async throws(JournalError) -> Value {
        let result: Result<Value, JournalError> = await withCheckedContinuation { continuation in
            writer.enqueue(job { continuation.resume(returning: $0) })
        }
        return try result.get()
    }
}
