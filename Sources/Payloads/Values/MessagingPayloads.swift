/// A number to call: `tel:` (RFC 3966).
public struct PhonePayload: Hashable, Sendable {
    /// As written, without parameters.
    public var number: String
    /// The `ext` parameter.
    public var extensionNumber: String?

    public init(number: String, extensionNumber: String? = nil) {
        self.number = number
        self.extensionNumber = extensionNumber
    }
}

/// A text message: `sms:`, `smsto:`, `mms:`, `mmsto:` (RFC 5724 and the forms that phones know).
public struct MessagePayload: Hashable, Sendable {
    public var numbers: [String]
    public var subject: String?
    public var body: String?
    /// `mms:` or `mmsto:`.
    public var isMultimedia: Bool

    public init(numbers: [String], subject: String? = nil, body: String? = nil, isMultimedia: Bool = false) {
        self.numbers = numbers
        self.subject = subject
        self.body = body
        self.isMultimedia = isMultimedia
    }
}

/// A mail to write: `mailto:` (RFC 6068), `MATMSG:`, `SMTP:`, or nothing but an address.
public struct EmailPayload: Hashable, Sendable {
    public var to: [String]
    public var cc: [String]
    public var bcc: [String]
    public var subject: String?
    public var body: String?
    public var problems: [String]

    public init(
        to: [String], cc: [String] = [], bcc: [String] = [], subject: String? = nil, body: String? = nil,
        problems: [String] = []
    ) {
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.body = body
        self.problems = problems
    }
}
