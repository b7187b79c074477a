/// Transport encryption of MQTT and webhook outputs.
public struct TLSSettings: Hashable, Sendable {
    /// File with the certificate authorities that are trusted (PEM); `nil`: those of the system.
    public var ca: String?
    /// The client's certificate and key (PEM), for brokers and hosts that ask for one; both or none.
    public var certificate: String?
    public var key: String?
    /// Off accepts any certificate: encryption without knowing who is at the other end.
    public var verify = true

    public init() {}
}
