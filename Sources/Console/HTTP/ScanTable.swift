import Wire

/// Scans as rows for a spreadsheet (RFC 4180).
enum ScanTable {
    static let columns = ["time", "seq", "symbology", "kind", "text", "id", "station"]
    static let head = columns.joined(separator: ",") + "\r\n"

    static func row(_ scan: JSONValue) -> [UInt8] {
        let cells = columns.map { column -> String in
            switch column == "kind" ? scan["payload"]?["kind"] : scan[column] {
            case .string(let text): cell(text)
            case .integer(let number): String(number)
            default: ""
            }
        }
        return Array((cells.joined(separator: ",") + "\r\n").utf8)
    }

    /// A spreadsheet takes a text for a formula if it begins like one; an apostrophe keeps it a text. NDJSON has it unchanged.
    static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
