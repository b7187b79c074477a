import GRDB
import Glibc
import Payloads
import Settings
import Wire

/// A journal's file, for the command line: looks at it while a station runs, and changes it only while none does.
///
/// All functions block on the disk. Errors have the code `notFound` (no journal, no such scan or output), `damaged`,
/// `newerVersion`, `inUse` (a station has it open and what was asked for changes it), `unavailable` or `failed`.
package struct JournalFile: Sendable {
    private let place: JournalPlace
    private let events: ScanEventReader

    /// - Parameter folder: `nil`: the station's default, see `StateFolder`.
    package init(folder: String? = nil, payloads: PayloadSettings = PayloadSettings()) {
        place = JournalPlace(folder: folder ?? StateFolder.default)
        events = ScanEventReader(interpreter: PayloadInterpreter(settings: payloads))
    }

    package var path: String { place.database }

    /// Why a version on trial can't use it: it would have to be converted. `nil`: it hasn't, or there is none, or it can't be read, which the
    /// station itself says.
    package var conversionProblem: String? {
        guard let mark = try? JournalStore.inspect(place) else { return nil }
        return JournalSchema().conversionProblem(of: mark, place)
    }

    /// Why the folder's storage forgets although writing to it succeeds: a tmpfs, an overlay; `nil` for disks.
    package var placeWarning: String? { place.warning }

    /// A scan as it is stored.
    package struct Record: Hashable, Sendable {
        package var sequence: UInt64
        package var id: String
        /// `nil` when the row can't be read: see `problem`.
        package var event: Event?
        package var problem: String?
        /// What is stored: the wire line without its newline, secrets revealed.
        package var line: [UInt8]
    }

    /// What an output has said about a scan.
    package struct Receipt: Hashable, Sendable {
        package enum Outcome: Hashable, Sendable {
            case accepted
            case pending
            case exception(Settlement.Outcome, reason: String, wallNanoseconds: Int64)
            /// Older than the oldest exception on record: nobody knows any more whether it was accepted.
            case forgotten
        }

        package var output: String
        package var outcome: Outcome
    }

    /// A scan that an output refused or skipped, or that could never be delivered to it.
    package struct Exception: Hashable, Sendable {
        package var sequence: UInt64
        package var receipt: Receipt
        /// `nil`: the limits have dropped the scan since.
        package var record: Record?
    }

    /// What the thorough check has found.
    package struct Verification: Hashable, Sendable {
        package var scans: UInt64 = 0
        /// What is wrong, at most `maxProblems` of them.
        package var problems: [String] = []
        /// Including those that aren't listed.
        package var problemCount: UInt64 = 0

        package var isSound: Bool { problemCount == 0 }

        package static let maxProblems = 100

        fileprivate mutating func add(_ problem: String) {
            problemCount += 1
            if problems.count < Verification.maxProblems { problems.append(problem) }
        }
    }

    package enum Key: Hashable, Sendable {
        case sequence(UInt64)
        case id(String)
    }

    // MARK: Looking at it

    package func report() throws(JournalError) -> JournalReport {
        try reading { db in
            let ledger = try JournalStore.ledger(db, path: place.database)
            let sizes = (JournalPlace.size(of: place.database) ?? 0) + (JournalPlace.size(of: place.log) ?? 0)
            return JournalReport(
                id: ledger.id, path: place.database, state: .closed, first: ledger.last == 0 ? 0 : ledger.first,
                last: ledger.last, scans: ledger.count, bytes: sizes, warning: place.warning,
                outputs: ledger.outputReports())
        }
    }

    /// The newest `count` scans, oldest first.
    package func last(_ count: Int) throws(JournalError) -> [Record] {
        try reading { db in
            let ledger = try JournalStore.ledger(db, path: place.database)
            let count = UInt64(max(0, min(count, JournalLimits.maxPage)))
            let after = ledger.last - min(ledger.last, count)
            return try JournalRow.fetch(db, after: after, upTo: ledger.last, limit: Int(count)).map(record)
        }
    }

    /// Scans with a sequence above `after` and below `before`, oldest first; at most 1000 a call.
    package func list(after: UInt64 = 0, before: UInt64 = .max, limit: Int) throws(JournalError) -> [Record] {
        try reading { db in
            let limit = max(0, min(limit, JournalLimits.maxPage))
            return try JournalRow.fetch(db, after: after, upTo: before - min(before, 1), limit: limit).map(record)
        }
    }

    /// One scan, with what each output that the journal knows has said about it, and the host.
    package func show(
        _ key: Key
    ) throws(JournalError) -> (record: Record, receipts: [Receipt], answer: RecordedAnswer?) {
        try reading { db in
            let row =
                switch key {
                case .sequence(let sequence): try JournalRow.fetch(db, sequence: sequence)
                case .id(let id): try JournalRow.fetch(db, id: id)
                }
            guard let row else { throw notThere(key) }
            let ledger = try JournalStore.ledger(db, path: place.database)
            let receipts = try ledger.outputs.values.sorted { $0.name < $1.name }.map { output in
                Receipt(output: output.name, outcome: try JournalReceipts.outcome(db, of: row.sequence, output))
            }
            return (record(row), receipts, try RecordedAnswer.fetch(db, sequence: row.sequence))
        }
    }

    /// Every scan after `after` up to the newest one at the start, a page at a time, so that memory stays flat and the station
    /// isn't held up. `progress` gets the number of scans done, and of all scans. `write` gets each record and may throw to stop.
    package func export(
        after: UInt64 = 0, progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in },
        write: (Record) throws -> Void
    ) throws {
        let queue = try open()
        defer { try? queue.close() }
        let (first, last) = try failing {
            try queue.inDatabase { db in
                let ledger = try JournalStore.ledger(db, path: place.database)
                return (max(ledger.first, after == .max ? .max : after + 1), ledger.last)
            }
        }
        guard first <= last else { return progress(0, 0) }
        let total = last - first + 1
        var position = first - 1
        while position < last {
            let rows = try failing {
                try queue.inDatabase {
                    try JournalRow.fetch($0, after: position, upTo: last, limit: JournalLimits.maxPage)
                }
            }
            guard let end = rows.last else { break }
            for row in rows { try write(record(row)) }
            position = end.sequence
            progress(position - first + 1, total)
        }
    }

    /// The newest `count` exceptions, oldest first: of one output or all, of one outcome or all. The journal keeps the newest
    /// 10,000 of each output. Throws `notFound` for an output that the journal doesn't know.
    package func exceptions(
        output: String? = nil, outcome: Settlement.Outcome? = nil, last count: Int
    ) throws(JournalError) -> [Exception] {
        try reading { db in
            if let output {
                let known = try JournalStore.ledger(db, path: place.database).outputs.keys.sorted()
                guard known.contains(output) else {
                    let names = known.isEmpty ? "none yet" : known.joined(separator: ", ")
                    throw JournalError(.notFound, "\(path) has no output \"\(output)\"; it knows \(names)")
                }
            }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT output, sequence, outcome, reason, wall FROM exceptions
                    WHERE output != '' AND (?1 IS NULL OR output = ?1) AND (?2 IS NULL OR outcome = ?2)
                    ORDER BY sequence DESC, output DESC LIMIT ?3
                    """,
                arguments: [output, outcome?.rawValue, Int64(clamping: count)])
            return try rows.reversed().compactMap { row in
                guard let name = String.fromDatabaseValue(row[0]), let number = Int64.fromDatabaseValue(row[1]),
                    let outcome = String.fromDatabaseValue(row[2]).flatMap(Settlement.Outcome.init)
                else { return nil }
                let sequence = UInt64(clamping: number)
                return Exception(
                    sequence: sequence,
                    receipt: Receipt(
                        output: name,
                        outcome: .exception(
                            outcome, reason: String.fromDatabaseValue(row[3]) ?? "",
                            wallNanoseconds: Int64.fromDatabaseValue(row[4]) ?? 0)),
                    record: try JournalRow.fetch(db, sequence: sequence).map(record))
            }
        }
    }

    /// Checks the file's structure (SQLite's integrity check), that each line can be read and belongs to its row, and that sequences have
    /// no gaps. Takes as long as reading everything; works while a station runs. `progress` gets the number of scans done, and of all
    /// scans.
    package func verify(
        progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(JournalError) -> Verification {
        var result = Verification()
        let structure = try reading { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Verification.maxProblems))")
        }
        for line in structure where line != "ok" { result.add(line) }
        var expected: UInt64?
        try failing {
            try export(progress: progress) { record in
                // While a station runs, it may drop the oldest scans meanwhile: that isn't a gap.
                if let expected, record.sequence != expected, try report().first < record.sequence {
                    result.add("scans \(expected) to \(record.sequence - 1) are missing")
                }
                expected = record.sequence + 1
                result.scans += 1
                if let problem = record.problem { result.add(problem) }
            }
        }
        return result
    }

    private func record(_ row: JournalRow) -> Record {
        var record = Record(sequence: row.sequence, id: row.id, line: row.line)
        do {
            record.event = try row.event(events)
        } catch {
            record.problem = error.message
        }
        return record
    }

    private func notThere(_ key: Key) -> JournalError {
        switch key {
        case .sequence(let sequence):
            JournalError(.notFound, "\(path) has no scan \(sequence): \"journal list\" shows what it has")
        case .id(let id): JournalError(.notFound, "\(path) has no scan with the id \"\(id)\"")
        }
    }

    // MARK: Changing it: only while no station has it open; the lock beside it tells

    /// Makes the file as small as what is in it. Returns its size before and after, in bytes. Needs as much free room on the
    /// disk as the file has.
    package func compact() throws(JournalError) -> (before: UInt64, after: UInt64) {
        try changing("compact") { store in
            try store.checkpointAndTruncate()
            let before = JournalPlace.size(of: place.database) ?? 0
            try store.inDatabase { try $0.execute(sql: "VACUUM") }
            try store.checkpointAndTruncate()
            return (before, JournalPlace.size(of: place.database) ?? 0)
        }
    }

    /// Sets an output back, so that the station delivers the scans after `sequence` to it once more when it starts. Returns how many these
    /// are. Receivers recognise repeats by their ids.
    package func replay(output: String, after sequence: UInt64) throws(JournalError) -> UInt64 {
        try changing("replay") { store in
            let ledger = try store.ledger()
            guard var row = ledger.outputs[output] else {
                let known = ledger.outputs.keys.sorted().joined(separator: ", ")
                throw JournalError(
                    .notFound, "\(path) knows no output \"\(output)\"; it knows: \(known.isEmpty ? "none" : known)")
            }
            guard sequence <= ledger.last else {
                throw JournalError(.notFound, "the newest scan of \(path) is \(ledger.last)")
            }
            guard sequence + 1 >= ledger.first else {
                throw JournalError(
                    .notFound, "the oldest scan of \(path) is \(ledger.first): use \(ledger.first - 1) or later")
            }
            guard sequence <= row.cursor else {
                throw JournalError(
                    .notFound,
                    "output \"\(output)\" has answered for the scans up to \(row.cursor) only: going on after \(sequence) would "
                        + "leave some out; use \(row.cursor) or earlier")
            }
            row.cursor = sequence
            var batch = JournalBatch()
            batch.outputs = [row]
            try store.commit(batch)
            return ledger.last - sequence
        }
    }

    private func changing<Value>(
        _ what: String, _ body: (JournalStore) throws -> Value
    ) throws(JournalError) -> Value {
        _ = try report()
        return try failing {
            let lock: JournalLock
            do {
                lock = try JournalLock(place)
            } catch let error as JournalError where error.code == .inUse {
                throw JournalError(.inUse, "can't \(what) the journal while a station has it open: \(error.message)")
            }
            defer { withExtendedLifetime(lock) {} }
            let opened = try JournalStore.open(
                place, birth: JournalStore.Birth(id: "", wallNanoseconds: 0, version: ""))
            defer { opened.store.close() }
            return try body(opened.store)
        }
    }

    // MARK: Connections

    private func reading<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        let queue = try open()
        defer { try? queue.close() }
        return try failing { try queue.inDatabase(body) }
    }

    /// For reading; a station may have it open.
    private func open() throws(JournalError) -> DatabaseQueue {
        guard let size = JournalPlace.size(of: place.database) else {
            if errno == EACCES { throw noPermission }
            throw JournalError(
                .notFound, "there is no journal in \(place.folder): has a station run with this journal.folder?")
        }
        guard size > 0 else { throw JournalError(.notFound, "\(path) is empty: no station has used it yet") }
        return try failing {
            let queue = try DatabaseQueue(path: place.database, configuration: JournalConnection.readOnly)
            try queue.inDatabase { try check(JournalSchema.Mark($0)) }
            return queue
        }
    }

    private func check(_ mark: JournalSchema.Mark) throws(JournalError) {
        guard mark.isJournal else { throw JournalError(.damaged, "\(path) isn't a journal of ScanStation") }
        let current = JournalSchema().version
        guard mark.version <= current else {
            throw JournalError(
                .newerVersion,
                "\(path) was written by a newer version of ScanStation (format \(mark.version), this one reads \(current)): "
                    + "use that version's scanstation")
        }
        guard mark.version == current else {
            throw JournalError(
                .unavailable, "\(path) has the format of an older version: it is converted when the station starts")
        }
    }

    private func failing<Value>(_ body: () throws -> Value) throws(JournalError) -> Value {
        do {
            return try body()
        } catch let error as JournalError {
            throw error
        } catch {
            throw problem(error)
        }
    }

    private var noPermission: JournalError {
        JournalError(.unavailable, "no permission to read \(path): run it as root or as the station's user")
    }

    private func problem(_ error: any Error) -> JournalError {
        if access(place.folder, R_OK | X_OK) != 0 || access(place.database, R_OK) != 0 {
            return noPermission
        }
        // SQLite needs files beside it; a running station has made them.
        if let error = error as? DatabaseError, [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode),
            access(place.folder, W_OK) != 0
        {
            return noPermission
        }
        switch JournalFailure(error, place: place, freeBytes: place.freeBytes) {
        case .diskFull(let message): return JournalError(.full, "the disk of \(place.folder) is full (\(message))")
        case .damaged(let message):
            return JournalError(
                .damaged, "\(message). The station sets a damaged journal aside when it starts and makes a new one")
        case .newer(let message): return JournalError(.newerVersion, message)
        case .rejected(let message): return JournalError(.failed, message)
        case .storage(let message), .gone(let message), .written(let message):
            return JournalError(.unavailable, message)
        }
    }
}
