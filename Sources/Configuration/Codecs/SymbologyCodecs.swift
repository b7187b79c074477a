import Settings
import Vocabulary
import Yams

extension Codec where Value == SymbologySettings? {
    /// `on`, `off`, or a mapping of rules on top of the symbology's standard ones.
    static func rules(of symbology: Symbology) -> Codec {
        let standard = SymbologySettings.standard(for: symbology)
        let takes = "on, off, or a mapping of rules"
        let words = Codec<Bool>.bool
        return Codec(
            takes: takes,
            read: { node, path, findings in
                guard node.mapping != nil else {
                    var trial = Findings(file: nil)
                    if let isOn = words.read(node, path, &trial) { return .some(isOn ? standard : nil) }
                    findings.reject(node, path, takes: takes, advice: words.advice)
                    return nil
                }
                var rules = standard
                StationSchema.symbologyRules.read(node, path, into: &rules, isNew: true, &findings)
                return .some(rules)
            },
            write: { rules in
                guard let rules else { return "off" }
                return rules == standard ? "on" : StationSchema.symbologyRules.flow(rules)
            })
    }
}

extension Codec where Value == Symbology {
    static var symbology: Codec {
        let words = Symbology.allCases.map(\.rawValue).sorted()
        return Codec(
            takes: "a symbology (\(words.joined(separator: ", ")))", choices: words,
            parse: { Symbology(rawValue: $0) }, write: \.rawValue)
    }
}
