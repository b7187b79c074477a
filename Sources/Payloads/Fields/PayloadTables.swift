/// One table for each kind of payload, in the order of the wire format. A field that is added here is in the JSON and in templates; the
/// schema has to describe it (a test checks).
enum PayloadTables {
    static let url: [PayloadField<URLPayload>] = [
        PayloadField("url", under: { url, secrets in url.url(showing: url.credential?.text(under: secrets) ?? "") }),
        PayloadField("scheme", \.scheme), PayloadField("host", \.host),
        PayloadField("custom") { $0.isCustom ? true : nil },
        PayloadField("gs1", of: gs1) { $0.gs1 }, PayloadField("problems", \.problems),
    ]
    static let wifi: [PayloadField<WiFiPayload>] = [
        PayloadField("ssid", \.ssid),
        PayloadField("ssidBytes") { Array($0.ssid.utf8) == $0.ssidBytes ? nil : FieldValue.bytes($0.ssidBytes) },
        PayloadField("security", \.security.rawValue),
        PayloadField("password", under: { wifi, secrets in wifi.password?.text(under: secrets) }),
        PayloadField("hidden", \.isHidden),
        PayloadField("eap", of: enterprise) { $0.enterprise },
        PayloadField("passwordIdentifier", \.passwordIdentifier), PayloadField("publicKey", \.publicKey),
        PayloadField("transitionDisable") { $0.transitionDisable.map(Int.init) }, PayloadField("problems", \.problems),
    ]
    static let enterprise: [PayloadField<WiFiPayload.Enterprise>] = [
        PayloadField("method", \.method), PayloadField("phase2", \.phase2), PayloadField("identity", \.identity),
        PayloadField("anonymousIdentity", \.anonymousIdentity),
    ]
    static let contact: [PayloadField<ContactPayload>] = [
        PayloadField("format", \.format.rawValue), PayloadField("version", \.version),
        PayloadField("name", of: contactName) { $0.name }, PayloadField("nickname", \.nickname),
        PayloadField("organization", \.organization), PayloadField("units", \.units), PayloadField("title", \.title),
        PayloadField("phones", each: labelled) { $0.phones }, PayloadField("emails", each: labelled) { $0.emails },
        PayloadField("addresses", each: address) { $0.addresses }, PayloadField("urls", \.urls),
        PayloadField("birthday", \.birthday), PayloadField("note", \.note), PayloadField("problems", \.problems),
    ]
    static let contactName: [PayloadField<ContactPayload.Name>] = [
        PayloadField("formatted", \.formatted), PayloadField("family", \.family), PayloadField("given", \.given),
        PayloadField("middle", \.middle), PayloadField("prefix", \.prefix), PayloadField("suffix", \.suffix),
    ]
    static let labelled: [PayloadField<ContactPayload.Labelled>] = [
        PayloadField("value", \.value), PayloadField("types", \.types),
    ]
    static let address: [PayloadField<ContactPayload.Address>] = [
        PayloadField("types", \.types), PayloadField("postOfficeBox", \.postOfficeBox),
        PayloadField("extended", \.extended), PayloadField("street", \.street), PayloadField("city", \.city),
        PayloadField("region", \.region), PayloadField("postalCode", \.postalCode), PayloadField("country", \.country),
    ]
    static let event: [PayloadField<CalendarEventPayload>] = [
        PayloadField("summary", \.summary), PayloadField("start", of: eventTime) { $0.start },
        PayloadField("end", of: eventTime) { $0.end }, PayloadField("duration", \.duration),
        PayloadField("location", \.location), PayloadField("description", \.description),
        PayloadField("organizer", \.organizer), PayloadField("url", \.url), PayloadField("uid", \.uid),
        PayloadField("problems", \.problems),
    ]
    static let eventTime: [PayloadField<CalendarEventPayload.Time>] = [
        PayloadField("text", \.text), PayloadField("date") { $0.date?.description },
        PayloadField("time") { $0.time?.description }, PayloadField("utc", \.isUTC),
        PayloadField("timeZone", \.timeZone),
    ]
    static let geo: [PayloadField<GeoPayload>] = [
        PayloadField("latitude", places: 8) { $0.latitude }, PayloadField("longitude", places: 8) { $0.longitude },
        PayloadField("altitude", places: 3) { $0.altitude }, PayloadField("uncertainty", places: 3) { $0.uncertainty },
        PayloadField("query", \.query), PayloadField("problems", \.problems),
    ]
    static let phone: [PayloadField<PhonePayload>] = [
        PayloadField("number", \.number), PayloadField("extension", \.extensionNumber),
    ]
    static let message: [PayloadField<MessagePayload>] = [
        PayloadField("numbers", \.numbers), PayloadField("subject", \.subject), PayloadField("body", \.body),
        PayloadField("multimedia", \.isMultimedia),
    ]
    static let email: [PayloadField<EmailPayload>] = [
        PayloadField("to", \.to), PayloadField("cc", \.cc), PayloadField("bcc", \.bcc),
        PayloadField("subject", \.subject), PayloadField("body", \.body), PayloadField("problems", \.problems),
    ]
    static let bookmark: [PayloadField<BookmarkPayload>] = [PayloadField("url", \.url), PayloadField("title", \.title)]
    static let otp: [PayloadField<OneTimePasswordPayload>] = [
        PayloadField("method", \.method.rawValue), PayloadField("issuer", \.issuer), PayloadField("account", \.account),
        PayloadField("secret", under: { otp, secrets in otp.secret?.text(under: secrets) }),
        PayloadField("algorithm", \.algorithm), PayloadField("digits", \.digits),
        PayloadField("periodSeconds", \.periodSeconds), PayloadField("counter", \.counter),
        PayloadField("problems", \.problems),
    ]
    static let gs1: [PayloadField<GS1Payload>] = [
        PayloadField("source", \.source.rawValue), PayloadField("gtin", \.gtin),
        PayloadField("elements", each: gs1Element, isKept: true) { $0.elements },
        PayloadField("problems", \.problems),
    ]
    static let gs1Element: [PayloadField<GS1Element>] = [
        PayloadField("ai", \.ai), PayloadField("title", \.title), PayloadField("value", \.value),
        PayloadField("date") { $0.dates?.first.description },
        PayloadField("wholeMonth") { $0.dates.flatMap { $0.first.isWholeMonth && $0.last == nil ? true : nil } },
        PayloadField("lastDate") { $0.dates?.last?.description }, PayloadField("number") { $0.quantity?.number },
        PayloadField("unit") { $0.quantity.flatMap { $0.unit.isEmpty ? nil : $0.unit } },
        PayloadField("latitude", places: 7) { $0.place?.latitude },
        PayloadField("longitude", places: 7) { $0.place?.longitude },
    ]
    static let product: [PayloadField<ProductPayload>] = [
        PayloadField("gtin", \.gtin), PayloadField("number", \.number),
        PayloadField("checkDigit", \.isCheckDigitRight), PayloadField("isbn", \.isbn),
        PayloadField("isbn10", \.isbn10), PayloadField("issn", \.issn), PayloadField("ismn", \.ismn),
        PayloadField("restricted") { $0.isRestricted ? true : nil }, PayloadField("addOn", \.addOn),
        PayloadField("price", of: price) { $0.price }, PayloadField("issue", \.issue),
        PayloadField("problems", \.problems),
    ]
    static let price: [PayloadField<ProductPayload.Price>] = [
        PayloadField("currency", \.currency), PayloadField("cents", \.cents),
    ]
    static let secret: [PayloadField<SecretPayload>] = [PayloadField("format", \.format.rawValue)]
}

extension GS1Element {
    fileprivate var dates: (first: GS1Date, last: GS1Date?)? {
        switch meaning {
        case .date(let date): (date, nil)
        case .period(let first, let last): (first, last)
        default: nil
        }
    }

    fileprivate var quantity: (number: String, unit: String)? {
        if case .quantity(let number, let unit)? = meaning { (number, unit) } else { nil }
    }

    fileprivate var place: (latitude: Double, longitude: Double)? {
        if case .place(let latitude, let longitude)? = meaning { (latitude, longitude) } else { nil }
    }
}
