import Vocabulary

/// What starts and ends sessions, and how often a code may be read.
package struct TriggerSettings: Hashable, Sendable {
    package var mode: TriggerMode = .presentation
    package var button: ButtonSettings?
    /// A session without a scan ends after this with a no-read. Zebra: 0.5–9.9 s, default 9.9.
    package var timeout: Duration = .milliseconds(9900)
    /// `presentation` and `continuous`: how long a code must be out of view before it counts as new. Zebra: 0.5 s.
    package var sameSymbolTimeout: Duration = .milliseconds(500)
    /// `continuous`: interval at which a code that stays is reported again; `nil`: never.
    package var repeatInterval: Duration? = .seconds(1)
    /// The shortest time between two scans, whatever the codes; 0 = none.
    package var gap: Duration = .zero
    /// How many scans end a session (multicode); triggered modes only. 1…64.
    package var maxScans = 1
    /// For this long after a release, frames exposed before it may still answer.
    package var releaseGrace: Duration = .milliseconds(150)
    package var pulseCancels = false
    /// Emit `noRead` events for sessions without a scan.
    package var reportsNoRead = true

    package init() {}
}

/// Which scans wait for a person's confirmation, and for how long.
package struct ConfirmationSettings: Hashable, Sendable {
    package enum Policy: String, CaseIterable, Hashable, Sendable {
        /// Every scan is submitted at once.
        case never
        /// Scans of numeric-only symbologies are submitted at once, others wait for a confirmation.
        case alphanumeric
        case always
    }

    package var policy: Policy = .never
    package var button: ButtonSettings?
    /// Whether `confirm` commands from the control socket count as a source of confirmation.
    package var acceptsCommand = true
    /// A scan that waits longer is dropped, as a no-read with the reason `unconfirmed`.
    package var timeout: Duration = .seconds(10)

    package init() {}
}
