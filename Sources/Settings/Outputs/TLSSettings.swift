/// Transport encryption of MQTT and webhook outputs.
package struct TLSSettings: Hashable, Sendable {
    /// File with the certificate authorities that are trusted (PEM); `nil`: those of the system.
    package var ca: String?
    /// The client's certificate and key (PEM), for brokers and hosts that ask for one; both or none.
    package var certificate: String?
    package var key: String?
    /// Off accepts any certificate: encryption without knowing who is at the other end.
    package var verify = true

    package init() {}
}
