import Wire

/// Scans as rows for a spreadsheet (RFC 4180).
enum ScanTable {
    static let columns = ["time", "seq", "symbology", "kind", "text", "id", "station", "receipts", "answer"]
    static let head = columns.joined(separator: ",") + "\r\n"

    static func row(_ scan: JSONValue) -> [UInt8] {
        let cells = columns.map { column -> String in
            switch column {
            case "kind": cell(scan["payload"]?["kind"])
            case "receipts": cell(receipts(scan).map(JSONValue.string))
            case "answer": cell(scan["answer"]?["verdict"])
            default: cell(scan[column])
            }
        }
        return Array((cells.joined(separator: ",") + "\r\n").utf8)
    }

    /// `stock: accepted; till: refused (unknown article)`.
    private static func receipts(_ scan: JSONValue) -> String? {
        guard let receipts = scan["receipts"]?.arrayValue, !receipts.isEmpty else { return nil }
        return receipts.map { receipt in
            let reason = receipt["reason"]?.stringValue.map { " (\($0))" } ?? ""
            return "\(receipt["output"]?.stringValue ?? "?"): \(receipt["outcome"]?.stringValue ?? "?")\(reason)"
        }.joined(separator: "; ")
    }

    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): cell(text)
        case .integer(let number): String(number)
        default: ""
        }
    }

    /// A spreadsheet takes a text for a formula if it begins like one; an apostrophe keeps it a text. NDJSON has it unchanged.
    static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
