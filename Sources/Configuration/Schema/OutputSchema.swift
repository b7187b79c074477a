import Settings
import Yams

extension StationSchema {
    private static let maxOutputs = 16

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

/// Outputs on this machine.
extension StationSchema {
    private static let ackTimes = Duration.milliseconds(10)...(.seconds(60))

    private static let serial = Section<SerialSettings>([
        Key("device", \.device, .path, isRequired: true, "The device. /dev/serial0 is the UART on pins 8 and 10."),
        Key("baud", \.baud, .oneOf(bauds), "Bits a second."),
        Key("dataBits", \.dataBits, .oneOf([7, 8]), "Data bits."),
        Key("parity", \.parity, .word, "Parity."),
        Key("stopBits", \.stopBits, .oneOf([1, 2]), "Stop bits."),
        Key("flowControl", \.flowControl, .word, "Flow control."),
        Key("template", \.format.template, .template, templateDoc),
        Key("templates", \.format.templates, .templates, templatesDoc),
        Key(
            "acknowledgement", \.acknowledgement, .word,
            "ackNak: the host answers each scan with ACK (0x06) or NAK (0x15)."),
        Key("ackTimeout", \.ackTimeout, .duration(ackTimes), "How long an ACK may take."),
        Key("retries", \.retries, .whole(0...10), "How many times a scan is sent again after a NAK or no answer."),
        Key(
            "answerLimit", \.answerLimit, .duration(.milliseconds(10)...(.seconds(600))), sample: .seconds(10),
            "The longest that an answer may take: while one is owed, no other scan is sent. Default: five times ackTimeout."
        ),
    ])

    private static let templateDoc =
        """
        What is written for a scan: fields {text}, {code}, {symbology}, {gtin}, {seq}, {time}, {json} and more, with filters \
        as in {text|trim|upper} or {text|gs:"~"}; <CR>, <LF>, <TAB>, <STX>, <ETX>, <GS> or \\r, \\n, \\t, \\xHH; {{ and << for \
        themselves. docs/templates.md lists them all. Write it in single quotes.
        """
    private static let templatesDoc = "Other templates for some symbologies: {qr_code: '{text}<LF>'}."

    /// What termios offers by name.
    static let bauds = [
        1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600,
        1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000,
    ]

    private static let unix = Section<UnixSocketSettings>([
        Key("path", \.path, .socketPath, isRequired: true, "Path of the socket."),
        Key("mode", \.mode, .fileMode, "Who may use the socket."),
        Key(
            "group", \.group, .text("a group's name", bytes: 1...64), sample: "scanstation",
            "The group that owns the socket. Default: the station's own."),
        Key("maxClients", \.maxClients, .whole(1...1024), "How many clients may be connected at once."),
        Key(
            "clientQueue", \.clientQueue, .whole(1...1_000_000),
            "Events that may wait for a client before it is dropped and counted."),
        Key(
            "receipt", \.receipt, .word,
            "written: a scan is settled once it was handed to all connected clients. ack: once one of them has sent its ack."
        ),
        Key("ackTimeout", \.ackTimeout, .duration(ackTimes), "ack: the scan is sent again after this time."),
    ])

    private static let stdout = Section<StandardOutputSettings>([
        Key("format", \.format, .word, "JSON lines, or one line of text for each scan."),
        Key("scansOnly", \.scansOnly, .bool, "Scans only, or every event."),
    ])

    private static let file = Section<FileSettings>([
        Key("path", \.path, .path, isRequired: true, "The file."),
        Key("lines", \.lines, .word, "json: events as NDJSON. template: what the template makes of a scan."),
        Key("template", \.format.template, .template, templateDoc),
        Key("templates", \.format.templates, .templates, templatesDoc),
        Key("scansOnly", \.scansOnly, .bool, "json: scans only, or every event."),
        Key(
            "rotateBytes", \.rotateBytes, .bytes(4096...(1 << 40)),
            "The file is renamed to PATH.1 before it grows beyond this."),
        Key("rotateKeep", \.rotateKeep, .whole(0...1000), "How many of these older files are kept."),
        Key("mode", \.mode, .fileMode, "Permissions of a new file."),
        Key("sync", \.sync, .bool, "on: a scan counts as accepted once it is on disk. off: once it is written."),
    ])

    private static let keyboard = Section<KeyboardSettings>([
        Key("device", \.device, .path, "The HID gadget that `hid-gadget setup` makes."),
        Key("layout", \.layout, .word, "The computer's keyboard layout. What it can't type is refused."),
        Key("host", \.host, .word, "The computer's system: dead keys such as ^ differ."),
        Key("template", \.format.template, .template, "What is typed: <CR> is Enter, <TAB> is Tab. " + templateDoc),
        Key("templates", \.format.templates, .templates, templatesDoc),
        Key("gs", \.gs, .word, "The GS in GS1 data: refuse the scan, skip it, or type Ctrl+]."),
        Key("controls", \.controls, .word, "Other control characters in the data: refuse the scan, or skip them."),
        Key(
            "allowControls", \.allowControls, Codec<String>.controlName.list(max: 32),
            "Control characters in the data that are typed: [TAB, CR, LF]."),
        Key(
            "keyInterval", \.keyInterval, .duration(.milliseconds(1)...(.seconds(1))),
            "Pause between two key events, so that a slow host loses none."),
    ])
}

/// Outputs over the network.
extension StationSchema {
    private static let waits = Duration.milliseconds(100)...(.seconds(600))

