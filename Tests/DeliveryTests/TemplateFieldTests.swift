import ControlSupport
import Payloads
import Testing
import Wire

@testable import Delivery
@testable import Settings
@testable import Templates
@testable import Vocabulary

@Suite("Template fields")
struct TemplateFieldTests {
    private func render(_ source: String, _ event: Event, secrets: SecretPolicy = .asConfigured) throws -> String? {
        try Template(source).render(event, secrets: secrets).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "A product's number comes as GTIN-14 and GTIN-13, whatever the code",
        arguments: [
            (Symbology.ean13, "4006381333931", "04006381333931", "4006381333931"),
            (.ean8, "96385074", "00000096385074", "0000096385074"),
            (.upcA, "036000291452", "00036000291452", "0036000291452"),
            // UPC-E 04252614 is UPC-A 042100005264 (GS1 General Specifications, 5.2.2.4.1).
            (.upcE, "04252614", "00042100005264", "0042100005264"),
            // A case: no GTIN-13 says that.
            (.itf14, "15400141288763", "15400141288763", ""),
            (.code128, "4006381333931", "", ""),
        ])
    func gtin(symbology: Symbology, text: String, gtin: String, gtin13: String) throws {
        let event = Fixtures.interpreted(text, symbology: symbology, aim: "")
        #expect(try render("{gtin}", event) == gtin)
        #expect(try render("{gtin13}", event) == gtin13)
    }

    @Test("A product number with a wrong or stripped check digit isn't a GTIN")
    func wrongCheckDigit() throws {
        #expect(try render("{gtin}", Fixtures.interpreted("4006381333932", symbology: .ean13)) == "")
        #expect(try render("{gtin}", Fixtures.interpreted("400638133393", symbology: .ean13)) == "")
    }

    private static let label = "0109506000134352\u{1D}10AB-123\u{1D}17261231\u{1D}3103001250"

    @Test(
        "GS1 data is had by application identifier, also from a Digital Link",
        arguments: [
            (label, "]d2", "{gtin}|{gs1.10}|{gs1.17}|{gs1.3103}|{gs1.21}", "09506000134352|AB-123|261231|001250|"),
            ("https://id.gs1.org/01/09506000134352/10/L7", "]d1", "{gtin}|{gs1.10}", "09506000134352|L7"),
            ("plain", "]d1", "{gtin}|{gs1.10}", "|"),
        ])
    func gs1(text: String, aim: String, source: String, expected: String) throws {
        #expect(try render(source, Fixtures.interpreted(text, symbology: .dataMatrix, aim: aim)) == expected)
    }

    @Test(
        "A payload's fields have the names of the wire format; what it lacks is empty",
        arguments: [
            (
                "https://example.com/a", "{payload.kind} {payload.url} {payload.host}",
                "url https://example.com/a example.com"
            ),
            ("geo:48.2010,16.3695", "{payload.latitude},{payload.longitude}", "48.201,16.3695"),
            ("mailto:a@example.com,b@example.com?subject=Hi", "{payload.to}:{payload.subject}", "a@example.com:Hi"),
            (
                "MECARD:N:Owl,Jo;TEL:+4312345;TEL:+4399999;;", "{payload.name.family} {payload.phones.value}",
                "Owl +4312345"
            ),
            ("WIFI:T:WPA;S:net;P:pass;H:true;;", "{payload.ssid} {payload.hidden} {payload.url}", "net true "),
            ("hello", "[{payload.url}{payload.ssid}]", "[]"),
        ])
    func payload(text: String, source: String, expected: String) throws {
        #expect(try render(source, Fixtures.interpreted(text)) == expected)
    }

