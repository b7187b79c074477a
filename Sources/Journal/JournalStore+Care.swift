import GRDB

/// What is done between commits, in small steps.
extension JournalStore {
    struct Sizes: Hashable, Sendable {
        var pageBytes: UInt64 = 4096
        var pages: UInt64 = 0
        var freePages: UInt64 = 0

        /// Of pages that hold something.
        var liveBytes: UInt64 { (pages - min(pages, freePages)) * pageBytes }
        /// Worth giving pages back: over a quarter of the file and over a mebibyte is free.
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

    /// The same of a file that has lost its name.
    func checkpointWithoutLook() throws { try withoutLook { _ = try $0.checkpoint(.passive) } }

    /// The same, and gives the log's room back to the file system; waits for readers for a moment.
    func checkpointAndTruncate() throws { _ = try inDatabase(isCheckpoint: true) { try $0.checkpoint(.truncate) } }

    /// Gives some free pages back to the file system.
    func vacuumStep() throws {
        try inDatabase { try $0.execute(sql: "PRAGMA incremental_vacuum(\(JournalLimits.vacuumStep))") }
    }

    /// The newest scan among the oldest ones up to `floor` that is older than `limit` by a clock that was right then. Those
    /// before it without such a time are older still. `nil`: none in this step.
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
