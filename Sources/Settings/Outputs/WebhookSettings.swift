/// Scans as HTTP POST requests. A 2xx answer accepts, a 4xx refuses (but 408, 425 and 429 ask for another try, and 401, 403 and 407 for
/// other credentials), everything else is tried again. Redirects aren't followed, and proxies from the environment aren't used.
package struct WebhookSettings: Hashable, Sendable {
    /// `https://…` or `http://…`.
    package var url: String
    /// More request headers, at most 64. Secrets belong in `tokenFile`.
    package var headers: [String: String] = [:]
    /// The file with a bearer token in its first line, or the name of a systemd credential.
    package var tokenFile: String?
    package var tokenCredential: String?
    /// The file with the key of the signature header (its whole content without a final line feed), or a systemd credential. Each
    /// request carries `X-ScanStation-Signature: t=SECONDS,v1=HEX`, HEX being HMAC-SHA256 of `SECONDS.BODY`.
    package var hmacKeyFile: String?
    package var hmacKeyCredential: String?
    package var tls: TLSSettings?
    /// Scans in one request, 1…1000. 1: the body is one event; more: a JSON array of events, which one answer settles as a
    /// whole, unless its body tells them apart: `{"results":[{"id":…,"accept":false,"reason":…}]}`.
    package var batch = 1
    /// For the whole request, from connecting to the last byte of the answer.
    package var timeout: Duration = .seconds(10)
    /// Whether the body of a 2xx answer may answer for the host: `{"accept":true,"relay":"500ms"}`,
    /// `{"accept":false,"reason":…}`. `relay`: true, false or a time; without it as `host.relayOnAccept` says.
    package var answers = false
    /// An answer's body beyond this is not read.
    package var maxAnswerBytes = 65_536

    package init(url: String) { self.url = url }
}

extension WebhookSettings: OutputKind {
    package static let key = "webhook"
    package static let receiverAdvice = "check the URL, the server's log and the network"
    package static let sample = WebhookSettings(url: "https://example.com/scans")
    package static let what = "HTTP POST requests."
    package static let starter = """
        - webhook:
            url: https://stock.example/scans
        """
    package static let isUsuallyRequired = true
    package var kind: OutputSettings.Kind { .webhook(self) }
    /// Without its path and query: those of many services are as good as a password.
    package var place: String? { Self.place(of: url) }

    /// `https://host:port` of a URL; `nil`: it has no host.
    package static func place(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        return "\(url[..<scheme.upperBound])\(authority.split(separator: "@").last ?? "")"
    }
    package var files: [OutputFile] {
        [OutputFile("tokenFile", tokenFile, .secret), OutputFile("hmacKeyFile", hmacKeyFile, .secret)].compactMap { $0 }
            + (tls?.files ?? [])
    }
    package var transportSecurity: TLSSettings? { tls }
}
