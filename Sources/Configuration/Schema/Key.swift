import Yams

/// One key of a section: name, meaning, and the way between YAML and a property of `Root`.
struct Key<Root>: Sendable {
    let name: String
    let isRequired: Bool
    let takes: String
    let read: @Sendable (Node, _ path: String, inout Root, inout Findings) -> Void
    let outline: @Sendable (Root) -> KeyOutline

    /// A value that always has one.
    init<Value>(
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
                    isOff: false, isRequired: isRequired, isRuntime: false)
            })
    }

    /// A value that may be left out; the example shows `sample`, switched off.
    init<Value: Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value?> & Sendable, _ codec: Codec<Value>, sample: Value,
        _ doc: String
    ) {
        self.init(
            name, isRequired: false, takes: codec.takes,
            read: { node, path, root, findings in
                if let value = codec.read(node, path, &findings) { root[keyPath: property] = value }
            },
            outline: { root in
                let value = root[keyPath: property]
                return KeyOutline(
                    name: name, doc: doc, takes: codec.takes, content: .value(codec.write(value ?? sample)),
                    isOff: value == nil, isRequired: false, isRuntime: false)
            })
    }

    /// A section that is always there.
    init<Value>(
        _ name: String, _ property: WritableKeyPath<Root, Value> & Sendable, in section: Section<Value>, _ doc: String
    ) {
        self.init(
            name, isRequired: false, takes: "",
            read: { node, path, root, findings in
                section.read(node, path, into: &root[keyPath: property], isNew: true, &findings)
            },
            outline: { root in
                let keys = section.outline(root[keyPath: property])
                return KeyOutline(
                    name: name, doc: doc, takes: "", content: .section(keys), isOff: keys.allSatisfy(\.isOff),
                    isRequired: false, isRuntime: false)
            })
    }

    /// A section that may be left out. A new one starts as `sample`, and gets its required keys from the file.
    init<Value: Sendable>(
        _ name: String, _ property: WritableKeyPath<Root, Value?> & Sendable, in section: Section<Value>,
        sample: Value, _ doc: String
    ) {
        self.init(
            name, isRequired: false, takes: "",
            read: { node, path, root, findings in
                let before = root[keyPath: property]
                var value = before ?? sample
                section.read(node, path, into: &value, isNew: before == nil, &findings)
                root[keyPath: property] = value
            },
            outline: { root in
                let value = root[keyPath: property]
                let keys = section.outline(value ?? sample)
                let outline = KeyOutline(
                    name: name, doc: doc, takes: "", content: .section(keys), isOff: false, isRequired: false,
                    isRuntime: false)
                return value == nil ? outline.markedOff() : outline
            })
    }

    init(
        _ name: String, isRequired: Bool, takes: String,
        read: @escaping @Sendable (Node, String, inout Root, inout Findings) -> Void,
        outline: @escaping @Sendable (Root) -> KeyOutline
    ) {
        self.name = name
        self.isRequired = isRequired
        self.takes = takes
        self.read = read
        self.outline = outline
    }

    /// May be changed by `ctl set`; a section with all that is in it.
    func whileRunning() -> Key {
        let outline = outline
        return Key(
            name, isRequired: isRequired, takes: takes, read: read, outline: { outline($0).markedRuntime() })
    }
}
