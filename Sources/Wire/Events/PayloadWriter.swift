import Payloads
import Settings
import Vocabulary

/// Payloads on the wire: an object with `kind` first, then what is known; what isn't known is left out.
enum PayloadWriter {
    static func write(_ payload: Payload, secrets: SecretPolicy, to json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", payload.kind)
        switch payload {
        case .text: break
        case .url(let url): write(url, secrets: secrets, to: &json)
        case .wifi(let wifi): write(wifi, secrets: secrets, to: &json)
        case .contact(let contact): write(contact, to: &json)
        case .event(let event): write(event, to: &json)
        case .geo(let geo): write(geo, to: &json)
        case .phone(let phone):
            json.member("number", phone.number)
            json.member("extension", phone.extensionNumber)
        case .sms(let message): write(message, to: &json)
        case .email(let email): write(email, to: &json)
        case .bookmark(let bookmark):
            json.member("url", bookmark.url)
            json.member("title", bookmark.title)
        case .otp(let otp): write(otp, secrets: secrets, to: &json)
        case .gs1(let gs1): write(gs1, to: &json)
        case .product(let product): write(product, to: &json)
        case .secret(let secret): json.member("format", secret.format.rawValue)
        }
        json.endObject()
    }

    private static func text(of secret: Secret?, _ policy: SecretPolicy) -> String? {
        secret.map { secret in
            switch policy {
            case .asConfigured: secret.description
            case .revealed: secret.reveal()
            case .withheld: Secret.redacted
            }
        }
    }

    private static func write(_ url: URLPayload, secrets: SecretPolicy, to json: inout JSONWriter) {
        json.member("url", url.url(showing: text(of: url.credential, secrets) ?? ""))
        json.member("scheme", url.scheme)
        json.member("host", url.host)
        if url.isCustom { json.member("custom", true) }
        if let gs1 = url.gs1 {
            json.key("gs1")
            json.beginObject()
            write(gs1, to: &json)
            json.endObject()
        }
        json.member("problems", url.problems)
    }

    private static func write(_ wifi: WiFiPayload, secrets: SecretPolicy, to json: inout JSONWriter) {
        json.member("ssid", wifi.ssid)
        if Array(wifi.ssid.utf8) != wifi.ssidBytes {
            json.key("ssidBytes")
            json.base64(wifi.ssidBytes)
        }
        json.member("security", wifi.security.rawValue)
        json.member("password", text(of: wifi.password, secrets))
        json.member("hidden", wifi.isHidden)
        if let enterprise = wifi.enterprise {
            json.key("eap")
            json.beginObject()
            json.member("method", enterprise.method)
            json.member("phase2", enterprise.phase2)
            json.member("identity", enterprise.identity)
            json.member("anonymousIdentity", enterprise.anonymousIdentity)
            json.endObject()
        }
        json.member("passwordIdentifier", wifi.passwordIdentifier)
        json.member("publicKey", wifi.publicKey)
        json.member("transitionDisable", wifi.transitionDisable.map(Int.init))
        json.member("problems", wifi.problems)
    }

    private static func write(_ contact: ContactPayload, to json: inout JSONWriter) {
        json.member("format", contact.format.rawValue)
        json.member("version", contact.version)
        json.key("name")
        json.beginObject()
        json.member("formatted", contact.name.formatted)
        json.member("family", contact.name.family)
        json.member("given", contact.name.given)
        json.member("middle", contact.name.middle)
        json.member("prefix", contact.name.prefix)
        json.member("suffix", contact.name.suffix)
        json.endObject()
        json.member("nickname", contact.nickname)
        json.member("organization", contact.organization)
        json.member("units", contact.units)
        json.member("title", contact.title)
        write("phones", contact.phones, to: &json)
        write("emails", contact.emails, to: &json)
        if !contact.addresses.isEmpty {
            json.key("addresses")
            json.beginArray()
            for address in contact.addresses { write(address, to: &json) }
            json.endArray()
        }
        json.member("urls", contact.urls)
        json.member("birthday", contact.birthday)
        json.member("note", contact.note)
        json.member("problems", contact.problems)
    }

    private static func write(_ name: String, _ values: [ContactPayload.Labelled], to json: inout JSONWriter) {
        guard !values.isEmpty else { return }
        json.key(name)
        json.beginArray()
        for value in values {
            json.beginObject()
            json.member("value", value.value)
            json.member("types", value.types)
            json.endObject()
        }
        json.endArray()
    }

