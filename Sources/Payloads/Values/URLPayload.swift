/// A link: `http`, `https`, `ftp`, a custom scheme of the settings, or a text that starts with `www.`.
package struct URLPayload: Hashable, Sendable {
    /// The link as text, with `http://` put in front if the text started with `www.`, and `(redacted)` in place of a `credential`.
    package var url: String
    /// The password, or the token, before the host.
    package var credential: Secret?
    /// Its offset in `url`, in UTF-8.
    private var credentialOffset = 0
    /// Lower case, without the colon.
    package var scheme: String
    /// Host without user information and port, lower case; `nil` if the scheme has none.
    package var host: String?
    /// The scheme is one of `PayloadSettings.schemes`.
    package var isCustom: Bool
    /// What the path and query say if the link is a GS1 Digital Link URI.
    package var gs1: GS1Payload?
    package var problems: [String]

    package init(
        url: String, scheme: String, host: String? = nil, isCustom: Bool = false, gs1: GS1Payload? = nil,
        problems: [String] = []
    ) {
        self.url = url
        self.scheme = scheme
        self.host = host
        self.isCustom = isCustom
        self.gs1 = gs1
        self.problems = problems
    }

    /// Removes the secret from the link. `offset`: where it is, in UTF-8.
    mutating func hide(_ secret: Secret, at offset: Int) {
        let bytes = Array(url.utf8)
        let end = offset + secret.reveal().utf8.count
        guard offset >= 0, end <= bytes.count else { return }
        credential = secret
        credentialOffset = offset
        url = String(decoding: bytes[..<offset] + Array(Secret.redacted.utf8) + bytes[end...], as: UTF8.self)
    }

    /// The link with `text` in place of the credential.
    package func url(showing text: String) -> String {
        guard credential != nil else { return url }
        let bytes = Array(url.utf8)
        var whole = Array(bytes[..<credentialOffset])
        whole += text.utf8
        whole += bytes.dropFirst(credentialOffset + Secret.redacted.utf8.count)
        return String(decoding: whole, as: UTF8.self)
    }
}
