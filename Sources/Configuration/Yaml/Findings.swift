import Vocabulary
import Yams

/// What reading a configuration brings to light: problems, and where each key is.
struct Findings {
    /// A file of nonsense shouldn't fill the screen.
    static let maxProblems = 100

    let file: String?
    private(set) var problems: [ConfigurationProblem] = []
    /// Key paths that were given (`torch.line`, `outputs[1].serial`) and where.
    private(set) var places: [String: ConfigurationProblem.Position] = [:]

    private var overruled: Set<String> = []

    /// Further problems are counted and not shown.
    var isFull: Bool { problems.count > Self.maxProblems }

    init(file: String?) { self.file = file }

    mutating func note(_ path: String, key: Node, value: Node) {
        // A value on its key's line is the better place to point at; a block starts a line too low.
        let keyPosition = Self.position(key)
        let valuePosition = Self.position(value)
        places[path] = keyPosition?.line == valuePosition?.line && value.scalarText != nil ? valuePosition : keyPosition
    }

    mutating func note(_ path: String, item: Node) { places[path] = Self.position(item) }

    mutating func error(_ message: String, at node: Node?) {
        add(.error, message, at: node.flatMap(Self.position))
    }

    mutating func add(_ severity: ConfigurationProblem.Severity, _ message: String, at place: Position?) {
        problems.append(ConfigurationProblem(severity, file: file, position: place, message: message))
    }

    /// Reports at the key with this path or, if it wasn't given, at the closest section around it that was.
    mutating func add(_ severity: ConfigurationProblem.Severity, _ message: String, atPath path: String) {
        guard !overruled.contains(path) else {
            problems.append(ConfigurationProblem(severity, file: nil, position: nil, message: message))
            return
        }
        var path = Substring(path)
        while places[String(path)] == nil, let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) {
            path = path[..<end]
        }
        add(severity, message, at: places[String(path)])
    }

    /// Nothing more is reported at this key or around it.
    mutating func overrule(_ path: String) { overruled.insert(path) }

    func has(_ path: String) -> Bool { places[path] != nil }

    /// Also by a short form around it (`good: GPIO22` gives `good.line`).
    func gives(_ path: String) -> Bool {
        guard !has(path) else { return true }
        guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return false }
        let around = String(path[..<end])
        return gives(around) && !places.keys.contains { $0.hasPrefix(around + ".") || $0.hasPrefix(around + "[") }
    }

    /// At this key or around it.
    func isOverruled(_ path: String) -> Bool {
        overruled.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
    }

    /// In the order of the file; problems without a place come first.
    func sorted(_ severity: ConfigurationProblem.Severity) -> [ConfigurationProblem] {
        // `sorted` isn't promised to be stable: the index keeps problems of one place in the order they were found.
        let found = problems.enumerated().filter { $0.element.severity == severity }.sorted {
            let (a, b) = ($0.element.position ?? .start, $1.element.position ?? .start)
            return a == b ? $0.offset < $1.offset : a < b
        }.map(\.element)
        guard found.count > Self.maxProblems else { return found }
        let rest = ConfigurationProblem(
            severity, file: file, position: nil, message: "\(found.count - Self.maxProblems) more are not shown")
        return found.prefix(Self.maxProblems) + [rest]
    }

    typealias Position = ConfigurationProblem.Position

    static func position(_ node: Node) -> Position? {
        node.mark.map { Position(line: $0.line, column: $0.column) }
    }
}

extension ConfigurationProblem.Position {
    fileprivate static let start = Self(line: 0, column: 0)
}
