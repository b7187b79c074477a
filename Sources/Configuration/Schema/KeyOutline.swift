/// A key with its value in some settings, ready to be written: by `show`, in the example, in a list of keys.
struct KeyOutline: Sendable {
    indirect enum Content: Sendable {
        /// On one line.
        case value(String)
        case section([KeyOutline])
        /// A list of mappings.
        case items([[KeyOutline]])
    }

    var name: String
    /// What it is for; one paragraph.
    var doc: String
    /// What it takes, as in "must be …"; empty for sections.
    var takes = ""
    var content: Content
    /// For forms; `nil` for sections.
    var shape: ValueShape?
    /// Not set here; the content is a sample.
    var isOff = false
    var isRequired = false
    /// `ctl set` may change it.
    var isRuntime = false

    var isValue: Bool {
        if case .value = content { true } else { false }
    }

    /// This key and those below it that may change at run time: their paths and what they take.
    func runtimeKeys(below path: String = "") -> [RuntimeKey] {
        let path = path.isEmpty ? name : "\(path).\(name)"
        switch content {
        case .section(let keys): return keys.flatMap { $0.runtimeKeys(below: path) }
        case .value, .items: return isRuntime ? [RuntimeKey(path: path, takes: takes)] : []
        }
    }

    /// The same with what a form needs. `standard`: this outline with the defaults; it has the same keys.
    func forms(standard: KeyOutline?, below path: String = "") -> [SettingForm] {
        let path = path.isEmpty ? name : "\(path).\(name)"
        switch content {
        case .section(let keys):
            var others: [KeyOutline] = []
            if case .section(let keys)? = standard?.content { others = keys }
            return keys.flatMap { key in key.forms(standard: others.first { $0.name == key.name }, below: path) }
        case .value(let text):
            guard isRuntime else { return [] }
            var other: String?
            if let standard, !standard.isOff, case .value(let text) = standard.content { other = text }
            return [
                SettingForm(
                    path: path, shape: shape ?? .text, takes: takes, help: doc, value: isOff ? nil : text,
                    standard: other)
            ]
        case .items: return []
        }
    }

    /// For sections: everything in them follows.
    func markedRuntime() -> KeyOutline {
        var copy = self
        copy.isRuntime = true
        if case .section(let keys) = content { copy.content = .section(keys.map { $0.markedRuntime() }) }
        return copy
    }

    /// For a section that isn't there: nothing in it is there either.
    func markedOff() -> KeyOutline {
        var copy = self
        copy.isOff = true
        if case .section(let keys) = content { copy.content = .section(keys.map { $0.markedOff() }) }
        return copy
    }
}
