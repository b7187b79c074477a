import Payloads
import Vocabulary

extension JSONWriter {
    mutating func member(_ field: ScanField, of scan: ScanEvent) {
        member(field.rawValue, field: scan.value(of: field))
    }

    /// A `nil` is left out.
    mutating func member(_ name: String, field value: FieldValue?) {
        guard let value else { return }
        key(name)
        field(value)
    }

    mutating func member(_ name: String, fieldOrNull value: FieldValue?) {
        key(name)
        if let value { field(value) } else { null() }
    }

    mutating func object(_ members: [FieldValue.Member]) {
        beginObject()
        for member in members {
            key(member.name)
            field(member.value)
        }
        endObject()
    }

    fileprivate mutating func field(_ value: FieldValue) {
        switch value {
        case .text(let text): string(text)
        case .flag(let flag): bool(flag)
        case .integer(let number): integer(number)
        case .unsigned(let number): unsigned(number)
        case .decimal(let number, let places): fixed(number, decimals: places)
        case .bytes(let bytes): base64(bytes)
        case .list(let values):
            beginArray()
            for value in values { field(value) }
            endArray()
        case .object(let members): object(members)
        }
    }
}

extension FieldValue {
    /// What a template writes for the value: the JSON without quotes and escapes. Empty for objects and lists.
    package var plainBytes: [UInt8] {
        switch self {
        case .text(let text): return Array(text.utf8)
        case .bytes(let bytes): return Array(Base64.encode(bytes).utf8)
        case .list, .object: return []
        case .flag, .integer, .unsigned, .decimal:
            var json = JSONWriter()
            json.field(self)
            return json.bytes
        }
    }
}
