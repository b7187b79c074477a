/// A number to call: `tel:` (RFC 3966).
package struct PhonePayload: Hashable, Sendable {
    /// As written, without parameters.
    package var number: String
    /// The `ext` parameter.
    package var extensionNumber: String?

    package init(number: String, extensionNumber: String? = nil) {
        self.number = number
        self.extensionNumber = extensionNumber
    }
}

/// A text message: `sms:`, `smsto:`, `mms:`, `mmsto:` (RFC 5724 and the forms that phones know).
package struct MessagePayload: Hashable, Sendable {
    package var numbers: [String]
    package var subject: String?
    package var body: String?
    /// `mms:` or `mmsto:`.
    package var isMultimedia: Bool

    package init(numbers: [String], subject: String? = nil, body: String? = nil, isMultimedia: Bool = false) {
        self.numbers = numbers
        self.subject = subject
        self.body = body
        self.isMultimedia = isMultimedia
    }
}

/// A mail to write: `mailto:` (RFC 6068), `MATMSG:`, `SMTP:`, or nothing but an address.
package struct EmailPayload: Hashable, Sendable {
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    package var subject: String?
    package var body: String?
    package var problems: [String]

    package init(
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
