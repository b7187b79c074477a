/// What starts and ends sessions.
package enum TriggerMode: String, CaseIterable, Hashable, Sendable {
    /// Always looking; every code that appears is one scan, and another only after it was out of view for `sameSymbolTimeout`.
    case presentation
    /// A session lasts while the trigger is held, and ends with its last scan (`maxScans`).
    case level
    /// A press starts a session; it ends with its last scan (`maxScans`), the time-out, or (if `pulseCancels`) a second press.
    case pulse
    /// Always looking; a code that stays is reported again every `repeatInterval`.
    case continuous
    /// Only commands start and end sessions.
    case host
}
