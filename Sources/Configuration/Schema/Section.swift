import ScanCore
import Yams

/// A part of the configuration: its keys, in the order they are read and written.
struct Section<Value>: Sendable {
    let keys: [Key<Value>]
    /// Reads what isn't a mapping (a short form such as `good: GPIO22`); `false` if it isn't that either.
    let short: (@Sendable (Node, _ path: String, inout Value, inout Findings) -> Bool)?

    init(
        _ keys: [Key<Value>],
        short: (@Sendable (Node, _ path: String, inout Value, inout Findings) -> Bool)? = nil
    ) {
        self.keys = keys
        self.short = short
    }

    /// Changes what the node names and leaves the rest of `value`. `isNew`: nothing stood there before, so that required keys
    /// must be given.
    func read(_ node: Node, _ path: String, into value: inout Value, isNew: Bool, _ findings: inout Findings) {
        guard let mapping = node.mapping else {
            if node.isNull { return requireKeys(in: [:], path, node, isNew, &findings) }
            if short?(node, path, &value, &findings) == true { return }
            let place = path.isEmpty ? "the file" : path
            findings.error("\(place) must be a mapping with the keys \(names)", at: node)
            return
        }
        var given: [String: Node] = [:]
        for (key, item) in mapping {
            guard let name = key.scalar?.string else {
                findings.error("a key must be a word", at: key)
                continue
            }
            let full = Self.join(path, name)
            guard keys.contains(where: { $0.name == name }) else {
                // What was meant takes a while to find out; beyond what is shown nobody would see it.
                findings.error(findings.isFull ? "unknown key" : unknown(name, full: full, path), at: key)
                continue
            }
            findings.note(full, key: key, value: item)
            given[name] = item
        }
        for key in keys {
            guard let item = given[key.name] else { continue }
            key.read(item, Self.join(path, key.name), &value, &findings)
        }
        requireKeys(in: given, path, node, isNew, &findings)
    }

    func outline(_ value: Value) -> [KeyOutline] { keys.map { $0.outline(value) } }

    private func requireKeys(
        in given: [String: Node], _ path: String, _ node: Node, _ isNew: Bool, _ findings: inout Findings
    ) {
        guard isNew else { return }
        for key in keys where key.isRequired && given[key.name] == nil {
            findings.add(.error, "\(path) needs the key \"\(key.name)\": \(key.takes)", atPath: path)
        }
    }

    private func unknown(_ name: String, full: String, _ path: String) -> String {
        let what = "unknown key \(Findings.shown(full))"
        if let meant = Spelling.nearest(to: name, among: keys.map(\.name)) {
            return "\(what), did you mean \"\(meant)\"?"
        }
        return "\(what); \(path.isEmpty ? "the keys here are" : "\(path) takes") \(names)"
    }

    private var names: String { keys.map(\.name).joined(separator: ", ") }

    private static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
