import Wire

/// A reply as a person reads it: `key  value`, nested parts indented; control characters escaped.
enum ReplyText {
    static func render(_ reply: JSONValue) -> String {
        guard case .object(var fields) = reply else { return scalar(reply) }
        for key in ["v", "type", "command", "ok", "tag"] { fields[key] = nil }
        if fields.isEmpty { return "ok" }
        return lines(of: .object(fields), indent: 0).joined(separator: "\n")
    }

    /// Why the station didn't do it.
    static func error(_ reply: JSONValue) -> String { clean(reply["error"]?.stringValue ?? "the station refused it") }

    private static func lines(of value: JSONValue, indent: Int) -> [String] {
        let margin = String(repeating: "  ", count: indent)
        switch value {
        case .object(let fields):
            let width = fields.filter { !isNested($0.value) }.map(\.key.count).max() ?? 0
            return fields.sorted { rank($0) < rank($1) }.flatMap { key, value -> [String] in
                if isNested(value) { return [margin + key] + lines(of: value, indent: indent + 1) }
                let gap = String(repeating: " ", count: width - key.count)
                return ["\(margin)\(key)\(gap)  \(scalar(value, of: key))"]
            }
        case .array(let values):
            return values.flatMap { value -> [String] in
                if let row = row(value) { return ["\(margin)- \(row)"] }
                guard isNested(value) else { return ["\(margin)- \(scalar(value))"] }
                var inner = lines(of: value, indent: indent + 1)
                if let first = inner.first { inner[0] = margin + "- " + first.dropFirst(margin.count + 2) }
                return inner
            }
        default: return [margin + scalar(value)]
        }
    }

    /// A small flat object in a list fits on a line.
    private static func row(_ value: JSONValue) -> String? {
        guard case .object(let fields) = value, !fields.isEmpty, !fields.values.contains(where: isNested) else {
            return nil
        }
        let cells = fields.sorted { rank($0) < rank($1) }.map { "\($0.key) \(scalar($0.value))" }
        return cells.joined(separator: ", ")
    }

    /// What people look for first.
    private static let firstKeys = [
        "name", "role", "id", "state", "detail", "problem", "version", "uptimeSeconds", "mode", "paused", "session",
    ]

    /// Plain values first, then nested ones. Within each group, what people look for first, then the rest by name.
    private static func rank(_ field: (key: String, value: JSONValue)) -> String {
        let place = firstKeys.firstIndex(of: field.key) ?? firstKeys.count
        return "\(isNested(field.value) ? 1 : 0)\(place < 10 ? "0" : "")\(place)\(field.key)"
    }

    private static func isNested(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let fields): !fields.isEmpty
        case .array(let values): !values.isEmpty
        default: false
        }
    }

    private static func scalar(_ value: JSONValue, of key: String = "") -> String {
        switch value {
        case .integer(let bytes) where key.hasPrefix("memory"): "\(bytes >> 20) MiB"
        case .null: "-"
        case .bool(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .string(let text): clean(text)
        case .array, .object: "none"
        }
    }

    private static func clean(_ text: String) -> String { TerminalText.escape(text, limit: 4_000) }
}
