import Journal
import Settings
import Wire

/// Records of the journal as lines: JSON as on the wire, or for a person.
enum JournalText {
    /// The event's line as outputs get it, without its line feed; for a row that can't be read, `json`.
    static func line(_ record: JournalFile.Record, _ secrets: SecretPolicy) -> String {
        record.event.map { String(decoding: $0.line(secrets: secrets).dropLast(), as: UTF8.self) }
            ?? json(record, secrets).description
    }

    /// The event; for a row that can't be read, an object that says so.
    static func json(_ record: JournalFile.Record, _ secrets: SecretPolicy) -> JSONValue {
        record.event?.value(secrets: secrets)
            ?? .object([
                "seq": .integer(Int64(clamping: record.sequence)), "id": .string(record.id),
                "problem": .string(record.problem ?? "it can't be read"),
            ])
    }

    /// With the date, which `watch` leaves out.
    static func human(_ record: JournalFile.Record, _ secrets: SecretPolicy) -> String {
        guard let line = record.event?.value(secrets: secrets) else {
            return "#\(record.sequence)  \(TerminalText.escape(record.problem ?? "can't be read", limit: 4_000))"
        }
        let day = line["time"]?.stringValue.map { LocalTime.date($0) } ?? ""
        return "\(day)  \(HumanLine.render(line))"
    }

    /// What an output has said about a scan.
    static func json(_ receipt: JournalFile.Receipt) -> JSONValue {
        var fields: [String: JSONValue] = [
            "output": .string(receipt.output), "outcome": .string(outcome(receipt.outcome)),
        ]
        if case .exception(_, let reason, let time) = receipt.outcome {
            fields["reason"] = .string(reason)
            fields["time"] = .string(WallTime.rfc3339(nanoseconds: time))
        }
        return .object(fields)
    }

    static func human(_ receipt: JournalFile.Receipt) -> [String] {
        var detail = ""
        switch receipt.outcome {
        case .exception(_, let reason, let time):
            detail = "\(LocalTime.dateAndTime(WallTime.rfc3339(nanoseconds: time)))  \(reason)"
        case .forgotten: detail = "too long ago to say whether it was accepted"
        case .accepted, .pending: break
        }
        return [
            TerminalText.escape(receipt.output), outcome(receipt.outcome), TerminalText.escape(detail, limit: 4_000),
        ]
    }

    /// What the host has said about a scan: `accepted by till at …`.
    static func human(_ said: RecordedAnswer) -> String {
        let answer = said.answer
        var text: String
        switch answer.verdict {
        case .accepted: text = "accepted"
        case .refused: text = "refused"
        case .none: text = "nobody answered in time"
        }
        if let sender = answer.by { text += " by \(sender)" }
        text += ", \(LocalTime.dateAndTime(WallTime.rfc3339(nanoseconds: said.wallNanoseconds)))"
        if answer.isLate { text += ", too late to count" }
        if answer.relay { text += ", relay moved" }
        if let reason = answer.reason { text += ": \(reason)" }
        return TerminalText.escape(text, limit: 4_000)
    }

    private static func outcome(_ outcome: JournalFile.Receipt.Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .pending: "pending"
        case .exception(let outcome, _, _): outcome.rawValue
        case .forgotten: "forgotten"
        }
    }
}
