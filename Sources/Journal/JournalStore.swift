import Foundation
import GRDB
import Vocabulary

/// The database file: one connection, used by the writer's thread only. Turns batches into transactions and reports only errors; the writer
/// decides what to do about them.
final class JournalStore {
    let place: JournalPlace
    private let queue: DatabaseQueue
    /// Set once it is fully open.
    private var watch: JournalWatch?

    init(place: JournalPlace, queue: DatabaseQueue) {
        self.place = place
        self.queue = queue
    }

    /// The one way in, for the extensions. It throws `JournalFailure` when the file isn't the station's own any more. It checks before and
    /// after `body`: what was written in between then counts for nothing. `isCheckpoint`: only checkpoints write into the database itself
    /// (`wal_autocheckpoint` is 0).
    func inDatabase<Value>(isCheckpoint: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
        try look()
        let value = Result { try queue.writeWithoutTransaction(body) }
        // Even after an error: part of it may have been written.
        let verdict = watch?.wrote(place.footprint, intoDatabase: isCheckpoint)
        let written = try value.get()
        if let verdict { try JournalStore.act(on: verdict) }
        return written
    }

    /// From now on, a file that something else moves away or writes to is noticed. `soundChecks`: see `JournalWatch`.
    func beginWatching(soundChecks: Int) {
        watch = JournalWatch(place, now: place.footprint, soundChecks: soundChecks)
    }

    /// Throws `JournalFailure` when the file isn't the station's own any more, or isn't as the station left it.
    func look() throws {
        if let watch { try JournalStore.act(on: watch.judge(place.footprint)) }
    }

    /// The same, and checks that the log begins as a log: one that is cut short in the middle of a commit has its size again when the
    /// commit is over. Opening it beside SQLite does no harm, because SQLite's locks are on other files.
    func lookInside() throws {
        try look()
        if watch != nil, place.logBegins == false {
            throw JournalFailure.damaged("\(place.log) was cut short or written over by something else")
        }
    }

    /// Whether its names still lead to it, whatever was written meanwhile.
    var isInPlace: Bool { watch?.isInPlace(place.footprint) == true }

    private static func act(on verdict: JournalWatch.Verdict) throws {
        switch verdict {
        case .intact: break
        case .gone(let message): throw JournalFailure.gone(message)
        case .damaged(let message): throw JournalFailure.damaged(message)
        case .written(let message): throw JournalFailure.written(message)
        }
    }

    /// For a file that has lost its name, which only this connection can still read.
    func withoutLook<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction(body)
    }

    func close() { try? queue.close() }

    /// Writes the whole batch or nothing; it is durable on return.
    func commit(_ batch: JournalBatch, beforeCommit: () throws -> Void = {}) throws {
        try inDatabase { db in
            try db.inTransaction(.immediate) {
                for row in batch.rows { try insert(row, db) }
                for output in batch.outputs { try write(output, db) }
                for exception in batch.exceptions { try write(exception, db) }
                for name in batch.forgotten { try forget(name, db) }
                for said in batch.answers { try write(said, db) }
                for (note, text) in batch.notes { try setMeta(note.rawValue, text, db) }
                if let through = batch.dropThrough {
                    try execute("DELETE FROM scans WHERE sequence <= ?", [Int64(clamping: through)], db)
                    try execute("DELETE FROM answers WHERE sequence <= ?", [Int64(clamping: through)], db)
                }
                if let last = batch.last { try setMeta("last", String(last), db) }
                if batch.isProbe { try setMeta("probe", "", db) }
                try beforeCommit()
                return .commit
            }
        }
    }

    private func execute(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: sql)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
    }

    private func insert(_ row: JournalBatch.Row, _ db: Database) throws {
        try execute(
            "INSERT INTO scans (sequence, id, wall, synced, boot, session, line) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                Int64(clamping: row.sequence), row.id, row.wallNanoseconds, row.isSynced, row.boot,
                Int64(clamping: row.session), Data(row.line),
            ], db)
    }

    private func write(_ output: JournalLedger.Output, _ db: Database) throws {
        func count(_ outcome: Settlement.Outcome) -> Int64 { Int64(clamping: output.counts[outcome] ?? 0) }
        try execute(
            """
            INSERT OR REPLACE INTO cursors (output, sequence, required, active, refused, skipped, undeliverable)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                output.name, Int64(clamping: output.cursor), output.isRequired, output.isActive, count(.refused),
                count(.skipped), count(.undeliverable),
            ], db)
    }

    private func write(_ row: JournalBatch.ExceptionRow, _ db: Database) throws {
        let sequence = Int64(clamping: row.exception.sequence)
        try execute(
            """
            INSERT OR REPLACE INTO exceptions (output, sequence, id, outcome, reason, wall)
            VALUES (?, ?, (SELECT id FROM scans WHERE sequence = ?), ?, ?, ?)
            """,
            [
                row.output, sequence, sequence, row.exception.outcome.rawValue,
                row.exception.reason.prefix(scalars: JournalLimits.reasonLength), row.wallNanoseconds,
            ], db)
    }

    private func write(_ said: RecordedAnswer, _ db: Database) throws {
        let answer = said.answer
        try execute(
            """
            INSERT OR REPLACE INTO answers (sequence, verdict, sender, reason, late, relay, wall)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                Int64(clamping: answer.sequence), answer.verdict.rawValue, answer.by,
                answer.reason?.prefix(scalars: JournalLimits.reasonLength), answer.isLate, answer.relay,
                said.wallNanoseconds,
            ], db)
    }

    private func forget(_ name: String, _ db: Database) throws {
        try execute("DELETE FROM cursors WHERE output = ?", [name], db)
        try execute("DELETE FROM exceptions WHERE output = ?", [name], db)
    }

    private func setMeta(_ name: String, _ value: String, _ db: Database) throws {
        try execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", [name, value], db)
    }
}

