/// Writes key outlines as YAML: the example with comments and switched-off keys, `show` with neither.
///
/// In the example, a `#` followed by a blank begins a comment; one directly before a key switches that key off.
struct OutlineWriter {
    /// Comments are wrapped at this column.
    private static let width = 100

    let isExample: Bool
    /// The origin of the value at a path.
    var origin: ((String) -> SettingOrigin)?
    private(set) var lines: [String] = []

    init(isExample: Bool) { self.isExample = isExample }

    var text: String { lines.map { $0 + "\n" }.joined() }

    mutating func remark(_ text: String, indent: Int = 0) {
        let prefix = String(repeating: " ", count: indent) + "#"
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = prefix
            let hang = paragraph.hasPrefix("- ") ? "  " : ""
            for word in paragraph.split(separator: " ") {
                if line.count + 1 + word.count > Self.width {
                    lines.append(line)
                    line = prefix + hang
                }
                line += " " + word
            }
            lines.append(line)
        }
    }

    mutating func blank() { lines.append("") }

    mutating func write(_ keys: [KeyOutline], indent: Int = 0, below path: String = "") {
        for key in keys where isExample || !key.isOff {
            if isExample, indent == 0 { blank() }
            write(key, indent: indent, bullet: "  ", path.isEmpty ? key.name : "\(path).\(key.name)")
        }
    }

    private mutating func write(_ key: KeyOutline, indent: Int, bullet: String, _ path: String) {
        if isExample { remark(of: key, indent: bullet == "- " ? indent - 2 : indent) }
        switch key.content {
        case .value(let text):
            line("\(key.name): \(text)" + origin(of: path), key, indent, bullet)
        case .section(let keys):
            line("\(key.name):", key, indent, bullet)
            write(keys, indent: indent + 2, below: path)
        case .items(let items):
            let shown = items.filter { item in isExample || !item.allSatisfy(\.isOff) }
            let isEmpty = shown.allSatisfy { item in item.allSatisfy(\.isOff) }
            line(isEmpty ? "\(key.name): []" + origin(of: path) : "\(key.name):", key, indent, bullet)
            for (number, item) in shown.enumerated() {
                for (index, part) in item.filter({ isExample || !$0.isOff }).enumerated() {
                    write(
                        part, indent: indent + 4, bullet: index == 0 ? "- " : "  ", "\(path)[\(number)].\(part.name)")
                }
            }
        }
    }

    private func origin(of path: String) -> String { origin.map { "  # \($0(path).rawValue)" } ?? "" }

    /// An item's first key has the bullet before it, two columns to the left; the others have blanks there.
    private mutating func line(_ text: String, _ key: KeyOutline, _ indent: Int, _ bullet: String) {
        let isItem = bullet == "- "
        let margin = String(repeating: " ", count: isItem ? indent - 2 : indent)
        lines.append(margin + (key.isOff ? "#" : "") + (isItem ? bullet : "") + text)
    }

    private mutating func remark(of key: KeyOutline, indent: Int) {
        let takes = key.takes.isEmpty ? "" : " [\(key.takes)\(key.isRuntime ? "; ctl" : "")]"
        if !key.doc.isEmpty { remark(key.doc + takes, indent: indent) }
    }
}
