import Dispatch
import GRDB
import Wire

/// Reads older scans from the file, on its own queue and connection, so it never waits for a commit.
///
/// `@unchecked Sendable`: the connection is touched on `queue` only.
final class JournalPageReader: @unchecked Sendable {
    private let place: JournalPlace
    private let events: ScanEventReader
    private let queue = DispatchQueue(label: "scanstation.journal.reader", qos: .userInitiated)
    private var connection: DatabaseQueue?
    /// The opening of the file that the connection belongs to.
    private var opening: UInt64 = 0

    init(place: JournalPlace, events: ScanEventReader) {
        self.place = place
        self.events = events
    }

    struct Page: Sendable {
        var events: [Event] = []
        /// Rows that can't be read, with the reason.
        var unreadable: [(sequence: UInt64, reason: String)] = []
    }

    /// Scans after `sequence` and up to `last`. Rows that can't be read are passed over, so that an empty page is the end.
    func page(after sequence: UInt64, upTo last: UInt64, limit: Int, opening: UInt64) async throws -> Page {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        try self.read(after: sequence, upTo: last, limit: limit, opening: opening)
                    })
            }
        }
    }

    private func read(after sequence: UInt64, upTo last: UInt64, limit: Int, opening: UInt64) throws -> Page {
        let connection = try connect(opening)
        var page = Page()
        var position = sequence
        while page.events.isEmpty, position < last {
            let rows = try connection.inDatabase { db in
                try JournalRow.fetch(db, after: position, upTo: last, limit: limit)
            }
            guard let end = rows.last else { break }
            for row in rows {
                do {
                    page.events.append(try row.event(events))
                } catch {
                    page.unreadable.append((row.sequence, "\(error)"))
                }
            }
            position = end.sequence
        }
        return page
    }

    /// A scan by its id.
    func scan(id: String, opening: UInt64) async throws -> Event? {
        try await inTurn { reader in
            let row = try reader.connect(opening).inDatabase { try JournalRow.fetch($0, id: id) }
            return try row?.event(reader.events)
        }
    }

    /// What each output of the run has said.
    func receipts(
        of sequences: [UInt64], _ outputs: [JournalLedger.Output], opening: UInt64
    ) async throws -> [UInt64: [JournalFile.Receipt]] {
        try await inTurn { reader in
            try reader.connect(opening).inDatabase { db in
                var receipts: [UInt64: [JournalFile.Receipt]] = [:]
                for sequence in sequences {
                    receipts[sequence] = try outputs.map { output in
                        JournalFile.Receipt(
                            output: output.name, outcome: try JournalReceipts.outcome(db, of: sequence, output))
                    }
                }
                return receipts
            }
        }
    }

    /// What the host said.
    func answers(to sequences: [UInt64], opening: UInt64) async throws -> [UInt64: RecordedAnswer] {
        try await inTurn { reader in
            try reader.connect(opening).inDatabase { db in
                var answers: [UInt64: RecordedAnswer] = [:]
                for sequence in sequences { answers[sequence] = try RecordedAnswer.fetch(db, sequence: sequence) }
                return answers
            }
        }
    }

    func note(_ note: JournalNote, opening: UInt64) async throws -> String? {
        try await inTurn { reader in
            try reader.connect(opening).inDatabase { db in
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE name = ?", arguments: [note.rawValue])
            }
        }
    }

    private func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable (JournalPageReader) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    private func connect(_ opening: UInt64) throws -> DatabaseQueue {
        if let connection, self.opening == opening { return connection }
        disconnect()
        let opened = try DatabaseQueue(path: place.database, configuration: JournalConnection.readOnly)
        connection = opened
        self.opening = opening
        return opened
    }

    /// Closes the file once the current page is read: while it is open, a disk that was pulled out can't be put in again.
    func release() { queue.async { self.disconnect() } }

    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.disconnect()
                continuation.resume()
            }
        }
    }

    private func disconnect() {
        try? connection?.close()
        connection = nil
    }
}
