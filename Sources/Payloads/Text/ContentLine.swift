/// One line of a vCard or an iCalendar text: `GROUP.NAME;PARAMETER=VALUE:value`, unfolded (RFC 6350 and RFC 5545, section
/// 3.1) and, for vCard 2.1, with quoted-printable decoded.
struct ContentLine {
    /// Upper case, without the group.
    var name: String
    /// Upper-case names with their values; a bare parameter of vCard 2.1 (`CELL`) is a `TYPE`.
    var parameters: [(name: String, value: String)]
    /// Backslash escapes still in it.
    var raw: Bytes

    /// The value as one text.
    var text: String { ContentLine.unescape(raw).text }
    var textOrNil: String? { ContentLine.unescape(raw).textOrNil }

    /// The parts between semicolons that aren't escaped.
    var components: [String] {
        DelimitedFields.split(raw, at: UInt8(ascii: ";")).map { ContentLine.unescape($0).text }
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The `TYPE`s, lower case.
    var types: [String] {
        parameters.filter { $0.name == "TYPE" }.flatMap { $0.value.split(separator: ",") }.map { $0.lowercased() }
    }

    /// The lines of a text, bounded; lines that have no colon are left out.
    static func lines(of text: Bytes) -> [ContentLine] {
        unfold(text).compactMap(ContentLine.init)
    }

    private init?(_ line: Bytes) {
        guard let colon = ContentLine.firstUnquoted(UInt8(ascii: ":"), in: line) else { return nil }
        var heads: [Bytes] = []
        var rest = line[..<colon]
        while let semicolon = ContentLine.firstUnquoted(UInt8(ascii: ";"), in: rest),
            heads.count < ContentLine.maxParameters
        {
            heads.append(rest[..<semicolon])
            rest = rest[(semicolon + 1)...]
        }
        heads.append(rest)
        // A group (`item1.TEL`) says only which lines belong together.
        name = heads[0].parts(separatedBy: UInt8(ascii: ".")).last?.trimmed.text.uppercased() ?? ""
        parameters = heads.dropFirst().map { head in
            let (key, value) = head.cut(at: UInt8(ascii: "="))
            guard let value else { return ContentLine.bareParameter(key.text.uppercased()) }
            return (key.text.uppercased(), value.filter { $0 != UInt8(ascii: "\"") }[...].text)
        }
        raw = line[(colon + 1)...]
        if isQuotedPrintable {
            raw = ContentLine.escapeBackslashesOf(ContentLine.quotedPrintable(raw, charset: parameter("CHARSET")))
        }
    }

    private static let maxParameters = 16

    private static func bareParameter(_ word: String) -> (name: String, value: String) {
        switch word {
        case "QUOTED-PRINTABLE", "BASE64", "B": ("ENCODING", word)
        default: ("TYPE", word)
        }
    }

    private var isQuotedPrintable: Bool { parameter("ENCODING")?.uppercased() == "QUOTED-PRINTABLE" }

    /// A place outside of double quotes.
    private static func firstUnquoted(_ byte: UInt8, in bytes: Bytes) -> Int? {
        var isQuoted = false
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, bytes[index] == byte { return index }
        }
        return nil
    }

    /// Physical lines end in CR LF, LF or CR. One that starts with a space or tab continues the one before; so does one
    /// after the soft break (`=` at the end) of a quoted-printable line.
    private static func unfold(_ text: Bytes) -> [Bytes] {
        var lines: [[UInt8]] = []
        var isQuotedPrintable = false
        var isSoftBroken = false
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if isSoftBroken, !lines.isEmpty {
                lines[lines.count - 1].removeLast()
                lines[lines.count - 1].append(contentsOf: line)
            } else if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
                lines[lines.count - 1].append(contentsOf: line.dropFirst())
            } else {
                guard lines.count < PayloadLimits.maxFields else { break }
                lines.append(Array(line))
                isQuotedPrintable = declaresQuotedPrintable(line)
            }
            isSoftBroken = isQuotedPrintable && line.last == UInt8(ascii: "=")
        }
        return lines.map { $0[...] }
    }

    private static func declaresQuotedPrintable(_ line: Bytes) -> Bool {
        line.cut(at: UInt8(ascii: ":")).0.text.uppercased().contains("QUOTED-PRINTABLE")
    }

    /// Decodes `=C3=A9`. Bytes that aren't UTF-8, or are declared as Latin-1, are read as Latin-1.
    private static func quotedPrintable(_ bytes: Bytes, charset: String?) -> Bytes {
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.endIndex, let high = bytes[index + 1].hexValue,
                let low = bytes[index + 2].hexValue
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        let isLatin1 = charset.map { ["ISO-8859-1", "LATIN1", "WINDOWS-1252"].contains($0.uppercased()) } ?? false
        if !isLatin1, String(validating: out, as: UTF8.self) != nil { return out[...] }
        return Bytes(String(latin1: out))
    }

    /// vCard 2.1 knows no escape but `\;`, so a decoded backslash before anything else is one.
    private static func escapeBackslashesOf(_ bytes: Bytes) -> Bytes {
        var out: [UInt8] = []
        for index in bytes.indices {
            out.append(bytes[index])
            let isEscape = index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: ";")
            if bytes[index] == UInt8(ascii: "\\"), !isEscape { out.append(UInt8(ascii: "\\")) }
        }
        return out[...]
    }

    /// `\n`, `\,`, `\;`, `\:` and `\\`; a backslash before anything else is itself.
    private static func unescape(_ bytes: Bytes) -> Bytes {
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = index + 1
            guard bytes[index] == UInt8(ascii: "\\"), next < bytes.endIndex else {
                out.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[next] {
            case UInt8(ascii: "n"), UInt8(ascii: "N"): out.append(0x0A)
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\\"): out.append(bytes[next])
            default: out += [bytes[index], bytes[next]]
            }
            index += 2
        }
        return out[...]
    }
}
