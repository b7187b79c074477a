import Settings
import Yams

extension StationSchema {
    static let maxOutputs = 16

    /// A list of mappings: the kind with its settings, and beside it `name` and `queue`.
    static let outputs = Key<StationSettings>(
        "outputs", takes: "a list of outputs",
        read: { node, path, settings, findings in
            guard let items = node.sequence else {
                findings.error(
                    "\(path) must be a list with one item for each output, such as \"- stdout: {format: json}\"",
                    at: node)
                return
            }
            guard items.count <= maxOutputs else {
                findings.error("\(path) has \(items.count) items; at most \(maxOutputs) are allowed", at: node)
                return
            }
            var outputs: [OutputDraft] = []
            for (index, item) in items.enumerated() {
                var draft = OutputDraft()
                let path = "\(path)[\(index)]"
                findings.note(path, item: item)
                output.read(item, path, into: &draft, isNew: true, &findings)
                draft.complainUnlessComplete(path, &findings)
                outputs.append(draft)
            }
            settings.outputs = OutputDraft.named(outputs)
        },
        outline: { settings in
            let used = settings.outputs.count
            // Kinds in use as they are, the others as samples.
            let samples = OutputSettings.kinds.filter { $0.key != StandardOutputSettings.key }.map {
                OutputSettings(name: $0.key, kind: $0.sample.kind)
            }
            let items = (settings.outputs + samples).enumerated().map { index, settings in
                // Without the other kinds. What every output takes beside its kind is shown once.
                let keys = output.outline(OutputDraft(settings)).filter { !$0.isOff || (index == 0 && $0.isValue) }
                return index < used ? keys : keys.map { $0.markedOff() }
            }
            return KeyOutline(
                name: "outputs",
                doc: """
                    Where events go. An item is a kind (\(OutputDraft.kindNames)) with its settings; beside it are its \
                    name (default: the kind) and how scans are delivered to it.
                    """,
                content: .items(items))
        }, \.outputs)

    static let output = Section<OutputDraft>([
        kind(serial),
        kind(unix),
        kind(stdout),
        kind(tcp),
        kind(mqtt),
        kind(webhook),
        kind(keyboard),
        kind(file),
        Key(
            "name", \.name, .text("a name", bytes: 1...64), sample: "host", "The output's name, unique in the station."
        ),
        Key(
            "required", \.common.required, .bool, sample: true,
            """
            on: the journal keeps a scan until this output has accepted or refused it. On by default for \
            \(names { $0.isUsuallyRequired }).
            """),
        Key(
            "delivery", \.common.delivery, .word, sample: .durable,
            "durable: every scan, however late. live: only what is younger than maxAge; the default for \(names { $0.usualDelivery == .live })."
        ),
        Key(
            "maxAge", \.common.maxAge, .duration(.milliseconds(100)...(.seconds(86_400))),
            "live: older scans are skipped, on record."),
        Key(
            "secrets", \.common.secrets, .word,
            """
            Passwords and one-time-password secrets: withheld (the whole code that holds one), revealed, or asConfigured \
            (only the parsed payload, unless payloads.revealSecrets is on).
            """),
        Key(
            "queue", \.common.queue, .whole(1...1_000_000),
            "How many events other than scans may wait before the oldest are dropped and counted. Scans wait in the journal."
        ),
    ])

    private static func kind<Kind: OutputKind>(_ section: Section<Kind>) -> Key<OutputDraft> {
        Key(Kind.key, \.[OutputDraft.Of<Kind>()], in: section, sample: Kind.sample, Kind.what)
    }

    private static func names(_ isMeant: (any OutputKind.Type) -> Bool) -> String {
        let names = OutputSettings.kinds.filter(isMeant).map { $0.key }
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
