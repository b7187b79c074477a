import Foundation
import GRDB
import Wire

/// The peer of the journal's commits: a table like the journal's and a loop that inserts rows and commits them, flushed, one by one. SQLite
/// copies its log by itself, as it does by default.
final class BareJournal {
    private let queue: DatabaseQueue
    private var sequence: Int64 = 0

    init(path: String) throws {
        queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(
                sql: """
                    CREATE TABLE scans (
                        sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, wall INTEGER NOT NULL,
                        synced INTEGER NOT NULL, boot TEXT NOT NULL, session INTEGER NOT NULL, line BLOB NOT NULL)
                    """)
        }
    }

    /// The row is made before: only SQLite is measured.
    struct Row {
        var id: String
        var wall: Int64
        var boot: String
        var line: Data

        init(_ event: Event) {
            id = event.scanBody?.scan.id ?? ""
            wall = event.stamp.wallNanoseconds
            boot = event.stamp.boot
            line = Data(event.line(secrets: .revealed).dropLast())
        }
    }

    func insert(_ row: Row) throws {
        sequence += 1
        try queue.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                let statement = try db.cachedStatement(
                    sql:
                        "INSERT INTO scans (sequence, id, wall, synced, boot, session, line) VALUES (?, ?, ?, ?, ?, ?, ?)"
                )
                statement.setUncheckedArguments([sequence, row.id, row.wall, true, row.boot, 0, row.line])
                try statement.execute()
                return .commit
            }
        }
    }
}
