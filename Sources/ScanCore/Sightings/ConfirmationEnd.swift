/// How a wait for a confirmation ended. Raw values are the names on the wire.
package enum ConfirmationEnd: String, CaseIterable, Hashable, Sendable {
    case confirmed
    /// The person said no.
    case refused
    /// Nobody answered within `confirmation.timeout`.
    case timedOut
    /// A code that came into view afterwards took its place.
    case replaced
    /// What it belonged to ended first: its session, or scanning altogether.
    case withdrawn
}