// MARK: - Care

/// What is done between commits, in small steps.
extension JournalStore {
    struct Sizes: Hashable, Sendable {
        var pageBytes: UInt64 = 4096
        var pages: UInt64 = 0
        var freePages: UInt64 = 0

        /// Bytes of pages that are in use.
        var liveBytes: UInt64 { (pages - min(pages, freePages)) * pageBytes }
        /// Whether it is worth giving pages back: over a quarter of the file and over a mebibyte is free.
        var isSparse: Bool { freePages * pageBytes > 1 << 20 && freePages > pages / 4 }
    }

    func sizes() throws -> Sizes {
        try inDatabase { db in
            func number(_ pragma: String) throws -> UInt64 {
                UInt64(clamping: try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA \(pragma)")) ?? 0)
            }
            return Sizes(
                pageBytes: try number("page_size"), pages: try number("page_count"),
                freePages: try number("freelist_count"))
        }
    }

    /// Copies the write-ahead log into the database as far as readers allow; never waits for them.
    func checkpoint() throws { _ = try inDatabase(isCheckpoint: true) { try $0.checkpoint(.passive) } }

    /// The same for a file that has lost its name.
    func checkpointWithoutLook() throws { try withoutLook { _ = try $0.checkpoint(.passive) } }

    /// The same, and gives the log's room back to the file system; waits for readers for a moment.
    func checkpointAndTruncate() throws { _ = try inDatabase(isCheckpoint: true) { try $0.checkpoint(.truncate) } }

    /// Gives some free pages back to the file system.
    func vacuumStep() throws {
        try inDatabase { try $0.execute(sql: "PRAGMA incremental_vacuum(\(JournalLimits.vacuumStep))") }
    }

    /// The newest scan, among the oldest ones up to `floor`, that is older than `limit` by a clock that was right at the time. Earlier
    /// scans with other times are older still. `nil`: none in this step.
    func expired(floor: UInt64, before limit: Int64) throws -> UInt64? {
        try inDatabase { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT MAX(sequence) FROM (
                            SELECT sequence, synced, wall FROM scans WHERE sequence <= ? ORDER BY sequence LIMIT ?)
                        WHERE synced = 1 AND wall < ?
                        """),
                arguments: [Int64(clamping: floor), JournalLimits.dropStep, limit]
            ).map { UInt64(clamping: $0) }
        }
    }

    /// Drops the oldest exceptions beyond the bound of each output.
    func trimExceptions(of outputs: [String]) throws {
        try inDatabase { db in
            for output in outputs {
                try db.execute(
                    sql: """
                        DELETE FROM exceptions WHERE output = ? AND sequence <= (
                            SELECT sequence FROM exceptions WHERE output = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?)
                        """, arguments: [output, output, JournalLimits.exceptionsPerOutput])
            }
        }
    }
}

// MARK: - Open

/// Opening and making the file. Cheap even with a million scans: header, tables, the first and the last row.
extension JournalStore {
    struct Opened {
        var store: JournalStore
        var ledger: JournalLedger
        var isNew: Bool
    }

    /// For a new file.
    struct Birth: Sendable {
        var id: String
        var wallNanoseconds: Int64
        var version: String
        /// Sequences go on after this one.
        var last: UInt64 = 0
    }

    static func open(
        _ place: JournalPlace, birth: Birth, synchronous: JournalOptions.Synchronous = .full,
        convertsOlder: Bool = true, schema: JournalSchema = JournalSchema()
    ) throws -> Opened {
        let mark = try inspect(place)
        if let mark, !mark.isEmpty {
            guard mark.isJournal else {
                throw JournalFailure.damaged("\(place.database) is a database, but not a journal of ScanStation")
            }
            guard mark.version <= schema.version else {
                throw JournalFailure.newer(
                    "\(place.database) was written by a newer version of ScanStation (format \(mark.version), this one reads "
                        + "\(schema.version)): install that version, or set journal.folder to another folder")
            }
            if !convertsOlder, let problem = schema.conversionProblem(of: mark, place) {
                throw JournalFailure.storage(problem)
            }
        }
        place.makeDatabase()
        let queue = try DatabaseQueue(path: place.database, configuration: JournalConnection.writing)
        let store = JournalStore(place: place, queue: queue)
        do {
            try store.inDatabase { db in
                try store.prepare(db, synchronous: synchronous)
                let current = try JournalSchema.Mark(db)
                try schema.migrate(db, from: current.version) { db in
                    if current.isEmpty { try store.describe(birth, db) }
                }
                for addition in JournalSchema.additions { try db.execute(sql: addition) }
                for probe in JournalSchema.probes { try store.check(probe, db) }
            }
            let isNew = mark?.isEmpty ?? true
            if isNew {
                try store.checkpoint()
                place.syncFolder()
            }
            return Opened(store: store, ledger: try store.ledger(), isNew: isNew)
        } catch {
            store.close()
            throw error
        }
    }

    /// Looks at a file without changing it; `nil`: there is none yet.
    static func inspect(_ place: JournalPlace) throws -> JournalSchema.Mark? {
        guard let size = JournalPlace.size(of: place.database), size > 0 else { return nil }
        let queue = try DatabaseQueue(path: place.database, configuration: JournalConnection.readOnly)
        defer { try? queue.close() }
        return try queue.inDatabase { try JournalSchema.Mark($0) }
    }

    private func prepare(_ db: Database, synchronous: JournalOptions.Synchronous) throws {
        // Works only for a new file, before its first table.
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw JournalFailure.storage(
                "\(place.database): this file system can't do a write-ahead log: set journal.folder to a local disk")
        }
        // Set after WAL mode: GRDB and SQLite lower it on the way there, and NORMAL loses the last commits on a power cut.
        try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == synchronous.rawValue else {
            throw JournalFailure.storage(
                "\(place.database): SQLite doesn't take synchronous=FULL, and a beep would lie")
        }
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try db.execute(sql: "PRAGMA journal_size_limit = \(JournalLimits.logBytes)")
    }

    private func describe(_ birth: Birth, _ db: Database) throws {
        for (name, value) in [
            ("id", birth.id), ("created", String(birth.wallNanoseconds)), ("version", birth.version),
            ("last", String(birth.last)),
        ] {
            try db.execute(sql: "INSERT INTO meta (name, value) VALUES (?, ?)", arguments: [name, value])
        }
    }

    private func check(_ probe: String, _ db: Database) throws {
        do {
            _ = try Row.fetchOne(db, sql: probe)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw JournalFailure.damaged("\(place.database): \(error.message ?? "a table is missing")")
        }
    }

    /// Reads the numbers; throws `damaged` when they can't be right.
    func ledger() throws -> JournalLedger {
        try inDatabase { try JournalStore.ledger($0, path: place.database) }
    }

    static func ledger(_ db: Database, path: String) throws -> JournalLedger {
        func meta(_ name: String) throws -> String? {
            try String.fetchOne(db, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name])
        }
        guard let id = try meta("id"), (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw JournalFailure.damaged("\(path): the journal's id is missing") }
        var ledger = JournalLedger(id: id)
        // Two statements: SQLite looks up one end of the tree for each, but walks the whole tree for both at once.
        let first = try Int64.fetchOne(db, sql: "SELECT MIN(sequence) FROM scans")
        let last = try Int64.fetchOne(db, sql: "SELECT MAX(sequence) FROM scans")
        _ = try Row.fetchOne(db, sql: "SELECT * FROM scans ORDER BY sequence LIMIT 1")
        _ = try Row.fetchOne(db, sql: "SELECT * FROM scans ORDER BY sequence DESC LIMIT 1")
        guard first ?? 1 > 0 else { throw JournalFailure.damaged("\(path): a scan has the sequence \(first ?? 0)") }
        ledger.last = max(UInt64(clamping: last ?? 0), UInt64(try meta("last") ?? "") ?? 0)
        ledger.first = first.map { UInt64($0) } ?? ledger.last + 1
        for row in try Row.fetchAll(db, sql: "SELECT * FROM cursors") {
            func number(_ column: String) -> UInt64 { UInt64(clamping: Int64.fromDatabaseValue(row[column]) ?? 0) }
            guard let name = String.fromDatabaseValue(row["output"]) else { continue }
            ledger.outputs[name] = JournalLedger.Output(
                name: name, isRequired: number("required") != 0, isActive: number("active") != 0,
                cursor: min(number("sequence"), ledger.last),
                counts: [
                    .refused: number("refused"), .skipped: number("skipped"), .undeliverable: number("undeliverable"),
                ])
        }
        let unreadable = try Int64.fetchAll(
            db, sql: "SELECT sequence FROM exceptions WHERE output = '' ORDER BY sequence DESC LIMIT ?",
            arguments: [JournalLimits.unreadableScans])
        ledger.unreadable = Set(unreadable.map { UInt64(clamping: $0) })
        return ledger
    }
}
