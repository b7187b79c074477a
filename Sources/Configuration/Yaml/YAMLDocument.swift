import Vocabulary
import Yams

/// Turns text into a tree of nodes with marks. A syntax error becomes one problem with its place; a key that is given twice becomes a
/// problem of its own and doesn't hide the others.
///
/// Yams gives up at the first repeated key and names only its first place. So that place is overwritten with a name that nobody writes. It
/// is as long, so that no other place moves, and the text is read again.
struct YAMLDocument {
    /// `nil`: nothing but comments, or not readable at all.
    private(set) var root: Node?

    /// Readings of one text; each shows one more repeated key.
    private static let maxReadings = 20
    /// With nonsense each reading takes a while, and nobody wants to know the twentieth place.
    private static let manyLines = 5_000
    private static let fewReadings = 2
    /// Bytes read in all readings together: a long text is read fewer times.
    private static let maxCharacters = 500_000
    /// How many nodes are looked at after a repeated key was found: aliases of aliases turn a few lines into billions.
    private static let maxNodes = 100_000
    /// One for each reading, from Unicode's private use area, which no key contains.
    private static let masks = (0..<UInt32(maxReadings)).compactMap { Unicode.Scalar(0xE000 + $0) }

    init(_ text: String, _ findings: inout Findings) {
        var lines = Self.lines(of: text)
        var masked: [Position: String] = [:]
        let masks = Self.masks.prefix(Self.readings(of: lines))
        for mask in masks {
            do {
                let tree = try Yams.compose(yaml: Self.text(of: lines))
                var nodesLeft = Self.maxNodes
                root = tree.map { Self.unmask($0, "", masked, &nodesLeft, &findings) }
                if nodesLeft < 0 {
                    findings.add(.error, "its aliases unfold to more than any configuration needs", at: nil)
                }
                return
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let place = Position(line: context.mark.line, column: context.mark.column)
                guard Self.overwrite(place, with: mask, in: &lines) else {
                    findings.add(.error, "key \((keys.first ?? "").quoted) is given twice", at: place)
                    return
                }
                masked[place] = keys.first ?? ""
            } catch let error as YamlError {
                let (message, place) = Self.describe(error, lines)
                findings.add(.error, message, at: place)
                return
            } catch {
                findings.add(.error, "not valid YAML: \(error)", at: nil)
                return
            }
        }
        findings.add(.error, "keys are given twice in more than \(masks.count - 1) places", at: nil)
    }

    private static func readings(of lines: [[Unicode.Scalar]]) -> Int {
        guard lines.count <= manyLines else { return fewReadings }
        let length = lines.reduce(1) { $0 + $1.count }
        return max(fewReadings, min(maxReadings, maxCharacters / length))
    }

    private typealias Position = ConfigurationProblem.Position

    /// Each ends a line to the scanner, and so do CR and LF together.
    static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

    /// Lines as the scanner counts them, including what ends them: a carriage return alone does, too (YAML 1.1, 4.2).
    private static func lines(of text: String) -> [[Unicode.Scalar]] {
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            if let last = line.last, lineBreaks.contains(last), !(last == "\r" && scalar == "\n") {
                lines.append(line)
                line = []
            }
            line.append(scalar)
        }
        return lines + [line]
    }

    private static func text(of lines: [[Unicode.Scalar]]) -> String {
        var text = String.UnicodeScalarView()
        for line in lines { text.append(contentsOf: line) }
        return String(text)
    }

    /// Overwrites the first character of the key that begins there.
    private static func overwrite(_ place: Position, with mask: Unicode.Scalar, in lines: inout [[Unicode.Scalar]])
        -> Bool
    {
        let (row, column) = (place.line - 1, place.column - 1)
        guard lines.indices.contains(row), lines[row].indices.contains(column) else { return false }
        let isQuoted = lines[row][column] == "\"" || lines[row][column] == "'"
        let start = isQuoted ? column + 1 : column
        guard lines[row].indices.contains(start), !masks.contains(lines[row][start]) else { return false }
        lines[row][start] = mask
        return true
    }

    /// Takes masked keys out of the tree and reports every place except a key's first.
    private static func unmask(
        _ node: Node, _ path: String, _ masked: [Position: String], _ nodesLeft: inout Int,
        _ findings: inout Findings
    ) -> Node {
        guard !masked.isEmpty, nodesLeft >= 0 else { return node }
        nodesLeft -= 1
        switch node {
        case .mapping(let mapping):
            var kept: [(Node, Node)] = []
            var repeated: [String: [Position]] = [:]
            for (key, value) in mapping {
                if let place = Findings.position(key), let name = masked[place] {
                    repeated[name, default: []].append(place)
                } else {
                    let name = key.scalar?.string ?? ""
                    kept.append(
                        (key, unmask(value, path.isEmpty ? name : "\(path).\(name)", masked, &nodesLeft, &findings)))
                }
            }
            for (name, earlier) in repeated {
                let last = kept.first { $0.0.scalar?.string == name }.flatMap { Findings.position($0.0) }
                let places = (earlier + [last].compactMap { $0 }).sorted()
                let full = (path.isEmpty ? name : "\(path).\(name)").quoted
                for place in places.dropFirst() {
                    findings.add(.error, "key \(full) is given twice, first in line \(places[0].line)", at: place)
                }
            }
            return .mapping(Node.Mapping(kept, mapping.tag, mapping.style, mapping.mark))
        case .sequence(let sequence):
            let items = sequence.enumerated().map { unmask($1, "\(path)[\($0)]", masked, &nodesLeft, &findings) }
            return .sequence(Node.Sequence(items, sequence.tag, sequence.style, sequence.mark))
        case .scalar, .alias:
            return node
        }
    }

    private static func describe(_ error: YamlError, _ lines: [[Unicode.Scalar]]) -> (String, Position?) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let place = Position(line: mark.line, column: mark.column)
            let row = mark.line - 1
            if lines.indices.contains(row), lines[row].indices.contains(mark.column - 1),
                lines[row][mark.column - 1] == "\t"
            {
                return ("not valid YAML: a tab; indent with spaces", place)
            }
            if problem == "but found another document" {
                return ("a second document begins here: a configuration is one document, without \"---\" inside", place)
            }
            let since = context.map { " (\($0.text) from line \($0.mark.line))" } ?? ""
            return ("not valid YAML: \(problem)\(since)", place)
        case .reader(let problem, let offset, let value, let text):
            let character = value > 0 ? " (character \(String(value, radix: 16)), hexadecimal)" : ""
            return ("not valid YAML: \(problem)\(character)", offset.map { position(of: $0, in: text) })
        case .memory:
            return ("no memory to read it", nil)
        default:
            return ("not valid YAML: \(error)", nil)
        }
    }

    /// Lines as the scanner counts them: to it, a carriage return alone ends a line, too (YAML 1.1, 4.2).
    private static func position(of offset: Int, in text: String) -> Position {
        var place = Position(line: 1, column: 1)
        for character in text.prefix(offset) {
            switch character {
            case "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}": place = Position(line: place.line + 1, column: 1)
            default: place.column += character.unicodeScalars.count
            }
        }
        return place
    }
}
