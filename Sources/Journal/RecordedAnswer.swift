import GRDB
import Vocabulary
import Wire

/// What the host said about a scan, as the journal keeps it: who was let in, and who wasn't.
package struct RecordedAnswer: Hashable, Sendable {
    package var answer: AnswerEvent
    /// When it came, since 1970.
    package var wallNanoseconds: Int64

    package init(_ answer: AnswerEvent, wallNanoseconds: Int64) {
        self.answer = answer
        self.wallNanoseconds = wallNanoseconds
    }

    /// About what a row takes, for the journal's bound.
    static let rowBytes: UInt64 = 64

    /// `nil`: nothing was said, or the file is from a version that didn't keep answers. The answer doesn't name its scan's id.
    static func fetch(_ db: Database, sequence: UInt64) throws -> RecordedAnswer? {
        guard try db.tableExists("answers") else { return nil }
        let row = try Row.fetchOne(
            db, sql: "SELECT verdict, sender, reason, late, relay, wall FROM answers WHERE sequence = ?",
            arguments: [Int64(clamping: sequence)])
        guard let row, let verdict = String.fromDatabaseValue(row[0]).flatMap(AnswerEvent.Verdict.init) else {
            return nil
        }
        return RecordedAnswer(
            AnswerEvent(
                scan: "", sequence: sequence, verdict: verdict, by: String.fromDatabaseValue(row[1]),
                reason: String.fromDatabaseValue(row[2]), isLate: Bool.fromDatabaseValue(row[3]) ?? false,
                relay: Bool.fromDatabaseValue(row[4]) ?? false),
            wallNanoseconds: Int64.fromDatabaseValue(row[5]) ?? 0)
    }

    /// As the console and `journal show` tell it, beside its scan.
    package var json: JSONValue {
        .object([
            "verdict": .string(answer.verdict.rawValue), "by": answer.by.map(JSONValue.string) ?? .null,
            "reason": answer.reason.map(JSONValue.string) ?? .null, "late": .bool(answer.isLate),
            "relay": .bool(answer.relay), "time": .string(WallTime.rfc3339(nanoseconds: wallNanoseconds)),
        ])
    }
}
