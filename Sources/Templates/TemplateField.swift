import Vocabulary

extension Template {
    /// What a template can say of a scan.
    ///
    /// | field | gives |
    /// |---|---|
    /// | `{text}` | the text; the raw bytes where the code holds no text |
    /// | `{bytes}` | the bytes of the code; with the filter `raw` exactly as it carries them |
    /// | `{aim}` | AIM symbology identifier, such as `]E0` |
    /// | `{code}` | code id letter, such as `d` for EAN-13: see `CodeLetter` |
    /// | `{symbology}` | `ean_13`, `qr_code`, … |
    /// | `{addon}` | the 2 or 5 digits beside an EAN or UPC code |
    /// | `{gtin}` | GTIN, 14 digits: of EAN, UPC and ITF-14 codes, of a GS1 code's AI 01, of a GS1 Digital Link |
    /// | `{gtin13}` | the same as 13 digits (UPC-A and UPC-E as EAN-13); empty for a GTIN that needs 14 |
    /// | `{gs1.10}` | value of that GS1 application identifier (2 to 4 digits) |
    /// | `{payload.url}` | what the text means, by the names of the wire format: see `payloadPaths` |
    /// | `{id}` `{seq}` `{session}` `{journal}` | the scan's id and number, its session's number (0: none), the journal's id |
    /// | `{trigger}` `{station}` | what set the session off, the station's name |
    /// | `{time}` | UTC, ISO 8601 with milliseconds: `2026-11-21T06:14:40.125Z` |
    /// | `{time.date}` `{time.clock}` `{time.unix}` | `2026-11-21`, `06:14:40`, whole seconds since 1970; UTC |
    /// | `{json}` | the whole event as one line of JSON, without its line feed |
    ///
    /// Where the output withholds secrets, a code that holds one gives `(redacted)` for `{text}`, `{bytes}` and the secret.
    package enum Field: Hashable, Sendable {
        case text, bytes, aim, code, symbology, addOn
        case gtin, gtin13
        case id, sequence, session, journal, trigger, station
        case time, date, clock, unixTime
        case json
        /// 2…4 digits.
        case gs1(ai: String)
        /// Keys of the payload on the wire, from the outside in; of a list, the first element.
        case payload([String])
    }
}

extension Template.Field {
    private static let plain: [(name: String, field: Template.Field)] = [
        ("text", .text), ("bytes", .bytes), ("aim", .aim), ("code", .code), ("symbology", .symbology),
        ("addon", .addOn), ("gtin", .gtin), ("gtin13", .gtin13), ("id", .id), ("seq", .sequence),
        ("session", .session), ("journal", .journal), ("trigger", .trigger), ("station", .station), ("time", .time),
        ("time.date", .date), ("time.clock", .clock), ("time.unix", .unixTime), ("json", .json),
    ]

    /// What may follow `payload.`: names of the wire format. A scan whose payload is of another kind gives nothing.
    package static let payloadPaths = [
        "kind",
        // url, bookmark
        "url", "scheme", "host", "title",
        // wifi
        "ssid", "security", "password", "hidden", "eap.method", "eap.identity",
        // contact
        "name.formatted", "name.family", "name.given", "organization", "phones.value", "emails.value",
        "addresses.street", "addresses.city", "addresses.postalCode", "addresses.country", "urls", "birthday", "note",
        // event
        "summary", "start.text", "start.date", "start.time", "end.text", "end.date", "end.time", "location",
        "description", "organizer", "uid",
        // geo
        "latitude", "longitude", "altitude", "query",
        // phone, sms, email
        "number", "extension", "numbers", "to", "cc", "subject", "body",
        // otp
        "method", "issuer", "account", "secret", "algorithm", "digits", "periodSeconds", "counter",
        // product
        "isbn", "isbn10", "issn", "ismn", "issue", "price.currency", "price.cents",
    ]

    /// Names for a message; `{gs1.10}` and `{payload.url}` stand for their kin.
    static let names = plain.map(\.name) + ["gs1.10", "payload.url"]

    private static let gs1Prefix = "gs1."
    private static let payloadPrefix = "payload."

    /// `nil` if there is no such field.
    init?(name: String) {
        if let known = Self.plain.first(where: { $0.name == name }) {
            self = known.field
        } else if name.hasPrefix(Self.gs1Prefix) {
            let ai = name.dropFirst(Self.gs1Prefix.count)
            guard (2...4).contains(ai.utf8.count), ai.utf8.allSatisfy(CheckDigit.isDigit) else { return nil }
            self = .gs1(ai: String(ai))
        } else if name.hasPrefix(Self.payloadPrefix) {
            let path = name.dropFirst(Self.payloadPrefix.count)
            guard Self.payloadPaths.contains(String(path)) else { return nil }
            self = .payload(path.split(separator: ".").map(String.init))
        } else {
            return nil
        }
    }

    /// What is wrong with a name that `init(name:)` refused.
    static func problem(with name: String) -> String {
        let known = plain.map(\.name) + payloadPaths.map { payloadPrefix + $0 }
        var problem = "unknown field {\(name)}"
        if let near = Spelling.nearest(to: name, among: known) { problem += ", did you mean {\(near)}?" }
        if name.hasPrefix(gs1Prefix) {
            return problem + " (after gs1. comes an application identifier of 2 to 4 digits, as in {gs1.10})"
        }
        if name.hasPrefix(payloadPrefix) {
            return problem + " (after payload. comes one of \(payloadPaths.joined(separator: ", ")))"
        }
        return problem + " (fields are \(names.map { "{\($0)}" }.joined(separator: " ")), and {{ is a brace)"
    }
}
