import Vocabulary
import Yams

/// How one kind of value is written in YAML: read with complaints, and written so that it reads back equal.
struct Codec<Value>: Sendable {
    /// What is accepted, as the end of "must be …": `a whole number from 1 to 4`.
    let takes: String
    /// `nil` after a complaint.
    let read: @Sendable (Node, _ path: String, inout Findings) -> Value?
    /// On one line.
    let write: @Sendable (Value) -> String
    /// For forms.
    let shape: ValueShape
    /// What a rejected text was probably meant to be: `did you mean "pulse"?`, `write 5s`.
    let advice: @Sendable (String) -> String?

    init(
        takes: String, advice: @escaping @Sendable (String) -> String? = { _ in nil }, shape: ValueShape = .text,
        read: @escaping @Sendable (Node, String, inout Findings) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.takes = takes
        self.shape = shape
        self.advice = advice
        self.read = read
        self.write = write
    }

    /// A value that is one scalar.
    init(
        takes: String, advice: @escaping @Sendable (String) -> String? = { _ in nil }, shape: ValueShape = .text,
        parse: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            takes: takes, advice: advice, shape: shape,
            read: { node, path, findings in
                if let text = node.scalarText, let value = parse(text) { return value }
                findings.reject(node, path, takes: takes, advice: advice)
                return nil
            },
            write: write)
    }

    /// The same; `choices` are the words it may be, for suggestions.
    init(
        takes: String, choices: [String], shape: ValueShape = .text, parse: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            takes: takes, advice: { Spelling.advice(for: $0, among: choices) }, shape: shape, parse: parse, write: write
        )
    }

    /// The same, with a word for `nil`.
    func orAbsent(_ word: String) -> Codec<Value?> {
        let takes = "\(takes), or \(word)"
        let advice: @Sendable (String) -> String? = { [advice] in Spelling.advice(for: $0, among: [word]) ?? advice($0)
        }
        return Codec<Value?>(
            takes: takes, advice: advice, shape: .or(shape, word),
            read: { node, path, findings in
                if node.scalarText == word { return .some(nil) }
                // Read separately, so that a complaint names the word too.
                var trial = Findings(file: findings.file)
                if let value = read(node, path, &trial) {
                    findings.absorb(trial)
                    return value
                }
                if node.scalar == nil {
                    findings.absorb(trial)
                } else {
                    findings.reject(node, path, takes: takes, advice: advice)
                }
                return nil
            },
            write: { $0.map(write) ?? word })
    }

    /// A list of these values; a single one may be written without brackets.
    func list(max: Int) -> Codec<[Value]> {
        Codec<[Value]>(
            takes: "a list of at most \(max), each \(takes)", shape: .list,
            read: { node, path, findings in
                let items = node.sequence.map(Array.init) ?? [node]
                guard items.count <= max else {
                    findings.error("\(path) has \(items.count) items; at most \(max) are allowed", at: node)
                    return nil
                }
                var values: [Value] = []
                for (index, item) in items.enumerated() {
                    if let value = read(item, "\(path)[\(index)]", &findings) { values.append(value) }
                }
                return values.count == items.count ? values : nil
            },
            write: { YAMLText.list($0.map(write)) })
    }
}

extension Spelling {
    static func advice(for text: String, among choices: [String]) -> String? {
        nearest(to: text, among: choices).map { "did you mean \"\($0)\"?" }
    }
}

extension Node {
    /// The text of a scalar that isn't YAML's nothing.
    var scalarText: String? { isNull ? nil : scalar?.string }

    /// `key:` with nothing after it, `~` or `null`; not the quoted words.
    var isNull: Bool {
        guard let scalar else { return false }
        return scalar.style == .plain && YAMLText.nullWords.contains(scalar.string)
    }
}

extension Findings {
    /// "must be …, not …", with a suggestion if a choice is close.
    mutating func reject(
        _ node: Node, _ path: String, takes: String, advice: (String) -> String? = { _ in nil }
    ) {
        if node.isNull {
            error("\(path) has no value: give it \(takes), or leave the key out", at: node)
            return
        }
        guard let text = node.scalar?.string else {
            error("\(path) must be \(takes), not a \(node.sequence == nil ? "mapping" : "list")", at: node)
            return
        }
        let hint = advice(text).map { "; \($0)" } ?? ""
        error("\(path) must be \(takes), not \(text.quoted)\(hint)", at: node)
    }

    mutating func absorb(_ other: Findings) {
        for problem in other.problems { add(problem.severity, problem.message, at: problem.position) }
    }
}
