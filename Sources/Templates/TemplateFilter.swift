import Vocabulary

extension Template {
    /// What a template does with a field's value before it is written.
    ///
    /// | filter | does |
    /// |---|---|
    /// | `upper` `lower` | changes the case |
    /// | `trim` | takes spaces, tabs and line ends off both ends |
    /// | `digits` | keeps only 0–9 |
    /// | `gs:TEXT` | puts TEXT in the place of each GS (0x1D), which separates the fields of GS1 data |
    /// | `first:N` `last:N` | keeps the first or last N characters |
    /// | `drop:N` | leaves the first N characters out |
    /// | `pad:N` | puts zeros in front, up to N characters |
    /// | `hex` | writes each byte as two hexadecimal digits |
    /// | `urlencode` | writes all but `A–Z a–z 0–9 - . _ ~` as `%HH` (RFC 3986) |
    /// | `csv` | quotes the value where a CSV field needs it (RFC 4180; semicolons count as commas) |
    /// | `raw` | leaves control characters in the value as they are; without it they are written by name, see `RecordGuard` |
    /// | `json` | escapes the value for the inside of a JSON string; the quotes around it are the template's |
    ///
    /// An empty value stays empty. Characters are Unicode scalars where the value is UTF-8, bytes otherwise.
    package enum Filter: Hashable, Sendable {
        case upper, lower, trim, digits, hex, urlEncode, csv, json, raw
        case gs([UInt8])
        case first(Int), last(Int), drop(Int), pad(Int)
    }
}

extension Template.Filter {
    /// The largest N.
    static let maxLength = 4096

    private static let plain: [(name: String, filter: Template.Filter)] = [
        ("upper", .upper), ("lower", .lower), ("trim", .trim), ("digits", .digits), ("hex", .hex),
        ("urlencode", .urlEncode), ("csv", .csv), ("json", .json), ("raw", .raw),
    ]
    private static let counted: [(name: String, filter: @Sendable (Int) -> Template.Filter)] = [
        ("first", { .first($0) }), ("last", { .last($0) }), ("drop", { .drop($0) }), ("pad", { .pad($0) }),
    ]
    private static let gsName = "gs"
    static let names = plain.map(\.name) + counted.map(\.name) + [gsName]

    /// `argument`: the text after the colon; `nil` if there is none. Positions are those of the name and the argument.
    init(name: String, at position: Int, argument: [UInt8]?, at argumentPosition: Int) throws(TemplateError) {
        if let known = Self.plain.first(where: { $0.name == name }) {
            guard argument == nil else {
                throw TemplateError(position: argumentPosition, problem: "the filter \(name) takes no argument")
            }
            self = known.filter
        } else if let known = Self.counted.first(where: { $0.name == name }) {
            guard let argument, let count = Self.count(argument) else {
                throw TemplateError(
                    position: argument == nil ? position : argumentPosition,
                    problem: "the filter \(name) takes a number of characters from 0 to \(Self.maxLength), "
                        + "as in \(name):4")
            }
            self = known.filter(count)
        } else if name == Self.gsName {
            guard let argument else {
                throw TemplateError(
                    position: position, problem: "the filter gs takes the text that replaces the GS, as in gs:\"~\"")
            }
            self = .gs(argument)
        } else {
            var problem = name.isEmpty ? "a filter's name is missing after |" : "unknown filter \(name)"
            if let near = Spelling.nearest(to: name, among: Self.names), !name.isEmpty {
                problem += ", did you mean \(near)?"
            }
            throw TemplateError(
                position: position, problem: problem + " (filters are \(Self.names.joined(separator: ", ")))")
        }
    }

    private static func count(_ argument: [UInt8]) -> Int? {
        guard (1...4).contains(argument.count), argument.allSatisfy(CheckDigit.isDigit) else { return nil }
        let value = argument.reduce(0) { $0 * 10 + Int($1 - CheckDigit.zero) }
        return value <= maxLength ? value : nil
    }

    /// How many times as long, in bytes, a value may be afterwards.
    var growth: Int {
        switch self {
        // "ΐ" becomes three letters of two bytes each.
        case .upper, .lower, .urlEncode: 3
        case .hex, .csv: 2
        case .json: 6
        case .gs(let text): max(1, text.count)
        case .trim, .digits, .raw, .first, .last, .drop, .pad: 1
        }
    }

    func apply(to bytes: [UInt8]) -> [UInt8] {
        if bytes.isEmpty { return [] }
        switch self {
        case .upper: return cased(bytes, ascii: UInt8(ascii: "a"), to: { $0.uppercased() })
        case .lower: return cased(bytes, ascii: UInt8(ascii: "A"), to: { $0.lowercased() })
        case .trim: return trimmed(bytes)
        case .digits: return bytes.filter(CheckDigit.isDigit)
        case .hex: return bytes.flatMap { TemplateEscapes.hex($0, UInt8(ascii: "a")) }
        case .urlEncode: return TemplateEscapes.url(bytes)
        case .csv: return TemplateEscapes.csv(bytes)
        case .json: return TemplateEscapes.json(bytes)
        case .raw: return bytes
        case .gs(let text): return bytes.flatMap { $0 == 0x1D ? text : [$0] }
        case .first(let count): return sliced(bytes, { $0.prefix(count) }, { $0.prefix(count) })
        case .last(let count): return sliced(bytes, { $0.suffix(count) }, { $0.suffix(count) })
        case .drop(let count): return sliced(bytes, { $0.dropFirst(count) }, { $0.dropFirst(count) })
        case .pad(let count):
            let length = String(validating: bytes, as: UTF8.self)?.unicodeScalars.count ?? bytes.count
            return [UInt8](repeating: CheckDigit.zero, count: max(0, count - length)) + bytes
        }
    }

    /// ASCII letters only where the bytes aren't text. `ascii`: the first of the letters that change.
    private func cased(_ bytes: [UInt8], ascii: UInt8, to change: (String) -> String) -> [UInt8] {
        if let text = String(validating: bytes, as: UTF8.self) { return Array(change(text).utf8) }
        return bytes.map { $0 >= ascii && $0 < ascii + 26 ? $0 ^ 0x20 : $0 }
    }

    private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(bytes[first...last])
    }

    private func sliced(
        _ bytes: [UInt8], _ slice: (Substring.UnicodeScalarView) -> Substring.UnicodeScalarView,
        _ byteSlice: (ArraySlice<UInt8>) -> ArraySlice<UInt8>
    ) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return Array(byteSlice(bytes[...])) }
        return Array(String(slice(text[...].unicodeScalars)).utf8)
    }
}
