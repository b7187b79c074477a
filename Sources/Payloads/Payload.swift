import Settings

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

/// What is shown of a payload. Only the tables in `PayloadTables` say it: JSON is written from them in their order, and templates take
/// single fields from them.
extension Payload {
    /// `kind`, then what is known; the rest is left out.
    package func members(secrets: SecretPolicy) -> [FieldValue.Member] {
        let fields: [FieldValue.Member] =
            switch self {
            case .text: []
            case .url(let url): PayloadTables.url.members(of: url, secrets: secrets)
            case .wifi(let wifi): PayloadTables.wifi.members(of: wifi, secrets: secrets)
            case .contact(let contact): PayloadTables.contact.members(of: contact, secrets: secrets)
            case .event(let event): PayloadTables.event.members(of: event, secrets: secrets)
            case .geo(let geo): PayloadTables.geo.members(of: geo, secrets: secrets)
            case .phone(let phone): PayloadTables.phone.members(of: phone, secrets: secrets)
            case .sms(let message): PayloadTables.message.members(of: message, secrets: secrets)
            case .email(let email): PayloadTables.email.members(of: email, secrets: secrets)
            case .bookmark(let bookmark): PayloadTables.bookmark.members(of: bookmark, secrets: secrets)
            case .otp(let otp): PayloadTables.otp.members(of: otp, secrets: secrets)
            case .gs1(let gs1): PayloadTables.gs1.members(of: gs1, secrets: secrets)
            case .product(let product): PayloadTables.product.members(of: product, secrets: secrets)
            case .secret(let secret): PayloadTables.secret.members(of: secret, secrets: secrets)
            }
        return [FieldValue.Member(name: "kind", value: .text(kind))] + fields
    }

    /// Every field that a payload of any kind may have: names from the outside in, with dots between them.
    package static let paths: [String] = {
        typealias All = PayloadTables
        let all = [
            ["kind"], All.url.paths(), All.wifi.paths(), All.contact.paths(), All.event.paths(), All.geo.paths(),
            All.phone.paths(), All.message.paths(), All.email.paths(), All.bookmark.paths(), All.otp.paths(),
            All.gs1.paths(), All.product.paths(), All.secret.paths(),
        ]
        var seen: Set<String> = []
        return all.joined().filter { seen.insert($0).inserted }
    }()

    /// The field at one of `paths`, given as its names; for a list, the first element. `nil` if this payload doesn't have it.
    package func value(at path: [String], secrets: SecretPolicy) -> FieldValue? {
        path.reduce(FieldValue.object(members(secrets: secrets)) as FieldValue?) { $0?[$1] }?.first
    }

    /// GS1 data from the code, or from a Digital Link.
    package var gs1: GS1Payload? {
        switch self {
        case .gs1(let gs1): gs1
        case .url(let url): url.gs1
        default: nil
        }
    }

    /// 14 digits. A product number whose check digit is wrong or was stripped doesn't count.
    package var gtin: String? {
        if case .product(let product) = self { return product.isCheckDigitRight ? product.gtin : nil }
        return gs1?.gtin
    }
}
