/// What a scan's text means. The text and the bytes of the symbol stay the truth; a payload is a reading of them, and
/// whatever doesn't fit a format exactly is still reported, with a sentence in the payload's `problems`.
package enum Payload: Hashable, Sendable {
    /// Plain text, or bytes that aren't text at all.
    case text
    case url(URLPayload)
    case wifi(WiFiPayload)
    case contact(ContactPayload)
    case event(CalendarEventPayload)
    case geo(GeoPayload)
    case phone(PhonePayload)
    case sms(MessagePayload)
    case email(EmailPayload)
    case bookmark(BookmarkPayload)
    case otp(OneTimePasswordPayload)
    case gs1(GS1Payload)
    case product(ProductPayload)
    /// None of it is for everybody's eyes.
    case secret(SecretPayload)

    /// The payload's name on the wire.
    package var kind: String {
        switch self {
        case .text: "text"
        case .url: "url"
        case .wifi: "wifi"
        case .contact: "contact"
        case .event: "event"
        case .geo: "geo"
        case .phone: "phone"
        case .sms: "sms"
        case .email: "email"
        case .bookmark: "bookmark"
        case .otp: "otp"
        case .gs1: "gs1"
        case .product: "product"
        case .secret: "secret"
        }
    }

    /// Every value `kind` can have.
    package static let kinds = [
        "text", "url", "wifi", "contact", "event", "geo", "phone", "sms", "email", "bookmark", "otp", "gs1", "product",
        "secret",
    ]

    /// Whether the text it was read from holds a password or a one-time-password secret.
    package var holdsSecret: Bool {
        switch self {
        case .wifi(let wifi): wifi.password != nil
        case .otp(let otp): otp.secret != nil
        case .url(let url): url.credential != nil
        case .secret: true
        default: false
        }
    }
}
