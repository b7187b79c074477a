/// The form that DoCoMo's formats and `WIFI:` share: `KEY:value;KEY:value;;` with a backslash before `\ ; , : "` inside a
/// value. A backslash before anything else is itself: many generators forget to double it.
struct DelimitedFields {
    struct Field {
        /// Upper case.
        var key: String
        /// Escapes still in it.
        var raw: Bytes

        var value: Bytes { DelimitedFields.unescape(raw) }
        /// `nil` for an empty value.
        var text: String? { value.textOrNil }

        /// Whether the value stands between quotes that aren't escaped.
        var isQuoted: Bool {
            raw.count >= 2 && raw.first == UInt8(ascii: "\"") && raw.last == UInt8(ascii: "\"")
                && raw[raw.endIndex - 2] != UInt8(ascii: "\\")
        }

        /// The value without quotes around it.
        var unquoted: Bytes { isQuoted ? DelimitedFields.unescape(raw.dropFirst().dropLast()) : value }
    }

    private(set) var fields: [Field] = []

    /// Parses what follows `WIFI:`, `MECARD:` and the like. Text without a colon between two semicolons is skipped.
    init(_ body: Bytes) {
        for part in DelimitedFields.split(body, at: UInt8(ascii: ";")) {
            let (key, value) = part.cut(at: UInt8(ascii: ":"))
            guard let value, key.count <= DelimitedFields.maxKeyBytes else { continue }
            fields.append(Field(key: String(decoding: key.trimmed.map(\.uppercased), as: UTF8.self), raw: value))
        }
    }

    /// The first field with a key.
    subscript(key: String) -> Field? { fields.first { $0.key == key } }

    func all(_ key: String) -> [Field] { fields.filter { $0.key == key } }

    private static let maxKeyBytes = 16

    /// Parts between separators that have no backslash before them; bounded, the last part takes the rest.
    static func split(_ bytes: Bytes, at separator: UInt8) -> [Bytes] {
        var parts: [Bytes] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex, parts.count < PayloadLimits.maxFields {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
                continue
            }
            if bytes[index] == separator {
                parts.append(bytes[start..<index])
                start = index + 1
            }
            index += 1
        }
        parts.append(bytes[start...])
        return parts
    }

    static func unescape(_ bytes: Bytes) -> Bytes {
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = index + 1
            if bytes[index] == UInt8(ascii: "\\"), next < bytes.endIndex, escapable.contains(bytes[next]) {
                index = next
            }
            out.append(bytes[index])
            index += 1
        }
        return out[...]
    }

    private static let escapable = Array("\\;,:\"".utf8)
}

extension UInt8 {
    fileprivate var uppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self }
}