    /// One table drives both, so a field that is added to it is in both.
    @Test(
        "A template has every field that the payload's JSON has, with the same value",
        arguments: [
            "plain", "https://id.gs1.org/01/09506000134352/10/AB?3103=000195",
            "WIFI:T:WPA;R:1;S:Net;P:12345678;H:true;;",
            "WIFI:T:EAP;S:c;E:TTLS;PH2:PAP;I:u;A:a;P:p;;", "MECARD:N:Doe,John;ADR:somewhere;TEL:1;;",
            "BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane;Q;Dr;MSc\nFN:Jane\nTEL;TYPE=CELL:1\nADR;TYPE=HOME:1;2;3;4;5;6;7\nEND:VCARD",
            "BEGIN:VEVENT\nSUMMARY:s\nDTSTART;TZID=Europe/Vienna:20261121T090000\nDTEND:20261121\nEND:VEVENT",
            "geo:48.2,-16.37,183;u=20?q=x", "tel:+1;ext=2", "mms:1,2?subject=s&body=b",
            "mailto:a@example.com?cc=b@example.com",
            "MEBKM:TITLE:t;URL:u;;", "otpauth://hotp/I:a?secret=MFRA&counter=7",
            "otpauth-migration://offline?data=CjEK",
        ], SecretPolicy.allCases)
    func sameAsJSON(text: String, secrets: SecretPolicy) throws {
        let event = Fixtures.interpreted(text)
        let json = try JSONValue(parsing: event.line(secrets: secrets))
        func check(_ value: JSONValue, _ path: String) throws {
            switch value {
            case .object(let members): for (name, member) in members { try check(member, "\(path).\(name)") }
            case .array(let values): try values.first.map { try check($0, path) }
            default:
                let expected = value.stringValue ?? value.description
                #expect(try render("{\(path)|raw}", event, secrets: secrets) == expected, "\(path)")
            }
        }
        try check(try #require(json["payload"]), "payload")
    }

    /// Follows references and lists through the schema's definitions.
    @Test("Every payload name is one of the wire format's schema", arguments: Payload.paths)
    func payloadNames(path: String) throws {
        let schema = try Fixtures.schema()
        let definitions = try #require(schema["$defs"]?.objectValue)
        func resolved(_ value: JSONValue?) -> JSONValue? {
            guard let value else { return nil }
            if let reference = value["$ref"]?.stringValue {
                return resolved(definitions[String(reference.dropFirst("#/$defs/".count))])
            }
            return value["items"].map { resolved($0) } ?? value
        }
        func property(_ key: String, of node: JSONValue?) -> JSONValue? {
            guard let node = resolved(node) else { return nil }
            return node["properties"]?[key]
                ?? node["allOf"]?.arrayValue?.lazy.compactMap { property(key, of: $0) }.first
        }
        let isKnown = definitions.contains { name, definition in
            guard name.hasPrefix("payload.") else { return false }
            return path.split(separator: ".").reduce(definition as JSONValue?) { node, key in
                property(String(key), of: node)
            } != nil
        }
        #expect(isKnown)
    }

    @Test("A template has the scan's own fields as its JSON has them")
    func ownFields() throws {
        var event = Fixtures.scan(7, symbology: .ean13, aim: "]E3")
        guard case .scan(var body) = event.body else { return }
        body.scan.symbol.addOn = "52495"
        body.journal = "j-1"
        event.body = .scan(body)
        let json = try JSONValue(parsing: event.line(secrets: .revealed))
        let names =
            StampField.allCases.map { ($0.rawValue, $0.rawValue) }
            + ScanField.allCases.map { ($0.rawValue, $0.rawValue) }
            + SymbolField.allCases.filter { $0 != .bytes }.map { ($0.rawValue, $0.templateName) }
        for (name, field) in names {
            let member = try #require(json[name], "\(name)")
            #expect(try render("{\(field)}", event) == member.stringValue ?? member.description, "\(name)")
        }
    }

    @Test("The rest of the fields")
    func others() throws {
        var event = Fixtures.scan(7, symbology: .ean13, aim: "]E3")
        guard case .scan(var body) = event.body else { return }
        body.scan.session = 12
        body.scan.trigger = .pulse
        body.scan.symbol.addOn = "52495"
        body.journal = "j-1"
        event.body = .scan(body)
        #expect(try render("{session} {trigger} {journal} {addon} {code}", event) == "12 pulse j-1 52495 d")
        #expect(try render("{time.date} {time.clock} {time.unix}", event) == "2026-11-21 06:14:40 1795241680")
    }

    @Test("Seconds before 1970 are counted downwards")
    func before1970() throws {
        var event = Fixtures.scan()
        event.stamp.wallNanoseconds = -1
        #expect(try render("{time.unix} {time.clock}", event) == "-1 23:59:59")
    }

    @Test("Every symbology has a code id letter, and GS1-128 its own")
    func letters() throws {
        var letters: [UInt8: [Symbology]] = [:]
        for symbology in Symbology.allCases {
            guard case .scan(let body) = Fixtures.scan(symbology: symbology, aim: "").body else { return }
            letters[CodeLetter.letter(of: body.scan.symbol), default: []].append(symbology)
        }
        // Only related symbologies share a letter.
        let shared = letters.values.filter { $0.count > 1 }.map { Set($0) }
        #expect(Set(shared) == [[.code39, .code39Mod43], [.itf, .itf14], [.qrCode, .microQRCode, .rmqrCode]])
        #expect(try render("{code}", Fixtures.scan(symbology: .code128, aim: "]C0")) == "j")
        #expect(try render("{code}", Fixtures.scan(symbology: .code128, aim: "]C1")) == "I")
    }

    @Test("No field or filter gives away a withheld secret")
    func withheld() throws {
        let event = Fixtures.interpreted("WIFI:T:WPA;S:net;P:verysecret;;")
        let source = "{text} {bytes|first:3} {payload.password|hex} {payload.ssid}"
        #expect(try render(source, event, secrets: .withheld) == "(redacted) (redacted) (redacted) net")
        #expect(try render("{payload.password}", event, secrets: .revealed) == "verysecret")
        for name in Template.Field.names.dropLast() + Payload.paths.map({ "payload." + $0 }) {
            let text = try render("{\(name)}", event, secrets: .withheld)
            #expect(text?.contains("verysecret") == false, "\(name)")
        }
    }

    @Test(
        "Names that don't exist are reported with the nearest that does",
        arguments: [
            ("{gtin14}", 1, "did you mean {gtin13}?"),
            ("ab{payload.hots}", 3, "did you mean {payload.host}?"),
            ("{payload.nonsense}", 1, "after payload. comes one of kind, url"),
            ("{gs1.x}", 1, "2 to 4 digits, as in {gs1.10}"),
            ("{gs1.31033}", 1, "2 to 4 digits"),
            ("{gs1.}", 1, "2 to 4 digits"),
            ("{Text}", 1, "did you mean {text}?"),
        ])
    func unknown(source: String, position: Int, says: String) {
        let error = #expect(throws: TemplateError.self) { try Template(source) }
        #expect(error?.position == position)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }
}
