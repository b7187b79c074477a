/// A one-time-password key: `otpauth://totp/Issuer:account?secret=…` (Google Authenticator's key URI format).
public struct OneTimePasswordPayload: Hashable, Sendable {
    public enum Method: String, CaseIterable, Hashable, Sendable {
        /// By time (RFC 6238).
        case totp
        /// By counter (RFC 4226).
        case hotp
    }

    public var method: Method
    public var issuer: String?
    public var account: String
    /// Base32, as written; `nil` when the code has none.
    public var secret: Secret?
    /// `SHA1`, `SHA256` or `SHA512`; default `SHA1`.
    public var algorithm: String
    /// 6…8; default 6.
    public var digits: Int
    /// Seconds, `totp` only; default 30.
    public var periodSeconds: Int?
    /// `hotp` only.
    public var counter: UInt64?
    public var problems: [String]

    public init(
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
