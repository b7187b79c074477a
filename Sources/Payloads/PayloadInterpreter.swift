import Settings
import Vocabulary

/// Tells what a symbol's text means. Pure: no I/O, no clock, no state; bounded by `PayloadLimits`; takes any bytes.
///
/// The symbology goes first (EAN, UPC and ITF-14 are products), then the AIM identifier (GS1), then the text: a known
/// prefix such as `WIFI:` or `BEGIN:VCARD`, a web address, a custom scheme. White space around the text isn't part of it.
package struct PayloadInterpreter: Sendable {
    private let schemes: Set<String>
    private let revealsSecrets: Bool

    /// Two-digit years of GS1 dates are read around this year when nobody says which one it is.
    package static let assumedYear = 2026

    package init(settings: PayloadSettings = PayloadSettings()) {
        schemes = Set(settings.schemes.map { $0.lowercased() })
        revealsSecrets = settings.revealSecrets
    }

    /// `currentYear` places the century of GS1's two-digit years; leave it out while the clock isn't synchronised.
    package func interpret(_ symbol: Symbol, currentYear: Int? = nil) -> Payload {
        let year = currentYear ?? PayloadInterpreter.assumedYear
        if let product = ProductReader.read(symbol) { return .product(product) }
        if GS1Carrier.isGS1(symbol), let gs1 = GS1Parser(year: year).parse(GS1Carrier.elementStrings(of: symbol)) {
            return .gs1(gs1)
        }
        guard let text = symbol.text, text.utf8.count <= PayloadLimits.maxTextBytes else { return .text }
        return interpret(text: Bytes(text), year: year)
    }

    /// What a text means that didn't come from a symbol.
    package func interpret(text: String) -> Payload {
        guard text.utf8.count <= PayloadLimits.maxTextBytes else { return .text }
        return interpret(text: Bytes(text), year: PayloadInterpreter.assumedYear)
    }

    private func interpret(text: Bytes, year: Int) -> Payload {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = (text.starts(with: byteOrderMark) ? text.dropFirst(3) : text).trimmed
        guard !body.isEmpty else { return .text }
        let payload =
            block(body) ?? fields(body) ?? SecretParser.parse(body).map(Self.secret) ?? uri(body, year: year)
            ?? EmailParser.bareAddress(body).map(Payload.email) ?? .text
        // A link hidden in a note, a contact or an address of a scheme that isn't read.
        if !payload.isLink, !payload.holdsSecret, SecretParser.hasLinkWithPassword(body) { return Self.secret(.url) }
        return payload
    }

    private static func secret(_ format: SecretPayload.Format) -> Payload { .secret(SecretPayload(format: format)) }

    /// Formats with several lines.
    private func block(_ body: Bytes) -> Payload? {
        if body.after("begin:vcard") != nil { return ContactParser.vCard(body).map(Payload.contact) }
        if body.after("begin:vcalendar") != nil || body.after("begin:vevent") != nil {
            return CalendarEventParser.parse(body).map(Payload.event)
        }
        return nil
    }

    /// `NAME:KEY:value;…;;`.
    private func fields(_ body: Bytes) -> Payload? {
        if let rest = body.after("wifi:") {
            return WiFiParser.parse(rest, revealsSecrets: revealsSecrets).map(Payload.wifi)
                ?? (WiFiParser.hasPassword(rest) ? Self.secret(.wifi) : nil)
        }
        if let rest = body.after("mecard:") { return ContactParser.meCard(rest).map(Payload.contact) }
        if let rest = body.after("matmsg:") { return EmailParser.matmsg(rest).map(Payload.email) }
        if let rest = body.after("mebkm:") { return BookmarkParser.parse(rest).map(Payload.bookmark) }
        return nil
    }

    private func uri(_ body: Bytes, year: Int) -> Payload? {
        if let rest = body.after("geo:") { return GeoParser.parse(rest).map(Payload.geo) }
        if let rest = body.after("tel:") { return MessagingParser.phone(rest).map(Payload.phone) }
        for (prefix, isMultimedia) in [("smsto:", false), ("sms:", false), ("mmsto:", true), ("mms:", true)] {
            guard let rest = body.after(prefix) else { continue }
            return MessagingParser.message(rest, isMultimedia: isMultimedia).map(Payload.sms)
        }
        if let rest = body.after("mailto:") { return EmailParser.mailto(rest).map(Payload.email) }
        if let rest = body.after("smtp:") { return EmailParser.smtp(rest).map(Payload.email) }
        if let rest = body.after("otpauth://") {
            return OneTimePasswordParser.parse(rest, revealsSecrets: revealsSecrets).map(Payload.otp)
                ?? (Bytes(rest.lowercasedText).contains(Bytes("secret=")) ? Self.secret(.otp) : nil)
        }
        return URLParser(schemes: schemes, year: year, revealsSecrets: revealsSecrets).parse(body).map(Payload.url)
    }
}

extension Payload {
    fileprivate var isLink: Bool { if case .url = self { true } else { false } }
}
