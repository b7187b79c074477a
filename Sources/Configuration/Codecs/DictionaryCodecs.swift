import Templates
import Vocabulary
import Yams

extension Codec where Value == [Symbology: String] {
    /// `{qr_code: '{text}<LF>'}`.
    static var templates: Codec {
        let takes = "a mapping of symbologies to templates, such as {qr_code: '{text}<LF>'}"
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard let mapping = node.mapping else {
                    findings.reject(node, path, takes: takes)
                    return nil
                }
                var values: Value = [:]
                for (key, item) in mapping {
                    guard let symbology = Codec<Symbology>.symbology.read(key, "the key of \(path)", &findings) else {
                        continue
                    }
                    findings.note("\(path).\(symbology.rawValue)", key: key, value: item)
                    values[symbology] = Codec<String>.template.read(item, "\(path).\(symbology.rawValue)", &findings)
                }
                return values
            },
            write: { values in
                YAMLText.mapping(
                    values.sorted { $0.key.rawValue < $1.key.rawValue }
                        .map { ($0.key.rawValue, YAMLText.string($0.value)) })
            })
    }
}

extension Codec where Value == [String: String] {
    /// The most entries.
    private static var limit: Int { 64 }

    /// `{X-Dock: '1'}`.
    static var texts: Codec {
        let takes = "a mapping of names to texts, at most \(limit)"
        let text = Codec<String>.text("a text", bytes: 0...4096)
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard let mapping = node.mapping, mapping.count <= limit else {
                    findings.reject(node, path, takes: takes)
                    return nil
                }
                var values: Value = [:]
                for (key, item) in mapping {
                    guard let name = key.scalarText, !name.isEmpty else {
                        findings.reject(key, "a key of \(path)", takes: "a name")
                        continue
                    }
                    findings.note("\(path).\(name)", key: key, value: item)
                    values[name] = text.read(item, "\(path).\(name)", &findings)
                }
                return values
            },
            write: { values in
                YAMLText.mapping(
                    values.sorted { $0.key < $1.key }.map { (YAMLText.string($0.key), YAMLText.string($0.value)) })
            })
    }
}

extension Codec where Value == String {
    /// The ASCII name of a control character.
    static var controlName: Codec {
        Codec(
            takes: "the name of a control character, such as TAB", choices: ControlCharacter.allNames,
            parse: { ControlCharacter.byte(named: $0) == nil ? nil : $0 }, write: { $0 })
    }
}
