/// Everything a station can be told, as typed values. `Configuration` fills it from YAML; key names there are the property
/// names here. The defaults are a working station that claims no GPIO line.
package struct StationSettings: Hashable, Sendable {
    /// Name of this station on the wire. Default: the host name.
    package var name: String?
    package var capture = CaptureSettings()
    package var torch: TorchSettings?
    /// LEDs by role.
    package var indicators = IndicatorSettings()
    package var buzzer: BuzzerSettings?
    package var relay: RelaySettings?
    package var trigger = TriggerSettings()
    package var confirmation = ConfirmationSettings()
    package var reading = ReadingSettings()
    package var feedback = FeedbackSettings()
    package var payloads = PayloadSettings()
    package var journal = JournalSettings()
    package var host = HostSettings()
    package var outputs: [OutputSettings] = [
        OutputSettings(name: "stdout", kind: .standardOutput(StandardOutputSettings()))
    ]
    package var control = ControlSettings()
    package var console = ConsoleSettings()
    package var log = LogSettings()

    package init() {}
}

/// The control socket: events out, commands in. It is an output (`unix`) of its own that is always there.
package struct ControlSettings: Hashable, Sendable {
    /// Path of the Unix socket. Default: `$RUNTIME_DIRECTORY/station.sock`, else `/run/scanstation/station.sock` for root,
    /// else `$XDG_RUNTIME_DIR/scanstation.sock`, else `/tmp/scanstation-UID/station.sock`.
    package var socket: String?
    /// File mode, octal in YAML.
    package var mode: UInt32 = 0o660
    /// Group that owns the socket; `nil` keeps the process's.
    package var group: String?
    /// Clients served at once; one more is told so and closed.
    package var maxClients = 32
    /// Events waiting for one client before it is dropped and counted.
    package var clientQueue = 1024
    /// A line longer than this closes the client with an error.
    package var maxLineBytes = 65_536
    /// What clients see of codes with passwords. Clients may do more than read: the socket's mode says who they are.
    package var secrets: SecretPolicy = .asConfigured

    package init() {}
}

/// What goes into the station's log.
package struct LogSettings: Hashable, Sendable {
    package enum Level: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    package var level: Level = .info
    /// Lines of one kind per second before the rest is counted instead of written.
    package var maxPerSecond = 20

    package init() {}
}

/// How the meaning of a code's text is shown.
package struct PayloadSettings: Hashable, Sendable {
    /// Custom URL schemes that become `url` payloads with `custom: true`, without the colon.
    package var schemes: [String] = []
    /// Shows one-time-password secrets and Wi-Fi passwords in the parsed payload. The text itself is never altered here.
    package var revealSecrets = false

    package init() {}
}
