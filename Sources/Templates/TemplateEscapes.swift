import Vocabulary

/// How values are written inside the formats that templates may build. They take any bytes.
enum TemplateEscapes {
    /// `letter`: `a` or `A`, for ten.
    static func hex(_ byte: UInt8, _ letter: UInt8) -> [UInt8] {
        [byte >> 4, byte & 0x0F].map { $0 < 10 ? CheckDigit.zero + $0 : letter + $0 - 10 }
    }

    /// RFC 3986, 2.1 and 2.3.
    static func url(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                [byte]
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): [byte]
            default: [UInt8(ascii: "%")] + hex(byte, UInt8(ascii: "A"))
            }
        }
    }

    /// RFC 4180, 2. Spaces at either end are quoted to keep them. Semicolons count, because spreadsheets in half of Europe separate with
    /// them.
    static func csv(_ bytes: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        let isPlain = !bytes.contains { ",;\"\t\r\n".utf8.contains($0) } && bytes.first != 0x20 && bytes.last != 0x20
        if isPlain { return bytes }
        return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// RFC 8259, 7; DEL and the C1 controls too, because lines may end up on a terminal. What isn't UTF-8 becomes U+FFFD.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\"": Array("\\\"".utf8)
            case "\\": Array("\\\\".utf8)
            case "\n": Array("\\n".utf8)
            case "\r": Array("\\r".utf8)
            case "\t": Array("\\t".utf8)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                Array("\\u00".utf8) + hex(UInt8(scalar.value), UInt8(ascii: "a"))
            // Unicode's line ends, which `RecordGuard` would write by name.
            case "\u{2028}", "\u{2029}": Array("\\u20".utf8) + hex(UInt8(scalar.value & 0xFF), UInt8(ascii: "a"))
            default: Array(String(scalar).utf8)
            }
        }
    }
}
