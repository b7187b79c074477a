import Settings

/// Outputs on this machine.
extension StationSchema {
    static let ackTimes = Duration.milliseconds(10)...(.seconds(60))

    static let serial = Section<SerialSettings>([
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

    static let templateDoc =
        """
        What is written for a scan: fields {text}, {code}, {symbology}, {gtin}, {seq}, {time}, {json} and more, with filters \
        as in {text|trim|upper} or {text|gs:"~"}; <CR>, <LF>, <TAB>, <STX>, <ETX>, <GS> or \\r, \\n, \\t, \\xHH; {{ and << for \
        themselves. docs/templates.md lists them all. Write it in single quotes.
        """
    static let templatesDoc = "Other templates for some symbologies: {qr_code: '{text}<LF>'}."

    /// What termios offers by name.
    static let bauds = [
        1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600,
        1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000,
    ]

    static let unix = Section<UnixSocketSettings>([
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

    static let stdout = Section<StandardOutputSettings>([
        Key("format", \.format, .word, "JSON lines, or one line of text for each scan."),
        Key("scansOnly", \.scansOnly, .bool, "Scans only, or every event."),
    ])

    static let file = Section<FileSettings>([
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

    static let keyboard = Section<KeyboardSettings>([
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