    private static let tcp = Section<TCPSettings>([
        Key("port", \.port, .whole(1...65_535), isRequired: true, "The port."),
        Key("role", \.role, .word, "client: connects to host. server: listens on host, an address of this machine."),
        Key(
            "host", \.host, .text("a name or address", bytes: 1...255),
            "The host to connect to, or the address to listen on: 0.0.0.0 for everybody. The connection isn't encrypted."
        ),
        Key("lines", \.lines, .word, "json: events as NDJSON. template: what the template makes of a scan."),
        Key("template", \.format.template, .template, templateDoc),
        Key("templates", \.format.templates, .templates, templatesDoc),
        Key("scansOnly", \.scansOnly, .bool, "json: scans only, or every event."),
        Key(
            "receipt", \.receipt, .word,
            """
            written: a scan is settled once it is handed over. ack: once the peer has answered, with ack, accept or refuse \
            in JSON, or with the byte ACK or NAK after a template.
            """),
        Key("ackTimeout", \.ackTimeout, .duration(ackTimes), "ack: the scan is sent again after this time."),
        Key(
            "answerLimit", \.answerLimit, .duration(.milliseconds(10)...(.seconds(600))), sample: .seconds(10),
            """
            ack with a template: an answer that is owed on a connection that has ended may come on the next, as behind a serial \
            device server. So long another scan waits there for the host's silence. Default: twice ackTimeout, at least 10 s.
            """),
        Key(
            "commands", \.commands, .bool,
            "json: peers may send commands, not only answers. The connection isn't protected."),
        Key("connectTimeout", \.connectTimeout, .duration(waits), "client: how long connecting may take."),
        Key("maxClients", \.maxClients, .whole(1...1024), "server: how many clients may be connected at once."),
        Key(
            "clientQueue", \.clientQueue, .whole(1...1_000_000),
            "server: events that may wait for a client before it is dropped and counted."),
    ])

    private static let tls = Section<TLSSettings>([
        Key(
            "ca", \.ca, .path, sample: "/etc/scanstation/ca.pem",
            "Trusted certificate authorities, PEM. Default: the system's."),
        Key(
            "certificate", \.certificate, .path, sample: "/etc/scanstation/client.pem",
            "The station's own certificate, PEM, for a peer that asks for one."),
        Key("key", \.key, .path, sample: "/etc/scanstation/client.key", "Its key, PEM."),
        Key("verify", \.verify, .bool, "off accepts any certificate."),
    ])

    private static let mqtt = Section<MQTTSettings>([
        Key("host", \.host, .text("a name or address", bytes: 1...255), isRequired: true, "The broker."),
        Key("port", \.port, .whole(1...65_535), sample: 1883, "Its port. Default: 1883, with TLS 8883."),
        Key(
            "clientID", \.clientID, .text("a client id", bytes: 1...64), sample: "scanstation-dock-1",
            "Default: scanstation-NAME."),
        Key(
            "username", \.username, .text("a name", bytes: 1...255), sample: "scanstation",
            "The user name at the broker."),
        Key(
            "passwordFile", \.passwordFile, .path, sample: "/etc/scanstation/mqtt-password",
            "The file that has the password in its first line."),
        Key(
            "passwordCredential", \.passwordCredential, .text("a credential's name", bytes: 1...255),
            sample: "mqtt-password", "Instead of the file: a systemd credential (LoadCredential=)."),
        Key("tls", \.tls, in: tls, sample: TLSSettings(), "Encryption. It is on when this key is there, even empty."),
        Key(
            "topic", \.topic, .text("a topic", bytes: 1...255),
            "What the station's topics begin with; {station} is its name."),
        Key(
            "keepAlive", \.keepAlive, .duration(.seconds(5)...(.seconds(3600))),
            "After this time the broker notices that the station is gone."
        ),
        Key("inFlight", \.inFlight, .whole(1...1000), "How many scans may be under way to the broker at once."),
        Key("commands", \.commands, .bool, "Obeys the topics torch/set, trigger and answer."),
        Key("discovery", \.discovery, .bool, "Announces the station to Home Assistant."),
        Key(
            "discoveryPrefix", \.discoveryPrefix, .text("a topic", bytes: 1...255),
            "Home Assistant's discovery topic."),
    ])

    private static let webhook = Section<WebhookSettings>([
        Key("url", \.url, .text("a URL", bytes: 8...2048), isRequired: true, "https:// or http://."),
        Key("headers", \.headers, .texts, "More request headers: {X-Dock: '1'}."),
        Key(
            "tokenFile", \.tokenFile, .path, sample: "/etc/scanstation/webhook-token",
            "The file that has a bearer token in its first line."),
        Key(
            "tokenCredential", \.tokenCredential, .text("a credential's name", bytes: 1...255),
            sample: "webhook-token", "Instead of the file: a systemd credential."),
        Key(
            "hmacKeyFile", \.hmacKeyFile, .path, sample: "/etc/scanstation/webhook-key",
            "The file with the key that signs requests (X-ScanStation-Signature)."),
        Key(
            "hmacKeyCredential", \.hmacKeyCredential, .text("a credential's name", bytes: 1...255),
            sample: "webhook-key", "Instead of the file: a systemd credential."),
        Key("tls", \.tls, in: tls, sample: TLSSettings(), "Certificates, where the system's aren't enough."),
        Key("batch", \.batch, .whole(1...1000), "Scans in one request; above 1 its body is a JSON array."),
        Key("timeout", \.timeout, .duration(waits), "The longest that a whole request may take."),
        Key(
            "answers", \.answers, .bool,
            "The body of a 2xx answer may answer for the host: {\"accept\": false, \"reason\": \"unknown\"}."),
        Key("maxAnswerBytes", \.maxAnswerBytes, .bytes(0...(1 << 20)), "An answer's body beyond this is not read."),
    ])
}