    private static func write(_ address: ContactPayload.Address, to json: inout JSONWriter) {
        json.beginObject()
        json.member("types", address.types)
        json.member("postOfficeBox", address.postOfficeBox)
        json.member("extended", address.extended)
        json.member("street", address.street)
        json.member("city", address.city)
        json.member("region", address.region)
        json.member("postalCode", address.postalCode)
        json.member("country", address.country)
        json.endObject()
    }

    private static func write(_ event: CalendarEventPayload, to json: inout JSONWriter) {
        json.member("summary", event.summary)
        write("start", event.start, to: &json)
        write("end", event.end, to: &json)
        json.member("duration", event.duration)
        json.member("location", event.location)
        json.member("description", event.description)
        json.member("organizer", event.organizer)
        json.member("url", event.url)
        json.member("uid", event.uid)
        json.member("problems", event.problems)
    }

    private static func write(_ name: String, _ time: CalendarEventPayload.Time?, to json: inout JSONWriter) {
        guard let time else { return }
        json.key(name)
        json.beginObject()
        json.member("text", time.text)
        json.member("date", time.date?.description)
        json.member("time", time.time?.description)
        json.member("utc", time.isUTC)
        json.member("timeZone", time.timeZone)
        json.endObject()
    }

    private static func write(_ geo: GeoPayload, to json: inout JSONWriter) {
        json.member("latitude", fixed: geo.latitude, decimals: 8)
        json.member("longitude", fixed: geo.longitude, decimals: 8)
        json.member("altitude", fixed: geo.altitude, decimals: 3)
        json.member("uncertainty", fixed: geo.uncertainty, decimals: 3)
        json.member("query", geo.query)
        json.member("problems", geo.problems)
    }

    private static func write(_ message: MessagePayload, to json: inout JSONWriter) {
        json.member("numbers", message.numbers)
        json.member("subject", message.subject)
        json.member("body", message.body)
        json.member("multimedia", message.isMultimedia)
    }

    private static func write(_ email: EmailPayload, to json: inout JSONWriter) {
        json.member("to", email.to)
        json.member("cc", email.cc)
        json.member("bcc", email.bcc)
        json.member("subject", email.subject)
        json.member("body", email.body)
        json.member("problems", email.problems)
    }

    private static func write(_ otp: OneTimePasswordPayload, secrets: SecretPolicy, to json: inout JSONWriter) {
        json.member("method", otp.method.rawValue)
        json.member("issuer", otp.issuer)
        json.member("account", otp.account)
        json.member("secret", text(of: otp.secret, secrets))
        json.member("algorithm", otp.algorithm)
        json.member("digits", otp.digits)
        json.member("periodSeconds", otp.periodSeconds)
        if let counter = otp.counter {
            json.key("counter")
            json.unsigned(counter)
        }
        json.member("problems", otp.problems)
    }

    private static func write(_ gs1: GS1Payload, to json: inout JSONWriter) {
        json.member("source", gs1.source.rawValue)
        json.member("gtin", gs1.gtin)
        json.key("elements")
        json.beginArray()
        for element in gs1.elements { write(element, to: &json) }
        json.endArray()
        json.member("problems", gs1.problems)
    }

    private static func write(_ element: GS1Element, to json: inout JSONWriter) {
        json.beginObject()
        json.member("ai", element.ai)
        json.member("title", element.title)
        json.member("value", element.value)
        switch element.meaning {
        case .date(let date):
            json.member("date", date.description)
            if date.isWholeMonth { json.member("wholeMonth", true) }
        case .period(let first, let last):
            json.member("date", first.description)
            json.member("lastDate", last.description)
        case .quantity(let number, let unit):
            json.member("number", number)
            if !unit.isEmpty { json.member("unit", unit) }
        case .place(let latitude, let longitude):
            json.member("latitude", fixed: latitude, decimals: 7)
            json.member("longitude", fixed: longitude, decimals: 7)
        case nil: break
        }
        json.endObject()
    }

    private static func write(_ product: ProductPayload, to json: inout JSONWriter) {
        json.member("gtin", product.gtin)
        json.member("number", product.number)
        json.member("checkDigit", product.isCheckDigitRight)
        json.member("isbn", product.isbn)
        json.member("isbn10", product.isbn10)
        json.member("issn", product.issn)
        json.member("ismn", product.ismn)
        if product.isRestricted { json.member("restricted", true) }
        json.member("addOn", product.addOn)
        if let price = product.price {
            json.key("price")
            json.beginObject()
            json.member("currency", price.currency)
            json.member("cents", price.cents)
            json.endObject()
        }
        json.member("issue", product.issue)
        json.member("problems", product.problems)
    }
}
