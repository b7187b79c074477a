import Vocabulary
import Yams

/// A part of the configuration: its keys, in the order in which they are read and written.
struct Section<Value>: Sendable {
    let keys: [Key<Value>]
    /// What people call a key elsewhere: not accepted; the complaint says what to write.
    let others: [String: String]
    /// Reads what isn't a mapping (a short form such as `good: GPIO22`); `false` if it isn't that either.
    let short: (@Sendable (Node, _ path: String, inout Value, inout Findings) -> Bool)?

    init(
        _ keys: [Key<Value>], calling others: [String: String] = [:],
        short: (@Sendable (Node, _ path: String, inout Value, inout Findings) -> Bool)? = nil
    ) {
        self.keys = keys
        self.others = others
        self.short = short
    }

    /// Changes what the node names and leaves the rest of `value` alone. `isNew`: the section wasn't there before, so required keys must be
    /// given.
    func read(_ node: Node, _ path: String, into value: inout Value, isNew: Bool, _ findings: inout Findings) {
        guard let mapping = node.mapping else {
            if node.isNull { return requireKeys(in: [], path, isNew, &findings) }
            if short?(node, path, &value, &findings) == true { return }
            let place = path.isEmpty ? "the file" : path
            findings.error("\(place) must be a mapping with the keys \(names)", at: node)
            return
        }
        var given: [String: Node] = [:]
        var meant: Set<String> = []
        for (key, item) in mapping {
            guard let name = key.scalar?.string else {
                findings.error("a key must be a word", at: key)
                continue
            }
            let full = Self.join(path, name)
            guard keys.contains(where: { $0.name == name }) else {
                // A suggestion takes a while to find; past the problems that are shown nobody would see it.
                let near = findings.isFull ? nil : nearest(to: name)
                if let near { meant.insert(near) }
                findings.error(findings.isFull ? "unknown key" : unknown(full, near, name, path), at: key)
                continue
            }
            findings.note(full, key: key, value: item)
            given[name] = item
        }
        for key in keys {
            guard let item = given[key.name] else { continue }
            key.read(item, Self.join(path, key.name), &value, &findings)
        }
        // A mistyped key counts as given.
        requireKeys(in: meant.union(given.keys), path, isNew, &findings)
    }

    func outline(_ value: Value) -> [KeyOutline] { keys.map { $0.outline(value) } }

    /// Takes from `new` what may change while the station runs.
    func takeOver(_ new: Value, into running: inout Value) {
        for key in keys { key.takeOver(new, into: &running) }
    }

    /// Takes one value from `new`: that of the key whose path this is. A path that names no key changes nothing.
    func copy(_ path: ArraySlice<Substring>, from new: Value, into running: inout Value) {
        keys.first { $0.name == path.first.map(String.init) }?.copy(path.dropFirst(), from: new, into: &running)
    }

    /// The keys that take effect only at the next start, and whether those are all of them.
    var fixed: (names: [String], isAll: Bool) {
        (keys.filter(\.isFixed).map(\.name), !keys.contains(where: \.canChange))
    }

    private func requireKeys(
        in given: Set<String>, _ path: String, _ isNew: Bool, _ findings: inout Findings
    ) {
        guard isNew else { return }
        for key in keys where key.isRequired && !given.contains(key.name) {
            findings.add(.error, "\(path) needs the key \"\(key.name)\": \(key.takes)", atPath: path)
        }
    }

    private func nearest(to name: String) -> String? {
        others[name] ?? Spelling.nearest(to: name, among: keys.map(\.name))
    }

    private func unknown(_ full: String, _ near: String?, _ name: String, _ path: String) -> String {
        let what = "unknown key \(full.quoted)"
        if let near { return "\(what), did you mean \"\(near)\"?" }
        let elsewhere = KeyDirectory.paths(of: name, nearest: path)
        if !elsewhere.isEmpty {
            return "\(what), did you mean \(elsewhere.map { "\"\($0)\"" }.joined(separator: " or "))?"
        }
        return "\(what); \(path.isEmpty ? "the keys here are" : "\(path) takes") \(names)"
    }

    private var names: String { keys.map(\.name).joined(separator: ", ") }

    private static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
