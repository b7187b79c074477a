import GRDB

/// The tables of `journal.db`, and how every older version is converted.
///
/// `meta`: id, created, version (of the program), last (sequence, written when the newest scan is dropped). `scans`: one row per scan;
/// `line` is its wire line with secrets revealed, the columns beside it are what is searched. `cursors`: one row per output. `exceptions`:
/// receipts other than "accepted"; those of output `''` are the journal's own: rows that can't be read. `answers`: see `additions`.
struct JournalSchema: Sendable {
    struct Migration: Sendable {
        /// The version (`user_version`) that it makes.
        var version: Int
        var sql: String
    }

    /// "ScSt" as a number: tells `file(1)` and us whose database this is.
    static let applicationID = 0x5363_5374

    var migrations = [
        Migration(
            version: 1,
            sql: """
                CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE scans (
                    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, wall INTEGER NOT NULL, synced INTEGER NOT NULL,
                    boot TEXT NOT NULL, session INTEGER NOT NULL, line BLOB NOT NULL);
                CREATE TABLE cursors (
                    output TEXT PRIMARY KEY NOT NULL, sequence INTEGER NOT NULL, required INTEGER NOT NULL,
                    active INTEGER NOT NULL, refused INTEGER NOT NULL, skipped INTEGER NOT NULL,
                    undeliverable INTEGER NOT NULL) WITHOUT ROWID;
                CREATE TABLE exceptions (
                    output TEXT NOT NULL, sequence INTEGER NOT NULL, id TEXT, outcome TEXT NOT NULL, reason TEXT NOT NULL,
                    wall INTEGER NOT NULL, PRIMARY KEY (output, sequence)) WITHOUT ROWID;
                """)
    ]

    var version: Int { migrations.map(\.version).max() ?? 0 }

    /// Tables that came later and that older versions don't miss: an older version goes on with the file, so they make no new
    /// format. `answers`: what the host said about a scan that is still kept, the last word of each.
    static let additions = [
        """
        CREATE TABLE IF NOT EXISTS answers (
            sequence INTEGER PRIMARY KEY NOT NULL, verdict TEXT NOT NULL, sender TEXT, reason TEXT,
            late INTEGER NOT NULL, relay INTEGER NOT NULL, wall INTEGER NOT NULL)
        """
    ]

    /// These fail to prepare when a table or column is missing.
    static let probes = [
        "SELECT name, value FROM meta LIMIT 0",
        "SELECT sequence, id, wall, synced, boot, session, line FROM scans LIMIT 0",
        "SELECT output, sequence, required, active, refused, skipped, undeliverable FROM cursors LIMIT 0",
        "SELECT output, sequence, id, outcome, reason, wall FROM exceptions LIMIT 0",
        "SELECT sequence, verdict, sender, reason, late, relay, wall FROM answers LIMIT 0",
    ]

    /// What a file says it is.
    struct Mark: Sendable {
        var applicationID: Int
        var version: Int
        var tables: Int

        init(_ db: Database) throws {
            applicationID = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            tables = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
        }

        /// Never used, or its creation was cut off.
        var isEmpty: Bool { applicationID == 0 && version == 0 && tables == 0 }
        var isJournal: Bool { applicationID == JournalSchema.applicationID && version > 0 }
    }

    /// Why a version on trial may not use an older file; `nil`: it has this version's format. Once converted, the version before it couldn't read
    /// it any more, and so couldn't take its place. A release with a new format has to work with the older one until it is confirmed.
    func conversionProblem(of mark: Mark, _ place: JournalPlace) -> String? {
        guard mark.isJournal, mark.version < version else { return nil }
        return
            "\(place.database) has the older format \(mark.version), and this version is on trial: it may convert the journal to format "
            + "\(version) only once it is confirmed"
    }

    /// Brings a file of any older version (0: an empty one) to `version`, in one transaction with what `finish` adds.
    func migrate(_ db: Database, from current: Int, finish: (Database) throws -> Void) throws {
        guard current < version else { return }
        try db.inTransaction(.immediate) {
            for migration in migrations.sorted(by: { $0.version < $1.version }) where migration.version > current {
                try db.execute(sql: migration.sql)
            }
            try db.execute(sql: "PRAGMA application_id = \(JournalSchema.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            try finish(db)
            return .commit
        }
    }
}
