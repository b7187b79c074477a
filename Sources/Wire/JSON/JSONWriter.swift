/// Writes JSON into one byte array: the hot path of every scan, so no Foundation and no intermediate values.
///
/// Keys come out in the order they are written. A comma is due unless the last byte opened something or was a colon, so
/// the writer needs no stack. Strings are UTF-8; besides what JSON demands, DEL and the C1 controls are escaped too,
/// because lines end up on terminals. `/` is not escaped.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter beginning: what another writer has written, to go on from there.
    package init(reserving capacity: Int = 0, after beginning: ArraySlice<UInt8> = []) {
        bytes.reserveCapacity(capacity)
        bytes += beginning
    }

    /// What another writer has written, comma included.
    package mutating func raw(_ written: ArraySlice<UInt8>) { bytes += written }

    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// A key, with its colon.
    package mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func null() {
        separate()
        append("null")
    }

    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    package mutating func integer(_ value: some BinaryInteger) {
        separate()
        append(digits: Int64(clamping: value))
    }

    package mutating func unsigned(_ value: UInt64) {
        separate()
        append(digits: value)
    }

    /// The shortest decimal that reads back as `value`; `null` if it isn't finite, for which JSON has no number.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        append(value.description)
    }

    /// `value` rounded to at most `decimals` (0…9) places. A value that isn't finite is written as 0, and one beyond ±4·10¹⁸/10^decimals as
    /// that bound, so that a measured value is always a number of bounded length.
    package mutating func fixed(_ value: Double, decimals: Int) {
        separate()
        var scale: Int64 = 1
        for _ in 0..<min(max(decimals, 0), 9) { scale *= 10 }
        let limit = 4e18 / Double(scale)
        let bounded = value.isFinite ? min(max(value, -limit), limit) : 0
        let scaled = Int64((bounded * Double(scale)).rounded())
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        append(digits: whole)
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var rest = fraction
        var place = UInt64(scale) / 10
        while rest > 0, place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
            rest %= place
            place /= 10
        }
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// `data` as a base64 string (RFC 4648, with padding).
    package mutating func base64(_ data: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Base64.append(data, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Objects with sorted keys.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let members):
            beginObject()
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                self.key(key)
                self.value(value)
            }
            endObject()
        }
    }

    /// Ends a line of NDJSON.
    package mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(digits value: some BinaryInteger) { bytes.append(contentsOf: String(value).utf8) }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var plainFrom = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // C2 80 … C2 9F are the C1 controls.
            let isC1 = byte == 0xC2 && index + 1 < text.count && text[index + 1] < 0xA0
            guard isC1 || byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            bytes.append(contentsOf: text[plainFrom..<index])
            if isC1 {
                index += 1
                appendEscape(text[index])
            } else {
                appendEscape(byte)
            }
            index += 1
            plainFrom = index
        }
        bytes.append(contentsOf: text[plainFrom...])
    }

    /// A character below U+0100.
    private mutating func appendEscape(_ code: UInt8) {
        switch code {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default:
            append("\\u00")
            bytes.append(JSONWriter.hexDigit(code >> 4))
            bytes.append(JSONWriter.hexDigit(code & 0x0F))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// Members of objects as events and payloads have them: a `nil` is left out unless the format wants a null.
extension JSONWriter {
    mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    mutating func member(_ name: String, _ value: Int32?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    mutating func member(_ name: String, fixed value: Double?, decimals: Int) {
        guard let value else { return }
        key(name)
        fixed(value, decimals: decimals)
    }

    /// Free fields beside the fixed ones, sorted. One that has the name of a fixed key gets an underscore at the end: a key must not appear
    /// twice, and nothing is dropped.
    mutating func members(_ fields: [String: JSONValue], besides taken: Set<String>) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            var free = name
            while taken.contains(free) || (free != name && fields[free] != nil) { free += "_" }
            key(free)
            self.value(value)
        }
    }
}
