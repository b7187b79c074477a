import Settings

/// The keys of the configuration file: names, meaning, what they take, and the settings they fill. This is the only place
/// where a key is listed; parser, example, `show` and the run-time keys all come from it.
///
/// Key names are the property names of `StationSettings`, without `is`; a part's GPIO line stands beside its other keys.
enum StationSchema {
    static let station = Section<StationSettings>(
        [
            Key(
                "name", \.name, .text("a name", bytes: 1...64), sample: "dock-1",
                "Name of this station in every event. Without it: the host's name."),
            Key(
                "capture", \.capture, in: capture,
                "The camera. What it doesn't offer is skipped and listed, not refused."),
            Key(
                "torch", \.torch, in: torch, sample: TorchSettings(line: LineSettings(line: "GPIO17")),
                "White light on a GPIO line, through a transistor or MOSFET."),
            Key(
                "indicators", \.indicators, in: indicators,
                "LEDs. Each is a line (good: GPIO22) or a mapping {line: GPIO22, activeLow: on}."),
            Key(
                "buzzer", \.buzzer, in: buzzer, sample: BuzzerSettings(drive: .line(LineSettings(line: "GPIO18"))),
                "Beeper: an active one on a line, or a passive one on the kernel's PWM. One of line and pwm."),
            Key(
                "relay", \.relay, in: relay, sample: RelaySettings(line: LineSettings(line: "GPIO26")),
                "A contact that is closed for a moment, for a door or a gate."),
            Key("trigger", \.trigger, in: trigger, "What starts and ends a session, the attempt to read a code."),
            Key(
                "confirmation", \.confirmation, in: confirmation,
                "Whether a person confirms a scan before it is submitted."),
            Key("reading", \.reading, in: reading, "What is read, and how hard the readers try.").onReload(),
            Key("feedback", \.feedback, in: feedback, "What LEDs and buzzer do."),
            Key("payloads", \.payloads, in: payloads, "What the text of a code means."),
            Key("journal", \.journal, in: journal, "The record of scans on disk, between reading and the outputs."),
            outputs,
            Key("host", \.host, in: host, "The host's own answer to a scan: accepted or refused.").onReload(),
            Key(
                "control", \.control, in: control,
                "The control socket: events out, commands in. It is always there, besides the outputs."),
            Key("log", \.log, in: log, "The log, on standard error.").whileRunning(),
        ], calling: ["station": "name", "camera": "capture", "output": "outputs"])

    static let payloads = Section<PayloadSettings>([
        Key(
            "schemes", \.schemes, Codec.urlScheme.list(max: 64),
            "URL schemes of your own that count as URLs, without the colon: [myapp, acme+scan]."),
        Key(
            "revealSecrets", \.revealSecrets, .bool,
            "Show one-time-password secrets and Wi-Fi passwords in the parsed payload. The text itself is never altered."
        ),
    ])

    static let journal = Section<JournalSettings>([
        Key("storage", \.storage, .word, "memory: for a desk; scans end with the process."),
        Key(
            "folder", \.folder, .path, sample: "/var/lib/scanstation",
            """
            Folder of journal.db. Without it: $STATE_DIRECTORY; for root /var/lib/scanstation; else \
            $XDG_STATE_HOME/scanstation or ~/.local/state/scanstation.
            """),
        Key(
            "maxScans", \.maxScans, .whole(1...100_000_000),
            """
            Older scans are dropped once every required output has answered for them. With this many undelivered ones the \
            station stops accepting.
            """),
        Key("maxBytes", \.maxBytes, .bytes((1 << 20)...(1 << 40)), "The same for the size on disk."),
        Key(
            "maxAge", \.maxAge, .duration(.seconds(60)...(.seconds(315_360_000))), sample: .seconds(7_776_000),
            "Answered scans that are older are dropped, while the clock is synchronised."),
        Key(
            "slowCommit", \.slowCommit, .duration(.milliseconds(1)...(.seconds(60))),
            "A scan that takes longer to be on disk is told as slow storage."),
    ])

    static let host = Section<HostSettings>([
        Key(
            "expectsAnswer", \.expectsAnswer, .bool,
            "on: each scan waits for the answer of a host, and none in time is an event of its own."),
        Key(
            "timeout", \.timeout, .duration(.milliseconds(50)...(.seconds(600))),
            "An answer that takes longer counts as none, and never moves the relay."),
        Key("relayOnAccept", \.relayOnAccept, .bool, "An accepting answer pulses the relay."),
        Key(
            "allowList", \.allowList, .path, sample: "/etc/scanstation/allowed.txt",
            "File with one accepted text a line, for scans that no host answered in time."),
    ])

    static let control = Section<ControlSettings>([
        Key(
            "socket", \.socket, .socketPath, sample: "/run/scanstation/station.sock",
            """
            Path of the socket. Without it: $RUNTIME_DIRECTORY/station.sock; for root /run/scanstation/station.sock; \
            else $XDG_RUNTIME_DIR/scanstation.sock or /tmp/scanstation-UID/station.sock.
            """),
        Key("mode", \.mode, .fileMode, "Who may use the socket."),
        Key(
            "group", \.group, .text("a group's name", bytes: 1...64), sample: "scanstation",
            "Group that owns the socket. Without it: the station's own."),
        Key("maxClients", \.maxClients, .whole(1...1024), "Clients at once. One more is told so and closed."),
        Key(
            "clientQueue", \.clientQueue, .whole(1...1_000_000),
            "Events that may wait for a client before it is dropped and counted."),
        Key(
            "maxLineBytes", \.maxLineBytes, .bytes(256...(16 << 20)),
            "Longest command line. A longer one closes the client with an error."),
        Key(
            "secrets", \.secrets, .word,
            """
            What clients see of codes that hold a password or a secret: withheld, asConfigured (text and bytes as they are), \
            or revealed.
            """),
    ])

    static let log = Section<LogSettings>([
        Key("level", \.level, .word, "The least important lines that are still written."),
        Key(
            "maxPerSecond", \.maxPerSecond, .whole(1...10_000),
            "Lines of one kind in a second before the rest is counted instead of written."),
    ])
}
