import Foundation
import GRDB
import Wire

/// A stored scan as it is read; nothing in it is trusted.
struct JournalRow: Sendable {
    var sequence: UInt64
    var id: String
    /// The wire line, without its newline.
    var line: [UInt8]

    private static let columns = "SELECT sequence, id, line FROM scans"

    init(_ row: Row) {
        sequence = UInt64(clamping: Int64.fromDatabaseValue(row[0]) ?? 0)
        id = String.fromDatabaseValue(row[1]) ?? ""
        line = Data.fromDatabaseValue(row[2]).map { Array($0) } ?? []
    }

    static func fetch(_ db: Database, after sequence: UInt64, upTo last: UInt64, limit: Int) throws -> [JournalRow] {
        try Row.fetchAll(
            db.cachedStatement(sql: columns + " WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"),
            arguments: [Int64(clamping: sequence), Int64(clamping: last), limit]
        ).map(JournalRow.init)
    }

    static func fetch(_ db: Database, sequence: UInt64) throws -> JournalRow? {
        try Row.fetchOne(db, sql: columns + " WHERE sequence = ?", arguments: [Int64(clamping: sequence)])
            .map(JournalRow.init)
    }

    static func fetch(_ db: Database, id: String) throws -> JournalRow? {
        try Row.fetchOne(db, sql: columns + " WHERE id = ?", arguments: [id]).map(JournalRow.init)
    }

    /// Throws when the line isn't a scan, or isn't the one that the row says.
    func event(_ reader: ScanEventReader) throws(JournalError) -> Event {
        do {
            let event = try reader.read(line)
            guard case .scan(let scan) = event.body, scan.scan.sequence == sequence, scan.scan.id == id else {
                throw JournalError(.damaged, "the row of scan \(sequence) (\(id)) contains the line of another one")
            }
            return event
        } catch let error as JournalError {
            throw error
        } catch {
            throw JournalError(.damaged, "the row of scan \(sequence) can't be read: \(error)")
        }
    }
}
