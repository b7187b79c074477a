/// What starts and ends sessions.
public enum TriggerMode: String, CaseIterable, Hashable, Sendable {
    /// Always looking; every code that appears is one scan; again only after it was out of view for `sameSymbolTimeout`.
    case presentation
    /// A session lasts while the trigger is held, and ends with the first scan.
    case level
    /// A press starts a session; it ends with the first scan, the time-out, or (if `pulseCancels`) a second press.
    case pulse
    /// Always looking; a code that stays is reported again every `repeatInterval`.
    case continuous
    /// Sessions are started and ended by commands only.
    case host
}

public struct TriggerSettings: Hashable, Sendable {
    public var mode: TriggerMode = .presentation
    public var button: ButtonSettings?
    /// A session without a scan ends after this with a no-read. Zebra: 0.5–9.9 s, default 9.9.
    public var timeout: Duration = .milliseconds(9900)
    /// `presentation` and `continuous`: time a code must be out of view before it counts as new. Zebra: 0.5 s.
    public var sameSymbolTimeout: Duration = .milliseconds(500)
    /// `continuous`: interval at which a code that stays is reported again; `nil`: never.
    public var repeatInterval: Duration? = .seconds(1)
    /// Shortest time between two scans of any codes; 0 = none.
    public var gap: Duration = .zero
    /// Scans a session may give before it ends (multicode); triggered modes only. 1…64.
    public var maxScans = 1
    /// After a release, frames exposed before it may still answer for this long.
    public var releaseGrace: Duration = .milliseconds(150)
    public var pulseCancels = false
    /// Observations that agree, for weak symbologies: see `ReadingSettings.agreement`.
    /// Emit `noRead` events for sessions without a scan.
    public var reportsNoRead = true

    public init() {}
}

public struct ConfirmationSettings: Hashable, Sendable {
    public enum Policy: String, CaseIterable, Hashable, Sendable {
        /// Every scan is submitted at once.
        case never
        /// Scans of numeric-only symbologies are submitted at once, others wait for a confirmation.
        case alphanumeric
        case always
    }

    public var policy: Policy = .never
    public var button: ButtonSettings?
    /// Whether `confirm` commands from the control socket count as a source of confirmation.
    public var acceptsCommand = true
    /// A scan that waits longer is dropped, as a no-read with the reason `unconfirmed`.
    public var timeout: Duration = .seconds(10)

    public init() {}
}
