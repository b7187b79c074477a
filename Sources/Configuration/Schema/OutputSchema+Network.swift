import Settings

/// Outputs over the network.
extension StationSchema {
    private static let waits = Duration.milliseconds(100)...(.seconds(600))

    static let tcp = Section<TCPSettings>([
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
            "commands", \.commands, .bool,
            "json: peers may send commands, not only answers. The connection isn't protected."),
        Key("connectTimeout", \.connectTimeout, .duration(waits), "client: how long connecting may take."),
        Key("maxClients", \.maxClients, .whole(1...1024), "server: how many clients may be connected at once."),
        Key(
            "clientQueue", \.clientQueue, .whole(1...1_000_000),
            "server: events that may wait for a client before it is dropped and counted."),
    ])

    static let tls = Section<TLSSettings>([
        Key(
            "ca", \.ca, .path, sample: "/etc/scanstation/ca.pem",
            "Trusted certificate authorities, PEM. Default: the system's."),
        Key(
            "certificate", \.certificate, .path, sample: "/etc/scanstation/client.pem",
            "The station's own certificate, PEM, for a peer that asks for one."),
        Key("key", \.key, .path, sample: "/etc/scanstation/client.key", "Its key, PEM."),
        Key("verify", \.verify, .bool, "off accepts any certificate."),
    ])

    static let mqtt = Section<MQTTSettings>([
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

    static let webhook = Section<WebhookSettings>([
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
