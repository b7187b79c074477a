import Vocabulary

/// Turns a template's source into pieces, left to right, without looking back.
struct TemplateParser {
    private let source: String
    private let characters: [Character]
    private var index = 0
    private var literal: [UInt8] = []
    private var pieces: [Template.Piece] = []

    init(_ source: String) {
        self.source = source
        characters = Array(source)
    }

    mutating func parse() throws(TemplateError) -> [Template.Piece] {
        guard source.utf8.count <= Template.maxSourceBytes else {
            let limit = Template.maxSourceBytes
            throw TemplateError(
                position: 1, problem: "the template is \(source.utf8.count) bytes long; at most \(limit) are allowed")
        }
        while index < characters.count {
            if characters[index] == "{", !takeDoubled("{") { try field() } else { literal += try unit() }
        }
        flush()
        return pieces
    }

    // MARK: Fields

    private mutating func field() throws(TemplateError) {
        let position = index + 1
        index += 1
        let name = word(until: "|}")
        try expectMore(position)
        guard let field = Template.Field(name: name.text) else {
            throw TemplateError(position: position, problem: Template.Field.problem(with: name.text))
        }
        var filters: [Template.Filter] = []
        while characters[index] == "|" {
            guard filters.count < Template.maxFilters else {
                throw TemplateError(
                    position: index + 1, problem: "at most \(Template.maxFilters) filters are allowed at a field")
            }
            filters.append(try filter(fieldPosition: position))
        }
        index += 1
        guard Self.growth(of: filters) <= Template.maxGrowth else {
            throw TemplateError(
                position: position,
                problem:
                    "these filters may make a value more than \(Template.maxGrowth) times as long: leave some out, or "
                    + "give gs a shorter text")
        }
        flush()
        pieces.append(.field(field, filters))
    }

    /// The growth of all filters together; anything beyond the limit counts as the limit plus one.
    private static func growth(of filters: [Template.Filter]) -> Int {
        let beyond = Template.maxGrowth + 1
        return filters.reduce(1) { min($0 * min($1.growth, beyond), beyond) }
    }

    /// From its `|` to the next one, or to the field's end.
    private mutating func filter(fieldPosition: Int) throws(TemplateError) -> Template.Filter {
        index += 1
        let name = word(until: ":|}")
        try expectMore(fieldPosition)
        var argument: [UInt8]?
        var argumentPosition = index + 1
        if characters[index] == ":" {
            index += 1
            skipSpaces()
            argumentPosition = index + 1
            argument = try self.argument(fieldPosition)
        }
        return try Template.Filter(
            name: name.text, at: name.position, argument: argument, at: argumentPosition)
    }

    private mutating func argument(_ fieldPosition: Int) throws(TemplateError) -> [UInt8] {
        var bytes: [UInt8] = []
        let position = index + 1
        guard index < characters.count, characters[index] == "\"" else {
            while index < characters.count, characters[index] != "|", characters[index] != "}" { bytes += try unit() }
            try expectMore(fieldPosition)
            while bytes.last == 0x20 { bytes.removeLast() }
            return bytes
        }
        index += 1
        while index < characters.count, characters[index] != "\"" { bytes += try unit() }
        guard index < characters.count else {
            throw TemplateError(position: position, problem: "\" without a second one at the end of the argument")
        }
        index += 1
        skipSpaces()
        try expectMore(fieldPosition)
        guard characters[index] == "|" || characters[index] == "}" else {
            throw TemplateError(
                position: index + 1, problem: "after an argument comes | or }, not \(characters[index])")
        }
        return bytes
    }

    private struct Word {
        var text: String
        /// Where it starts, or where it should.
        var position: Int
    }

    /// Up to one of `ends`, or to the end of the source; without the spaces around it.
    private mutating func word(until ends: String) -> Word {
        skipSpaces()
        let start = index
        while index < characters.count, !ends.contains(characters[index]) { index += 1 }
        var end = index
        while end > start, characters[end - 1] == " " { end -= 1 }
        return Word(text: String(characters[start..<end]), position: start + 1)
    }

    private mutating func skipSpaces() {
        while index < characters.count, characters[index] == " " { index += 1 }
    }

    private func expectMore(_ fieldPosition: Int) throws(TemplateError) {
        guard index < characters.count else {
            throw TemplateError(position: fieldPosition, problem: "{ without }: write {{ for a { itself")
        }
    }

    // MARK: Text

    /// The next character, by itself or as one of the notations for it.
    private mutating func unit() throws(TemplateError) -> [UInt8] {
        switch characters[index] {
        case "<": return takeDoubled("<") ? [UInt8(ascii: "<")] : [try controlCharacter()]
        case "\\": return [try escape()]
        case let other:
            index += 1
            return Array(other.utf8)
        }
    }

    /// `{{` and `<<`: skips the first, so that the second stands for itself. If it isn't doubled, does nothing and returns `false`.
    private mutating func takeDoubled(_ character: Character) -> Bool {
        guard index + 1 < characters.count, characters[index + 1] == character else { return false }
        index += character == "<" ? 2 : 1
        return true
    }

    private mutating func controlCharacter() throws(TemplateError) -> UInt8 {
        let position = index + 1
        guard let end = characters[index...].firstIndex(of: ">") else {
            throw TemplateError(position: position, problem: "< without >: write << for a < itself")
        }
        let name = String(characters[(index + 1)..<end])
        guard let byte = ControlCharacter.byte(named: name) else {
            var problem = "unknown control character <\(name)>"
            if let near = Spelling.nearest(to: name, among: ControlCharacter.allNames) {
                problem += ", did you mean <\(near)>?"
            }
            throw TemplateError(
                position: position, problem: problem + " (write \\xHH for any other byte, and << for a < itself)")
        }
        index = end + 1
        return byte
    }

    private mutating func escape() throws(TemplateError) -> UInt8 {
        let position = index + 1
        guard index + 1 < characters.count else {
            throw TemplateError(
                position: position, problem: "a backslash at the end: write \\\\ for a backslash itself")
        }
        let letter = characters[index + 1]
        index += 2
        switch letter {
        case "r": return 0x0D
        case "n": return 0x0A
        case "t": return 0x09
        case "\\": return 0x5C
        case "\"": return 0x22
        case "x":
            let digits = characters[index...].prefix(2)
            guard digits.count == 2, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let byte = UInt8(String(digits), radix: 16)
            else {
                throw TemplateError(position: position, problem: "\\x needs two hexadecimal digits, as in \\x1D")
            }
            index += 2
            return byte
        default:
            throw TemplateError(
                position: position,
                problem: "unknown escape \\\(letter): there are \\r \\n \\t \\xHH \\\", and \\\\ for a backslash itself"
            )
        }
    }

    private mutating func flush() {
        guard !literal.isEmpty else { return }
        pieces.append(.literal(literal))
        literal = []
    }
}
