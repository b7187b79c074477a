/// What a host's answer asks of the relay.
package enum RelayWish: Hashable, Sendable {
    /// As `host.relayOnAccept` says.
    case asConfigured
    /// For the configured length, or this one.
    case pulse(Duration?)
    case none
}
