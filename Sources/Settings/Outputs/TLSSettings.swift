/// Transport encryption of MQTT and webhook outputs.
package struct TLSSettings: Hashable, Sendable {
    /// File with the trusted certificate authorities (PEM); `nil`: the system's.
    package var ca: String?
    /// The client's certificate and key (PEM), for brokers and hosts that ask for one; both or none.
    package var certificate: String?
    package var key: String?
    /// Off accepts any certificate: the connection is encrypted, but nobody knows who is at the other end.
    package var verify = true

    package init() {}

    /// With their keys below the output's own.
    var files: [OutputFile] {
        [
            OutputFile("tls.ca", ca, .read), OutputFile("tls.certificate", certificate, .read),
            OutputFile("tls.key", key, .secret),
        ].compactMap { $0 }
    }
}
