/// What a host's answer wants the relay to do.
package enum RelayWish: Hashable, Sendable {
    /// As `host.relayOnAccept` says.
    case asConfigured
    /// For the configured length, or this one.
    case pulse(Duration?)
    case none
}
