import Foundation
import GRDB
import Vocabulary

/// The database file: one connection, used by the writer's thread only. Turns batches into transactions and tells nothing but
/// errors; what to do about them is the writer's business.
final class JournalStore {
    let place: JournalPlace
    private let queue: DatabaseQueue
    /// Since it is open in full.
    private var watch: JournalWatch?

    init(place: JournalPlace, queue: DatabaseQueue) {
        self.place = place
        self.queue = queue
    }

    /// The one way in, for the extensions. Throws `JournalFailure` when the file isn't the station's own any more, before what was
    /// asked for and after it: what was written in between counts for nothing. `isCheckpoint`: nothing else writes into the database
    /// itself (`wal_autocheckpoint` is 0).
    func inDatabase<Value>(isCheckpoint: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
        try look()
        let value = Result { try queue.writeWithoutTransaction(body) }
        // Also after an error: a part may have been written.
        let verdict = watch?.wrote(place.footprint, intoDatabase: isCheckpoint)
        let written = try value.get()
        if let verdict { try JournalStore.act(on: verdict) }
        return written
    }

    /// From now on a file that is moved away or written by something else is noticed. `soundChecks`: see `JournalWatch`.
    func beginWatching(soundChecks: Int) {
        watch = JournalWatch(place, now: place.footprint, soundChecks: soundChecks)
    }

    /// Throws `JournalFailure` when the file isn't the station's own any more, or not as the station left it.
    func look() throws {
        if let watch { try JournalStore.act(on: watch.judge(place.footprint)) }
    }

    /// The same, and that the log begins as one: cut short in the middle of a commit, it has its size again when that is over. Opening it
    /// beside SQLite does no harm, as SQLite's locks are on other files.
    func lookInside() throws {
        try look()
        if watch != nil, place.logBegins == false {
            throw JournalFailure.damaged("\(place.log) was cut short or written over by something else")
        }
    }

    /// Whether its names lead to it, whatever was written meanwhile.
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

    /// All of the batch or nothing; durable when it returns.
    func commit(_ batch: JournalBatch, beforeCommit: () throws -> Void = {}) throws {
        try inDatabase { db in
            try db.inTransaction(.immediate) {
                for row in batch.rows { try insert(row, db) }
                for output in batch.outputs { try write(output, db) }
                for exception in batch.exceptions { try write(exception, db) }
                for name in batch.forgotten { try forget(name, db) }
                if let through = batch.dropThrough {
                    try execute("DELETE FROM scans WHERE sequence <= ?", [Int64(clamping: through)], db)
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

    private func forget(_ name: String, _ db: Database) throws {
        try execute("DELETE FROM cursors WHERE output = ?", [name], db)
        try execute("DELETE FROM exceptions WHERE output = ?", [name], db)
    }

    private func setMeta(_ name: String, _ value: String, _ db: Database) throws {
        try execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", [name, value], db)
    }
}
