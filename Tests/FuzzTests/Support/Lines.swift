import Vocabulary

@testable import Wire

/// What must be true of whatever leaves as a line.
enum Lines {
    /// A line of NDJSON: one JSON value, no control character in it, and a line feed that is the last byte.
    @discardableResult
    static func demandJSON(_ line: [UInt8], file: StaticString = #fileID, at place: UInt = #line) throws -> JSONValue {
        try demand(line.last == 0x0A, "a line of JSON ends in a line feed", file: file, line: place)
        let body = line.dropLast()
        try demand(
            !body.contains { $0 < 0x20 || $0 == 0x7F }, "a line of JSON holds no control character: \(shown(body))",
            file: file, line: place)
        do {
            // The writer doesn't nest deeper than what was read, and the members it adds.
            return try JSONValue(parsing: body, limits: JSONLimits(maxDepth: 40, maxBytes: 64 << 20))
        } catch {
            throw BrokenPromise(
                promise: "a line of JSON can be read: \(error): \(shown(body))", file: file, line: place)
        }
    }

    /// What a person is shown: one line that controls no terminal.
    static func demandPlain(_ text: String, file: StaticString = #fileID, at place: UInt = #line) throws {
        for scalar in text.unicodeScalars {
            let isLineEnd = scalar.value == 0x2028 || scalar.value == 0x2029
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            try demand(
                !isControl && !isLineEnd, "what a person is shown holds no control character: \(text.debugDescription)",
                file: file, line: place)
        }
    }

    static func shown(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.prefix(400), as: UTF8.self).debugDescription
    }
}
