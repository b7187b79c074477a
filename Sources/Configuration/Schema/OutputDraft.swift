import Settings

/// An output being read from YAML, where each kind is a key, one of them is given, and the name may be missing.
struct OutputDraft: Sendable {
    private var given: [String: any OutputKind] = [:]
    var name: String?
    /// What all kinds have in common; its name and kind mean nothing here.
    var common = OutputSettings(name: "", kind: .standardOutput(StandardOutputSettings()))

    /// For key paths, because a type can't be part of one.
    struct Of<Kind: OutputKind>: Hashable, Sendable {}

    /// What is given below the kind's key.
    subscript<Kind: OutputKind>(_: Of<Kind>) -> Kind? {
        get { given[Kind.key] as? Kind }
        set { given[Kind.key] = newValue }
    }

    init() {}

    init(_ output: OutputSettings) {
        name = output.name
        common = output
        let settings = output.kind.settings
        given[type(of: settings).key] = settings
    }

    static let kindNames: String = {
        let names = OutputSettings.kinds.map { $0.key }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }()

    private var kinds: [any OutputKind] { OutputSettings.kinds.compactMap { given[$0.key] } }

    func complainUnlessComplete(_ path: String, _ findings: inout Findings) {
        switch kinds.count {
        case 0: findings.add(.error, "\(path) needs a kind: \(Self.kindNames)", atPath: path)
        case 1: break
        default:
            let names = kinds.map { type(of: $0).key }.joined(separator: " and ")
            findings.add(.error, "\(path) has \(names): make them two items of the list", atPath: path)
        }
    }

    /// As settings; none if one is incomplete, so that places in the list stay right. An output without a name gets its kind's name, with
    /// `-2`, `-3`… if it is taken.
    static func named(_ drafts: [OutputDraft]) -> [OutputSettings] {
        guard drafts.allSatisfy({ $0.kinds.count == 1 }) else { return [] }
        var taken = Set(drafts.compactMap(\.name))
        return drafts.compactMap { draft in
            guard let settings = draft.kinds.first else { return nil }
            let kindName = type(of: settings).key
            var name = draft.name ?? kindName
            var number = 2
            while draft.name == nil, taken.contains(name) {
                name = "\(kindName)-\(number)"
                number += 1
            }
            taken.insert(name)
            var output = draft.common
            output.name = name
            output.kind = settings.kind
            return output
        }
    }
}
