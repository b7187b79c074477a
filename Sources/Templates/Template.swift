import Vocabulary

/// What an output writes for a scan, as a pattern: the one formatting language of serial, TCP, file and keyboard.
///
/// | written | gives |
/// |---|---|
/// | `{text}` `{gtin}` `{time}` … | that field of the scan: see `Template.Field` |
/// | `{text\|trim\|upper}` | the field through filters, from left to right: see `Template.Filter` |
/// | `{text\|gs:"~"}` | a filter with its argument; the quotes may be left out where it holds no `\|` `}` or space at an end |
/// | `<CR>` `<LF>` `<TAB>` `<STX>` `<GS>` … | that control character, by its ASCII name |
/// | `\r` `\n` `\t` `\\` `\"` `\xHH` | carriage return, line feed, tab, backslash, quote, any byte; in arguments too |
/// | `{{` `<<` | `{` and `<` themselves |
///
/// Control characters in a field's value are written by name, as `<LF>`: see `RecordGuard`, and the filter `raw`.
///
/// Everything else stands for itself, in UTF-8. A field that the scan doesn't have is empty. A template is compiled once, when the
/// configuration is loaded, and errors name the character where they are: nothing can go wrong while a scan is written.
package struct Template: Hashable, Sendable {
    /// What a field gives for one scan.
    package struct Value: Hashable, Sendable {
        package var bytes: [UInt8]
        /// Filters leave it alone: it stands for something hidden, and half of it would say nothing.
        package var isFinal: Bool

        package init(_ bytes: [UInt8], isFinal: Bool = false) {
            self.bytes = bytes
            self.isFinal = isFinal
        }
    }

    /// A part of what was written, with its origin: a keyboard types the template's own control characters, but not everything that a code
    /// may contain.
    package struct Run: Hashable, Sendable {
        package var bytes: [UInt8]
        /// From the template itself, not from the scan.
        package var isLiteral: Bool

        package init(_ bytes: [UInt8], isLiteral: Bool) {
            self.bytes = bytes
            self.isLiteral = isLiteral
        }
    }

    enum Piece: Hashable, Sendable {
        case literal([UInt8])
        case field(Field, [Filter])
    }

    /// A longer source is refused.
    package static let maxSourceBytes = 4096
    /// More filters at one field are refused.
    package static let maxFilters = 8
    /// Filters that could make a value grow more than this many times are refused: eight times `gs:TEXT` with a text of GS would take all
    /// memory for a code of a few bytes.
    package static let maxGrowth = 256

    package let source: String
    let pieces: [Piece]

    /// Compiles `source`; throws the first error in it.
    package init(_ source: String) throws(TemplateError) {
        var parser = TemplateParser(source)
        self.source = source
        pieces = try parser.parse()
    }

    /// The fields that occur, so that a caller needs to look up only those.
    package var fields: Set<Field> {
        Set(
            pieces.compactMap { piece in
                if case .field(let field, _) = piece { field } else { nil }
            })
    }

    /// The template's own text, in order.
    package var literals: [[UInt8]] {
        pieces.compactMap { piece in
            if case .literal(let bytes) = piece { bytes } else { nil }
        }
    }

    /// Whether everything it writes ends in a line feed of its own, so that the records of a file are lines.
    package var endsInLineFeed: Bool {
        if case .literal(let bytes) = pieces.last { bytes.last == 0x0A } else { false }
    }

    /// The bytes for one scan; `value` gives a field's bytes. Control characters in them are written by name, unless a filter
    /// says otherwise: see `RecordGuard`.
    package func render(_ value: (Field) -> Value) -> [UInt8] {
        let guardian = RecordGuard(literals: literals)
        return pieces.reduce(into: []) { record, piece in
            switch piece {
            case .literal(let bytes): record += bytes
            case .field(let field, let filters):
                let bytes = Self.bytes(of: value(field), filters)
                record +=
                    filters.contains(.raw)
                    ? bytes : guardian.protect(bytes, mayHoldLines: filters.last == .csv)
            }
        }
    }

    /// In parts, with everything that the code contains, for an output with its own rules for control characters.
    package func runs(_ value: (Field) -> Value) -> [Run] {
        pieces.map { piece in
            switch piece {
            case .literal(let bytes): Run(bytes, isLiteral: true)
            case .field(let field, let filters): Run(Self.bytes(of: value(field), filters), isLiteral: false)
            }
        }
    }

    private static func bytes(of value: Value, _ filters: [Filter]) -> [UInt8] {
        value.isFinal ? value.bytes : filters.reduce(value.bytes) { $1.apply(to: $0) }
    }
}

/// What is wrong with a template, and where.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The character at which the trouble starts, counted from 1.
    package var position: Int
    /// What is wrong and what to write instead. One line, whatever it quotes of the template.
    package var problem: String

    package init(position: Int, problem: String) {
        self.position = position
        self.problem = problem.asOneLine
    }

    package var message: String { "template, character \(position): \(problem)" }
    package var description: String { message }
}
