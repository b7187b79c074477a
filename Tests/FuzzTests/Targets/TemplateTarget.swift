import Payloads
import Wire

@testable import Delivery
@testable import Templates
@testable import Vocabulary

/// A template of the configuration's and a code of a stranger's: the length of the template in a byte, the template, the code.
enum TemplateTarget {
    /// What formats are made with, compiled once.
    private struct Formats {
        let raw, hex, url, json, row, text: Template

        init() throws(TemplateError) {
            raw = try Template("{bytes|raw}")
            hex = try Template("{text|hex}")
            url = try Template("{text|urlencode}")
            json = try Template("\"{text|json}\"<LF>")
            row = try Template("{text|csv},{seq}<CR><LF>")
            text = try Template("{text}")
        }
    }

    private static let formats = Result { () throws(TemplateError) in try Formats() }

    static func check(_ input: inout FuzzInput) throws {
        let length = Int(input.byte())
        let source = String(decoding: input.take(length), as: UTF8.self)
        let symbol = Scans.symbol(input.all(), .qrCode, aim: "]Q1")
        let event = Scans.event(symbol, PayloadInterpreter().interpret(symbol))
        try holdFormats(event, symbol)
        let template: Template
        do throws(TemplateError) {
            template = try Template(source)
        } catch {
            try demand(!error.problem.isEmpty, "an error says what to write instead")
            try Lines.demandPlain(error.message)
            try demand(
                (1...source.count + 1).contains(error.position), "an error's character is there: \(error.position)")
            return
        }
        try hold(template, event, symbol)
    }

    private static func hold(_ template: Template, _ event: Event, _ symbol: Symbol) throws {
        let record = try rendered(template, event)
        // Names of control characters, a pad, the longest field (the whole line).
        let most = 256 * template.pieces.count * (Template.Filter.maxLength + 24 * symbol.bytes.count + 4096)
        try demand(record.count <= most + 8192, "a record is of a bounded length: \(record.count)")

        let fields = template.pieces.compactMap { piece in
            if case .field(_, let filters) = piece { filters } else { nil }
        }
        guard !fields.contains(where: { $0.contains(.raw) || $0.last == .csv }) else { return }
        // What could forge a record: line ends, NUL, and whatever the template itself sets its records apart with.
        let own = template.literals.joined()
        let (found, written) = (counts(record), counts(Array(own)))
        for byte in 0...0x7F where byte < 0x20 || byte == 0x7F {
            // Separators of data go through where the template has no use for them; the end of an ISO 15434 message with them.
            guard ![0x04, 0x09, 0x1C, 0x1D, 0x1E, 0x1F].contains(byte) || written[byte] > 0 else { continue }
            try demand(
                found[byte] == written[byte],
                "a code adds no \(byte) to a record: \(Lines.shown(record)) of \(template.source.debugDescription)")
        }
    }

    /// How often each byte occurs.
    private static func counts(_ bytes: [UInt8]) -> [Int] {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        return counts
    }

    /// Formats that a template may build hold what the code holds.
    private static func holdFormats(_ event: Event, _ symbol: Symbol) throws {
        let formats = try formats.get()
        let content = symbol.text.map { Array($0.utf8) } ?? symbol.bytes
        try demand(try rendered(formats.raw, event) == symbol.bytes, "raw bytes are those of the code")
        try demand(unhex(try rendered(formats.hex, event)) == content, "hexadecimal digits give the text")
        try demand(unpercent(try rendered(formats.url, event)) == content, "an encoded text is decoded to itself")

        let json = try Lines.demandJSON(try rendered(formats.json, event))
        try demand(
            json.stringValue.map { Array($0.utf8) } == Array(String(decoding: content, as: UTF8.self).utf8),
            "a JSON string holds the text: \(json)")

        let row = try rendered(formats.row, event)
        let (cells, isWhole) = parseCSV(row)
        try demand(isWhole && cells.count == 2 && cells.last == Array("7".utf8), "a row stays one: \(Lines.shown(row))")
        let line = try rendered(formats.text, event)
        try demand(!line.contains { $0 == 0x0A || $0 == 0x0D }, "a code holds no line end: \(Lines.shown(line))")
    }

    private static func rendered(_ template: Template, _ event: Event) throws -> [UInt8] {
        guard let record = template.render(event, secrets: .asConfigured) else {
            throw BrokenPromise(promise: "a scan is written", file: #fileID, line: #line)
        }
        return record
    }

    private static func unhex(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func unpercent(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes += unhex(Array(rest.prefix(2))) ?? []
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// As RFC 4180 has it: the cells of the first row, and whether nothing comes after it.
    private static func parseCSV(_ text: [UInt8]) -> (cells: [[UInt8]], isWhole: Bool) {
        let quote = UInt8(ascii: "\"")
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == quote, isQuoted, rest.first == quote {
                cells[cells.count - 1].append(quote)
                rest = rest.dropFirst()
            } else if byte == quote, isQuoted || cells[cells.count - 1].isEmpty {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                cells.append([])
            } else if byte == 0x0D || byte == 0x0A, !isQuoted {
                return (cells, byte == 0x0D && rest.elementsEqual([0x0A]))
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        return (cells, false)
    }
}
