import ScanCore
import Yams

extension StationSchema {
    static let maxOutputs = 16

    /// A list of mappings: the kind with its settings, and beside it `name` and `queue`.
    static let outputs = Key<StationSettings>(
        "outputs", takes: "a list of outputs",
        read: { node, path, settings, findings in
            guard let items = node.sequence else {
                findings.error(
                    "\(path) must be a list, with one item an output, such as \"- stdout: {format: json}\"", at: node)
                return
            }
            guard items.count <= maxOutputs else {
                findings.error("\(path) has \(items.count) items; at most \(maxOutputs) are taken", at: node)
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
            // Kinds in use as they are; those that aren't, as samples.
            let samples: [OutputSettings] = [
                OutputSettings(name: "serial", kind: .serial(SerialSettings(device: "/dev/serial0"))),
                OutputSettings(
                    name: "unix", kind: .unixSocket(UnixSocketSettings(path: "/run/scanstation/scans.sock"))),
                OutputSettings(name: "tcp", kind: .tcp(TCPSettings(port: 9100))),
                OutputSettings(name: "mqtt", kind: .mqtt(MQTTSettings(host: "homeassistant.local"))),
                OutputSettings(name: "webhook", kind: .webhook(WebhookSettings(url: "https://example.com/scans"))),
                OutputSettings(name: "keyboard", kind: .keyboard(KeyboardSettings())),
                OutputSettings(name: "file", kind: .file(FileSettings(path: "/var/lib/scanstation/scans.ndjson"))),
            ]
            let items = (settings.outputs + samples).enumerated().map { index, settings in
                // Without the other kinds. What any output takes beside its kind is shown once.
                let keys = output.outline(OutputDraft(settings)).filter { !$0.isOff || (index == 0 && $0.isValue) }
                return index < used ? keys : keys.map { $0.markedOff() }
            }
            return KeyOutline(
                name: "outputs",
                doc: """
                    Where events go. An item is a kind (\(OutputDraft.kindNames)) with its settings; beside it stand its \
                    name, which is the kind's if it is left out, and how it is delivered to.
                    """,
                content: .items(items))
        }, \.outputs)

    static let output = Section<OutputDraft>([
        Key(
            "serial", \.serial, in: serial, sample: SerialSettings(device: "/dev/serial0"),
            "A serial device: the Pi's UART, a USB adapter, or a gadget."),
        Key(
            "unix", \.unix, in: unix, sample: UnixSocketSettings(path: "/run/scanstation/scans.sock"),
            "A Unix socket besides the control socket."),
        Key("stdout", \.stdout, in: stdout, sample: StandardOutputSettings(), "Standard output."),
        Key("tcp", \.tcp, in: tcp, sample: TCPSettings(port: 9100), "TCP, as a client or a server."),
        Key("mqtt", \.mqtt, in: mqtt, sample: MQTTSettings(host: "homeassistant.local"), "An MQTT broker."),
        Key(
            "webhook", \.webhook, in: webhook, sample: WebhookSettings(url: "https://example.com/scans"),
            "HTTP POST requests."),
        Key(
            "keyboard", \.keyboard, in: keyboard, sample: KeyboardSettings(),
            "A USB keyboard: scans are typed into the computer that the Pi is plugged into."),
        Key(
            "file", \.file, in: file, sample: FileSettings(path: "/var/lib/scanstation/scans.ndjson"),
            "A file, with rotation."),
        Key(
            "name", \.name, .text("a name", bytes: 1...64), sample: "host", "Name of the output, unique in the station."
        ),
        Key(
            "required", \.common.required, .bool, sample: true,
            """
            on: the journal keeps a scan until this output has accepted or refused it. Usual for serial, tcp, mqtt, \
            webhook and file.
            """),
        Key(
            "delivery", \.common.delivery, .word, sample: .durable,
            "durable: every scan, however late. live: only what is younger than maxAge; usual for keyboard."),
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
            "Events besides scans that may wait before the oldest are dropped and counted. Scans wait in the journal."),
    ])
}
