import Foundation
import GRDB

/// Opening and making the file. Cheap also with a million scans: header, tables, the first and the last row.
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
        schema: JournalSchema = JournalSchema()
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
        // Counts for a new file only, before its first table.
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw JournalFailure.storage(
                "\(place.database): this file system can't do a write-ahead log: set journal.folder to a local disk")
        }
        // After WAL mode: GRDB and SQLite lower it on the way there, and NORMAL loses the last commits on a power cut.
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
        // Two statements: SQLite looks up one end of the tree for each, but walks the whole of it for both at once.
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
