import GRDB

/// What outputs didn't take: the dead letters.
extension JournalFile {
    /// A scan that an output refused or skipped, or that could never be delivered to it.
    package struct Exception: Hashable, Sendable {
        package var sequence: UInt64
        package var receipt: Receipt
        /// `nil`: the limits have dropped the scan since.
        package var record: Record?
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
}
