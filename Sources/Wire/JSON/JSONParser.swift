/// Strict JSON (RFC 8259) from untrusted bytes: bounded in depth and size, UTF-8 checked, no duplicate keys, no lone
/// surrogates, no trailing text. Errors say where.
struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var index = 0
    private var depth = 0

    static func parse(_ bytes: some Collection<UInt8>, limits: JSONLimits) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.maxBytes else {
            throw JSONError(offset: limits.maxBytes, message: "longer than the limit of \(limits.maxBytes) bytes")
        }
        var parser = JSONParser(bytes: Array(bytes), limits: limits)
        parser.skipSpace()
        let value = try parser.value()
        parser.skipSpace()
        guard parser.index == parser.bytes.count else { throw parser.error("text after the end of the value") }
        return value
    }

    private init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ message: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? index, message: message)
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        guard let byte = current else { throw error("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("a value is expected: an object, array, string, number, true, false or null")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw error("unknown word; \"\(word)\" was expected") }
        index += word.utf8.count
        return value
    }

    private mutating func enter() throws(JSONError) {
        guard depth < limits.maxDepth else { throw error("nested deeper than the limit of \(limits.maxDepth)") }
        depth += 1
        index += 1
        skipSpace()
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            let start = index
            guard current == UInt8(ascii: "\"") else { throw error("a key in quotes is expected") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("\":\" is expected after a key") }
            skipSpace()
            guard members.updateValue(try value(), forKey: key) == nil else {
                throw error("the key appears twice", at: start)
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("\",\" or \"}\" is expected") }
            skipSpace()
        }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw error("\",\" or \"]\" is expected") }
            skipSpace()
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        var isInteger = true
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if isDigit { throw error("a number may not start with 0") }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("the number is too large", at: start) }
        return .number(value)
    }

    private var isDigit: Bool { current.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }

    private mutating func digits() throws(JSONError) {
        guard isDigit else { throw error("a digit is expected") }
        while isDigit { index += 1 }
    }

    private mutating func string() throws(JSONError) -> String {
        let start = index
        index += 1
        var unescaped: [UInt8] = []
        var plainFrom = index
        while true {
            guard let byte = current else { throw error("the string has no end", at: start) }
            switch byte {
            case UInt8(ascii: "\""):
                unescaped.append(contentsOf: bytes[plainFrom..<index])
                index += 1
                guard let text = String(validating: unescaped, as: UTF8.self) else {
                    throw error("the string isn't valid UTF-8", at: start)
                }
                return text
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: bytes[plainFrom..<index])
                index += 1
                unescaped.append(contentsOf: String(Character(try escape())).utf8)
                plainFrom = index
            case 0..<0x20: throw error("a control character in a string must be escaped")
            default: index += 1
            }
        }
    }

    /// What follows the backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = current else { throw error("the text ends in an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("unknown escape in a string", at: index - 2)
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = index - 2
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A surrogate: a high one must be followed by a low one.
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw error("half of a surrogate pair", at: start)
        }
        let second = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("four hexadecimal digits are expected after \\u")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}

/// Bounds of what is parsed.
package struct JSONLimits: Hashable, Sendable {
    /// Objects and arrays within each other.
    package var maxDepth: Int
    package var maxBytes: Int

    package init(maxDepth: Int = 32, maxBytes: Int = 1 << 20) {
        self.maxDepth = maxDepth
        self.maxBytes = maxBytes
    }
}

/// Why bytes aren't JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Byte at which it was noticed, from 0.
    package var offset: Int
    package var message: String

    package var description: String { "not JSON at byte \(offset): \(message)" }
}

extension JSONValue {
    /// Parses strict JSON: `JSONError` says what can go wrong, `JSONLimits` how much it takes.
    package init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try JSONParser.parse(bytes, limits: limits)
    }
}
