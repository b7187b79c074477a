import Yams

/// When a changed key takes effect.
enum KeyChange: Sendable {
    /// At the next start.
    case onRestart
    /// Once the configuration is read again (SIGHUP).
    case onReload
    /// By `ctl set`, too.
    case byCommand
}

/// One key of a section: name, meaning, and the way between YAML and a property of `Root`.
struct Key<Root>: Sendable {
    typealias Read = @Sendable (Node, _ path: String, inout Root, inout Findings) -> Void
    typealias TakeOver = @Sendable (_ new: Root, _ running: inout Root) -> Void
    typealias CopyPart = @Sendable (_ path: ArraySlice<Substring>, _ new: Root, _ running: inout Root) -> Void

    let name: String
    let isRequired: Bool
    let takes: String
    let read: Read
    let isSame: @Sendable (Root, Root) -> Bool
    /// For a section: its keys that take effect only at the next start, and whether those are all of its keys.
    let fixed: (names: [String], isAll: Bool)?
    private let content: @Sendable (Root) -> KeyOutline
    /// The value; for a section, everything in it.
    private let copy: TakeOver
    /// For a section: those of its keys that may change.
    private let copyInside: TakeOver?
    /// For a section: the one key in it that a path names.
    private let copyPart: CopyPart?
    private var change = KeyChange.onRestart

    /// A key that always has a value.
    init<Value: Equatable & Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value> & Sendable, _ codec: Codec<Value>,
        isRequired: Bool = false, _ doc: String
    ) {
        self.init(
            name, isRequired: isRequired, takes: codec.takes,
            read: { node, path, root, findings in
                if let value = codec.read(node, path, &findings) { root[keyPath: property] = value }
            },
            outline: { root in
                KeyOutline(
                    name: name, doc: doc, takes: codec.takes, content: .value(codec.write(root[keyPath: property])),
                    shape: codec.shape, isRequired: isRequired)
            },
            property)
    }

    /// A key that may be left out; the example shows `sample`, switched off.
    init<Value: Equatable & Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>, sample: Value,
        _ doc: String
    ) {
        self.init(
            name, takes: codec.takes,
            read: { node, path, root, findings in
                if let value = codec.read(node, path, &findings) { root[keyPath: property] = value }
            },
            outline: { root in
                let value = root[keyPath: property]
                return KeyOutline(
                    name: name, doc: doc, takes: codec.takes, content: .value(codec.write(value ?? sample)),
                    shape: codec.shape, isOff: value == nil)
            },
            property)
    }

    /// A section that is always there.
    init<Value: Equatable & Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value> & Sendable, in section: Section<Value>, _ doc: String
    ) {
        self.init(
            name,
            read: { node, path, root, findings in
                section.read(node, path, into: &root[keyPath: property], isNew: true, &findings)
            },
            outline: { root in
                let keys = section.outline(root[keyPath: property])
                return KeyOutline(name: name, doc: doc, content: .section(keys), isOff: keys.allSatisfy(\.isOff))
            },
            property, fixed: section.fixed,
            copyInside: { new, running in section.takeOver(new[keyPath: property], into: &running[keyPath: property]) },
            copyPart: { path, new, running in
                section.copy(path, from: new[keyPath: property], into: &running[keyPath: property])
            })
    }

    /// A section that may be left out. A new one starts as `sample`, and gets its required keys from the file.
    init<Value: Equatable & Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value?> & Sendable, in section: Section<Value>,
        sample: Value, _ doc: String
    ) {
        self.init(
            name,
            read: { node, path, root, findings in
                let before = root[keyPath: property]
                var value = before ?? sample
                section.read(node, path, into: &value, isNew: before == nil, &findings)
                root[keyPath: property] = value
            },
            outline: { root in
                let value = root[keyPath: property]
                let outline = KeyOutline(name: name, doc: doc, content: .section(section.outline(value ?? sample)))
                return value == nil ? outline.markedOff() : outline
            },
            property, fixed: section.fixed,
            copyInside: { new, running in
                // A section that is added or removed waits for the next start.
                guard let new = new[keyPath: property], var value = running[keyPath: property] else { return }
                section.takeOver(new, into: &value)
                running[keyPath: property] = value
            },
            copyPart: { path, new, running in
                guard let new = new[keyPath: property], var value = running[keyPath: property] else { return }
                section.copy(path, from: new, into: &value)
                running[keyPath: property] = value
            })
    }

    init<Value: Equatable & Sendable>(
        _ name: String, isRequired: Bool = false, takes: String = "", read: @escaping Read,
        outline: @escaping @Sendable (Root) -> KeyOutline, _ property: WritableKeyPath<Root, Value> & Sendable,
        fixed: (names: [String], isAll: Bool)? = nil, copyInside: TakeOver? = nil, copyPart: CopyPart? = nil
    ) {
        self.name = name
        self.isRequired = isRequired
        self.takes = takes
        self.read = read
        self.fixed = fixed
        self.copyInside = copyInside
        self.copyPart = copyPart
        content = outline
        isSame = { $0[keyPath: property] == $1[keyPath: property] }
        copy = { new, running in running[keyPath: property] = new[keyPath: property] }
    }

    func outline(_ root: Root) -> KeyOutline {
        change == .byCommand ? content(root).markedRuntime() : content(root)
    }

    // MARK: Changes while the station runs

    /// May be changed by `ctl set`, and when the configuration is read again; for a section, this covers everything in it.
    func whileRunning() -> Key { with(.byCommand) }

    /// May change when the configuration is read again; for a section, this covers everything in it.
    func onReload() -> Key { with(.onReload) }

    private func with(_ change: KeyChange) -> Key {
        var copy = self
        copy.change = change
        return copy
    }

    /// Whether part of it takes effect only at the next start.
    var isFixed: Bool { change == .onRestart && fixed?.names.isEmpty != true }

    /// Whether part of it may change.
    var canChange: Bool { change != .onRestart || fixed?.isAll == false }

    /// Takes from `new` what may change while the station runs.
    func takeOver(_ new: Root, into running: inout Root) {
        if change == .onRestart { copyInside?(new, &running) } else { copy(new, &running) }
    }

    /// Takes one value from `new`. `path`: what comes after this key's name; empty for the whole of it.
    func copy(_ path: ArraySlice<Substring>, from new: Root, into running: inout Root) {
        if path.isEmpty { copy(new, &running) } else { copyPart?(path, new, &running) }
    }

    /// What waits for a restart when this key differs: the one key in it that can't change, else the whole section.
    var restartName: String {
        guard let fixed, !fixed.isAll, fixed.names.count == 1 else { return name }
        return "\(name).\(fixed.names[0])"
    }
}
