import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Payloads

/// Nothing in a code may stop the station. A trap ends the test process, so finishing is the assertion; what comes out is
/// also held to its bounds.
@Suite("Any bytes at all")
struct FuzzTests {
    private static let seeds = [
        "https://id.gs1.org/01/09506000134352/10/ABC?17=261231&3103=000195", "www.example.com/a?b#c",
        #"WIFI:T:WPA2-EAP;S:"a\;b";E:TTLS;PH2:MSCHAPV2;I:u;A:a;R:1;P:p\\q;H:true;;"#,
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\nller;J\r\nitem1.TEL;TYPE=\"a,b\":1\r\nEND:VCARD",
        "BEGIN:VCARD\nVERSION:4.0\nFN:A\nADR;TYPE=home:;;1\\, St;T;;1;C\n folded\nEND:VCARD",
        #"MECARD:N:Doe,John;TEL:+1 555;ADR:,,1 Main St\, App,T,S,1,US;EMAIL:j@example.com;;"#,
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Vienna:20261121T090000\nDTEND:20261121T170000Z\nEND:VEVENT",
        "geo:48.2010,-16.3695,183;u=20?q=Old+Town", "tel:+1-816;ext=42", "smsto:+1:hi", "sms:1,2?body=%20x",
        "mailto:a@example.com?subject=%C3%A9&body=x", "MATMSG:TO:a@example.com;SUB:s;BODY:b;;",
        "SMTP:a@example.com:s:b",
        "MEBKM:TITLE:t;URL:http\\://example.com;;", "otpauth://totp/I:a?secret=MFRA&digits=6&period=30&issuer=I",
        "0109506000134352172612311012\u{1D}21A\u{1D}3103001250", "8008261121090530", "430913870000003163000000",
        "8013" + "1987654Ad4X4bL5ttr2310c2K", "4331000475-", "04252614", "9780201379624", "00106141412345678908",
    ]
    private static let aims = ["", "]C1", "]Q1", "]Q3", "]d2", "]e0", "]E0"]
    private static let settings: PayloadSettings = {
        var settings = PayloadSettings()
        settings.schemes = ["door"]
        return settings
    }()

    private func check(_ bytes: [UInt8], _ generator: inout SeededGenerator) {
        let symbology = Symbology.allCases.randomElement(using: &generator) ?? .qrCode
        let aim = FuzzTests.aims.randomElement(using: &generator) ?? ""
        // As the decoders do: text where the bytes are UTF-8, else sometimes a repaired one.
        let valid = String(validating: bytes, as: UTF8.self)
        let text = valid ?? (Bool.random(using: &generator) ? String(decoding: bytes, as: UTF8.self) : nil)
        let addOn = Bool.random(using: &generator) ? String(decoding: bytes.prefix(5), as: UTF8.self) : nil
        let interpreter = PayloadInterpreter(settings: FuzzTests.settings)
        let year = Int.random(in: -5...12_000, using: &generator)
        let payload = interpreter.interpret(
            symbol(bytes: bytes, text: text, symbology, aim: aim, addOn: addOn), currentYear: year)
        #expect(Payload.kinds.contains(payload.kind))
        if let gs1 = payload.gs1 {
            #expect(!gs1.elements.isEmpty && gs1.elements.count <= PayloadLimits.maxFields)
            #expect(gs1.problems.count <= PayloadLimits.maxProblems)
        }
        if let product = payload.product { #expect(product.gtin.utf8.count == 14) }
        if let geo = payload.geo { #expect(abs(geo.latitude) <= 90 && abs(geo.longitude) <= 180) }
    }

    @Test("Random bytes", arguments: 1...4 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &* 0x9E37_79B9)
        for _ in 0..<2500 {
            let count = Int.random(in: 0...80, using: &generator)
            check((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }, &generator)
        }
    }

    @Test("Digits and separators, as GS1 codes are made of", arguments: 1...2 as ClosedRange<UInt64>)
    func digits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &* 0x85EB_CA6B)
        let alphabet = Array("0123456789012345678901234567890123456789-A".utf8) + [0x1D, 0x1D]
        for _ in 0..<2500 {
            let count = Int.random(in: 0...60, using: &generator)
            check((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }, &generator)
        }
    }

    @Test("Right codes with bytes changed, removed, doubled, cut, joined", arguments: 1...8 as ClosedRange<UInt64>)
    func mutated(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &* 0xC2B2_AE35)
        let interesting = Array("\\;:,\"=%?&/@#\r\n \t\u{1D}\0".utf8) + [0xFF, 0xC3, 0xE2]
        for _ in 0..<2500 {
            var bytes = Array((FuzzTests.seeds.randomElement(using: &generator) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let place = bytes.indices.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0...6, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(interesting.randomElement(using: &generator) ?? 0, at: place)
                case 3: bytes.removeSubrange(place...)
                case 4: bytes.insert(contentsOf: bytes[place...], at: place)
                case 5: bytes[place] = interesting.randomElement(using: &generator) ?? 0
                default: bytes += (FuzzTests.seeds.randomElement(using: &generator) ?? "").utf8
                }
            }
            check(bytes, &generator)
        }
    }

    @Test("The longest texts stay within the limits", .timeLimit(.minutes(10)))
    func long() {
        var generator = SeededGenerator(seed: 7)
        let limit = PayloadLimits.maxTextBytes
        for head in [
            "WIFI:S:", "MECARD:N:", "BEGIN:VCARD\nFN:", "BEGIN:VEVENT\nX", "mailto:", "https://a/", "01", "geo:",
        ] {
            for body in [";", "\\", ":", "\n", "\n ", "%", "/01/", "91a\u{1D}", ",", "=\n", "\"", "&", "9"] {
                let bytes = Array((head + String(repeating: body, count: limit / body.utf8.count)).utf8.prefix(limit))
                check(bytes, &generator)
            }
        }
        #expect(payload("https://example.com/" + String(repeating: "a", count: limit)) == .text)
        #expect(PayloadInterpreter().interpret(text: String(repeating: "a", count: limit + 1)) == .text)
    }

    @Test("Undecodable text is text", arguments: [[], [0xFF, 0xFE], Array("WIFI:S:x;;".utf8)] as [[UInt8]])
    func undecodable(bytes: [UInt8]) {
        #expect(PayloadInterpreter().interpret(symbol(bytes: bytes, text: nil)) == .text)
    }
}
