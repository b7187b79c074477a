/// Everything a station can be told, as typed values. `Configuration` fills it from YAML; key names there are the property
/// names here. The defaults are a working station that claims no GPIO line.
public struct StationSettings: Hashable, Sendable {
    /// Name of this station on the wire. Default: the host name.
    public var name: String?
    public var capture = CaptureSettings()
    public var torch: TorchSettings?
    /// LEDs by role.
    public var indicators = IndicatorSettings()
    public var buzzer: BuzzerSettings?
    public var relay: RelaySettings?
    public var trigger = TriggerSettings()
    public var confirmation = ConfirmationSettings()
    public var reading = ReadingSettings()
    public var feedback = FeedbackSettings()
    public var payloads = PayloadSettings()
    public var journal = JournalSettings()
    public var host = HostSettings()
    public var outputs: [OutputSettings] = [
        OutputSettings(name: "stdout", kind: .standardOutput(StandardOutputSettings()))
    ]
    public var control = ControlSettings()
    public var log = LogSettings()

    public init() {}
}

/// The control socket: events out, commands in. It is an output (`unix`) of its own that is always there.
public struct ControlSettings: Hashable, Sendable {
    /// Path of the Unix socket. Default: `$RUNTIME_DIRECTORY/station.sock`, else `/run/scanstation/station.sock` for root,
    /// else `$XDG_RUNTIME_DIR/scanstation.sock`, else `/tmp/scanstation-UID/station.sock`.
    public var socket: String?
    /// File mode, octal in YAML.
    public var mode: UInt32 = 0o660
    /// Group that owns the socket; `nil` keeps the process's.
    public var group: String?
    /// Clients served at once; a further one is told so and closed.
    public var maxClients = 32
    /// Events waiting for one client before it is dropped and counted.
    public var clientQueue = 1024
    /// A command line longer than this closes the client with an error.
    public var maxLineBytes = 65_536
    /// What clients get to see of codes with passwords. They may do more than read: the socket's mode says who they are.
    public var secrets: SecretPolicy = .asConfigured

    public init() {}
}

public struct LogSettings: Hashable, Sendable {
    public enum Level: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    public var level: Level = .info
    /// Lines of one kind per second before the rest is counted instead of written.
    public var maxPerSecond = 20

    public init() {}
}

public struct PayloadSettings: Hashable, Sendable {
    /// Custom URL schemes that become `url` payloads with `custom: true`, without the colon.
    public var schemes: [String] = []
    /// Show one-time-password secrets and Wi-Fi passwords in the parsed payload. The text itself is never altered here.
    public var revealSecrets = false

    public init() {}
}
