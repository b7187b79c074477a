/// A one-time-password key: `otpauth://totp/Issuer:account?secret=…` (Google Authenticator's key URI format).
package struct OneTimePasswordPayload: Hashable, Sendable {
    package enum Method: String, CaseIterable, Hashable, Sendable {
        /// By time (RFC 6238).
        case totp
        /// By counter (RFC 4226).
        case hotp
    }

    package var method: Method
    package var issuer: String?
    package var account: String
    /// Base32, as written; `nil` when the code has none.
    package var secret: Secret?
    /// `SHA1`, `SHA256` or `SHA512`; default `SHA1`.
    package var algorithm: String
    /// 6…8; default 6.
    package var digits: Int
    /// Seconds, `totp` only; default 30.
    package var periodSeconds: Int?
    /// `hotp` only.
    package var counter: UInt64?
    package var problems: [String]

    package init(
        method: Method, issuer: String? = nil, account: String, secret: Secret?, algorithm: String = "SHA1",
        digits: Int = 6, periodSeconds: Int? = nil, counter: UInt64? = nil, problems: [String] = []
    ) {
        self.method = method
        self.issuer = issuer
        self.account = account
        self.secret = secret
        self.algorithm = algorithm
        self.digits = digits
        self.periodSeconds = periodSeconds
        self.counter = counter
        self.problems = problems
    }
}
