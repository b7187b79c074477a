import Settings

/// The keys of the configuration file: names, meanings, values, and the settings they fill. Keys are listed only here; parser, example,
/// `show` and the run-time keys all come from it.
///
/// Key names are the property names of `StationSettings`, without `is`; a part's GPIO line stands beside its other keys.
enum StationSchema {
    static let station = Section<StationSettings>(
        [
            Key(
                "name", \.name, .text("a name", bytes: 1...64), sample: "dock-1",
                "The name of this station in every event. Default: the host's name."),
            Key(
                "capture", \.capture, in: capture,
                "The camera. Settings that it doesn't offer are skipped and listed, not refused."),
            Key(
                "torch", \.torch, in: torch, sample: TorchSettings(line: LineSettings(line: "GPIO17")),
                "A white light on a GPIO line, through a transistor or MOSFET."),
            Key(
                "indicators", \.indicators, in: indicators,
                "LEDs. Each is a line (good: GPIO22) or a mapping {line: GPIO22, activeLow: on}."),
            Key(
                "buzzer", \.buzzer, in: buzzer, sample: BuzzerSettings(drive: .line(LineSettings(line: "GPIO18"))),
                "A beeper: an active one on a line, or a passive one on the kernel's PWM. Give either line or pwm."),
            Key(
                "relay", \.relay, in: relay, sample: RelaySettings(line: LineSettings(line: "GPIO26")),
                "A contact that is closed for a moment, for a door or a gate."),
            Key(
                "trigger", \.trigger, in: trigger,
                "What starts and ends a session. A session is one attempt to read a code."),
            Key(
                "confirmation", \.confirmation, in: confirmation,
                "Whether a person must confirm a scan before it counts."),
            Key("reading", \.reading, in: reading, "What is read, and how hard the readers try.").onReload(),
            Key("feedback", \.feedback, in: feedback, "What LEDs and buzzer do."),
            Key("payloads", \.payloads, in: payloads, "What the text of a code means."),
            Key("journal", \.journal, in: journal, "The record of scans on disk, between reading and the outputs."),
            outputs,
            Key("host", \.host, in: host, "The host's own answer to a scan: accepted or refused.").onReload(),
            Key(
                "control", \.control, in: control,
                "The control socket: events out, commands in. It is always there, besides the outputs."),
            Key(
                "console", \.console, in: console,
                "The console: a page that shows what the station sees. It is a program of its own; this is what it may."
            ),
            Key("log", \.log, in: log, "The log, on standard error.").whileRunning(),
        ], calling: ["station": "name", "camera": "capture", "output": "outputs"])

    static let payloads = Section<PayloadSettings>([
        Key(
            "schemes", \.schemes, Codec.urlScheme.list(max: 64),
            "URL schemes of your own that count as URLs, without the colon: [myapp, acme+scan]."),
        Key(
            "revealSecrets", \.revealSecrets, .bool,
            "Shows one-time-password secrets and Wi-Fi passwords in the parsed payload. The text itself is never altered."
        ),
    ])

    static let journal = Section<JournalSettings>([
        Key("storage", \.storage, .word, "memory: for a desk; scans are gone when the process ends."),
        Key(
            "folder", \.folder, .path, sample: "/var/lib/scanstation",
            """
            The folder of journal.db. Default: $STATE_DIRECTORY; for root /var/lib/scanstation; else \
            $XDG_STATE_HOME/scanstation or ~/.local/state/scanstation.
            """),
        Key(
            "maxScans", \.maxScans, .whole(1...100_000_000),
            """
            Older scans are dropped once every required output has answered for them. With this many undelivered scans the \
            station stops accepting.
            """),
        Key("maxBytes", \.maxBytes, .bytes((1 << 20)...(1 << 40)), "The same limit for the size on disk."),
        Key(
            "maxAge", \.maxAge, .duration(.seconds(60)...(.seconds(315_360_000))), sample: .seconds(7_776_000),
            "Answered scans that are older are dropped, if the clock is synchronised."),
        Key(
            "slowCommit", \.slowCommit, .duration(.milliseconds(1)...(.seconds(60))),
            "If a scan takes longer to reach the disk, the station reports slow storage."),
    ])

    static let host = Section<HostSettings>([
        Key(
            "expectsAnswer", \.expectsAnswer, .bool,
            "on: each scan waits for a host's answer; if none comes in time, an event says so."),
        Key(
            "timeout", \.timeout, .duration(.milliseconds(50)...(.seconds(600))),
            "An answer that takes longer doesn't count and never moves the relay."),
        Key("relayOnAccept", \.relayOnAccept, .bool, "An accepting answer pulses the relay."),
        Key(
            "allowList", \.allowList, .path, sample: "/etc/scanstation/allowed.txt",
            "A file with one accepted text per line, for scans that no host answered in time."),
    ])

    static let control = Section<ControlSettings>([
        Key(
            "socket", \.socket, .socketPath, sample: "/run/scanstation/station.sock",
            """
            The socket's path. Default: $RUNTIME_DIRECTORY/station.sock; for root /run/scanstation/station.sock; \
            else $XDG_RUNTIME_DIR/scanstation.sock or /tmp/scanstation-UID/station.sock.
            """),
        Key("mode", \.mode, .fileMode, "Who may use the socket."),
        Key(
            "group", \.group, .text("a group's name", bytes: 1...64), sample: "scanstation",
            "The group that owns the socket. Default: the station's own."),
        Key(
            "maxClients", \.maxClients, .whole(1...1024),
            "How many clients may be connected at once. One more is told so and closed."),
        Key(
            "clientQueue", \.clientQueue, .whole(1...1_000_000),
            "Events that may wait for a client before it is dropped and counted."),
        Key(
            "maxLineBytes", \.maxLineBytes, .bytes(256...(16 << 20)),
            "The longest line that a client may send. A longer one closes the client with an error."),
        Key(
            "secrets", \.secrets, .word,
            """
            What clients see of codes that contain a password or a secret: withheld, asConfigured (text and bytes as they are), \
            or revealed.
            """),
    ])

    static let console = Section<ConsoleSettings>([
        Key("enabled", \.isEnabled, .bool, "off: there is no socket for the console, and a desk starts none."),
        Key(
            "socket", \.socket, .socketPath, sample: "/run/scanstation/console/console.sock",
            "The path of the socket between station and console. Default: console/console.sock beside the control socket."
        ),
        Key(
            "user", \.user, .text("a user's name", bytes: 1...64),
            "The user whose programs may connect to it, besides root and the station's own user."),
        Key(
            "door", \.door, .bool,
            "on: relay, accept and refuse may be given over it, too. Whoever gets into the console then opens the door."
        ),
        Key(
            "address", \.address, .consoleAddress,
            "Where the page listens. auto: this machine and, once the console has a password, the network."),
        Key("port", \.port, .whole(ConsoleSettings.ports), "The page's port."),
        Key(
            "names", \.names, Codec.hostName.list(max: 16),
            "Host names by which the page may be asked for, besides this machine's own and its addresses."),
    ])

    static let log = Section<LogSettings>([
        Key("level", \.level, .word, "The least important level that is still written."),
        Key(
            "maxPerSecond", \.maxPerSecond, .whole(1...10_000),
            "How many lines of one kind are written in a second; the rest is only counted."),
    ])
}
