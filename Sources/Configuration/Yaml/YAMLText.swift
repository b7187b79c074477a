/// Writes values so that any YAML reader, ours included, reads them back unchanged.
enum YAMLText {
    /// The text as it is where that is safe inside a block or a flow list, else in double quotes.
    static func string(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

    static func mapping(_ pairs: [(String, String)]) -> String {
        "{" + pairs.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
    }

    /// Words that YAML reads as null.
    static let nullWords: Set<String> = ["", "~", "null", "Null", "NULL"]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, !nullWords.contains(text) else { return false }
        guard isWord(first) || first == "/" || first == "." else { return false }
        // Colons, spaces and hyphens are safe only between others; `#`, brackets, commas and quotes never are.
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() where !isWord(scalar) && !"/.+%@".unicodeScalars.contains(scalar) {
            guard " :-".unicodeScalars.contains(scalar), index + 1 < scalars.count, isWord(scalars[index + 1]) else {
                return false
            }
        }
        return true
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case " "..."~", "\u{A1}"..."\u{AC}", "\u{AE}"..."\u{1FFF}", "\u{3040}"..."\u{D7FF}":
                result.unicodeScalars.append(scalar)
            default:
                // Controls, and what a terminal or an editor may not show (joiners, direction marks, private use).
                let hex = String(scalar.value, radix: 16, uppercase: true)
                let (letter, width) =
                    scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
                result += "\\" + letter + String(repeating: "0", count: width - hex.count) + hex
            }
        }
        return result + "\""
    }
}
