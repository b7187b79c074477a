import Testing

@testable import Payloads

@Suite("Contacts")
struct ContactTests {
    @Test("A vCard 3.0 gives its fields")
    func version3() throws {
        let card = try #require(
            payload(
                """
                BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane;Q.;Dr.;MSc\r\nFN:Dr. Jane Doe\r\nORG:Acme\\, Inc.;Research;Lab 2\r
                TITLE:Engineer\r\nTEL;TYPE=WORK,VOICE:+1-555-0100\r\nTEL;TYPE=\"cell\":5550101\r
                EMAIL;TYPE=INTERNET:jane@example.com\r\nADR;TYPE=HOME:;;1 Main St;Springfield;IL;62701;USA\r
                URL:https://example.com\r\nNOTE:line one\\nline two\\; end\r\nBDAY:1980-02-29\r\nEND:VCARD\r\n
                """
            ).contact)
        #expect(card.format == .vCard)
        #expect(card.version == "3.0")
        #expect(card.name.formatted == "Dr. Jane Doe")
        #expect(card.name.family == "Doe")
        #expect(card.name.given == "Jane")
        #expect(card.name.suffix == "MSc")
        #expect(card.organization == "Acme, Inc.")
        #expect(card.units == ["Research", "Lab 2"])
        #expect(card.title == "Engineer")
        #expect(
            card.phones == [
                .init("+1-555-0100", types: ["work", "voice"]), .init("5550101", types: ["cell"]),
            ])
        #expect(card.emails == [.init("jane@example.com", types: ["internet"])])
        #expect(card.addresses.first?.street == "1 Main St")
        #expect(card.addresses.first?.country == "USA")
        #expect(card.addresses.first?.postOfficeBox == nil)
        #expect(card.urls == ["https://example.com"])
        #expect(card.note == "line one\nline two; end")
        #expect(card.birthday == "1980-02-29")
        #expect(card.problems.isEmpty)
    }

    @Test("A folded line is one line")
    func folding() throws {
        let card = try #require(
            payload("BEGIN:VCARD\nVERSION:4.0\nFN:Jane\nNOTE:This is a lo\n ng note\n\twith two folds\nEND:VCARD")
                .contact)
        #expect(card.note == "This is a long notewith two folds")
    }

    @Test("vCard 2.1: quoted-printable, its soft breaks, bare types and Latin-1")
    func version21() throws {
        let card = try #require(
            payload(
                "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg\r\n"
                    + "NOTE;QUOTED-PRINTABLE:first=0D=0Aline=\r\n and more\r\n"
                    + "ORG;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:B=E4cker\r\nTEL;CELL;VOICE:0171\r\nEND:VCARD"
            ).contact)
        #expect(card.name.family == "Müller")
        #expect(card.name.formatted == "Jörg Müller")
        #expect(card.note == "first\r\nline and more")
        #expect(card.organization == "Bäcker")
        #expect(card.phones == [.init("0171", types: ["cell", "voice"])])
    }

    @Test("vCard 4.0: groups, quoted parameters and URIs")
    func version4() throws {
        let card = try #require(
            payload(
                "BEGIN:VCARD\nVERSION:4.0\nFN:A\nitem1.TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+43-1-2\n"
                    + "ADR;LABEL=\"1, Road: X; Y\":;;Road;;;;\nEND:VCARD"
            ).contact)
        #expect(card.phones == [.init("+43-1-2", types: ["voice", "home"])])
        #expect(card.addresses.first?.street == "Road")
    }

    @Test("Only the first card counts, and a nested one is skipped")
    func several() throws {
        let text =
            "BEGIN:VCARD\nFN:One\nBEGIN:VCARD\nFN:Agent\nEND:VCARD\nNOTE:n\nEND:VCARD\nBEGIN:VCARD\nFN:Two\nTEL:1\nEND:VCARD"
        let card = try #require(payload(text).contact)
        #expect(card.name.formatted == "One")
        #expect(card.note == "n")
        #expect(card.phones.isEmpty)
    }

    @Test("A cut-off card gives what is there and says so")
    func truncated() throws {
        let card = try #require(payload("BEGIN:VCARD\nVERSION:3.0\nTEL:5").contact)
        #expect(card.phones == [.init("5")])
        #expect(card.problems.count == 2)
    }

    @Test("An empty card is text", arguments: ["BEGIN:VCARD", "BEGIN:VCARD\nEND:VCARD", "MECARD:;;", "MECARD:"])
    func empty(text: String) { #expect(payload(text) == .text) }

    @Test("A MeCard gives its fields, escapes resolved")
    func meCard() throws {
        let card = try #require(
            payload(
                #"MECARD:N:Doe,John;SOUND:x;TEL:+1 555;TEL-AV:2;EMAIL:j\:d@example.com;ADR:,,1 Main St\, App 2,Town,ST,123,US;"#
                    + #"URL:http\://example.com;NICKNAME:JD;ORG:Acme\; Co;NOTE:a\\b;BDAY:19800229;;"#
            ).contact)
        #expect(card.format == .meCard)
        #expect(card.name.family == "Doe")
        #expect(card.name.given == "John")
        #expect(card.name.formatted == "John Doe")
        #expect(card.phones == [.init("+1 555"), .init("2", types: ["video"])])
        #expect(card.emails == [.init("j:d@example.com")])
        #expect(card.addresses.first?.street == "1 Main St, App 2")
        #expect(card.addresses.first?.country == "US")
        #expect(card.urls == ["http://example.com"])
        #expect(card.organization == "Acme; Co")
        #expect(card.note == #"a\b"#)
    }

    @Test("A MeCard with a plain name and address")
    func plainMeCard() throws {
        let card = try #require(payload("MECARD:N:John Doe;ADR:1 Main St, Town;;").contact)
        #expect(card.name.formatted == "John Doe")
        #expect(card.addresses == [.init(street: "1 Main St, Town")])
    }
}
