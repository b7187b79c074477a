import GRDB

/// What an output has said about a scan, from its cursor and the exceptions on record.
enum JournalReceipts {
    static func outcome(
        _ db: Database, of sequence: UInt64, _ output: JournalLedger.Output
    ) throws -> JournalFile.Receipt.Outcome {
        guard sequence <= output.cursor else { return .pending }
        let row = try Row.fetchOne(
            db, sql: "SELECT outcome, reason, wall FROM exceptions WHERE output = ? AND sequence = ?",
            arguments: [output.name, Int64(clamping: sequence)])
        if let row, let outcome = String.fromDatabaseValue(row[0]).flatMap(Settlement.Outcome.init) {
            return .exception(
                outcome, reason: String.fromDatabaseValue(row[1]) ?? "",
                wallNanoseconds: Int64.fromDatabaseValue(row[2]) ?? 0)
        }
        let (count, oldest) = try exceptions(db, of: output.name)
        return count >= JournalLimits.exceptionsPerOutput && sequence < oldest ? .forgotten : .accepted
    }

    private static func exceptions(_ db: Database, of output: String) throws -> (count: Int, oldest: UInt64) {
        let row = try Row.fetchOne(
            db, sql: "SELECT COUNT(*), MIN(sequence) FROM exceptions WHERE output = ?", arguments: [output])
        guard let row else { return (0, 0) }
        return (Int.fromDatabaseValue(row[0]) ?? 0, UInt64(clamping: Int64.fromDatabaseValue(row[1]) ?? 0))
    }
}
