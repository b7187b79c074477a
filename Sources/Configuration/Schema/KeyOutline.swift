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

    /// The values that are set, of this key and of those below it that may change at run time, by path.
    func collectRuntimeValues(below path: String = "", into values: inout [String: String]) {
        let path = path.isEmpty ? name : "\(path).\(name)"
        switch content {
        case .section(let keys): for key in keys { key.collectRuntimeValues(below: path, into: &values) }
        case .value(let text) where isRuntime && !isOff: values[path] = text
        case .value, .items: break
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
