import ControlSupport
import Delivery
import Templates
import Testing
import Wire

/// What a code holds never passes for what the template writes.
@Suite("Records and what codes hold")
struct RecordGuardTests {
    private func render(_ source: String, _ text: String) throws -> String? {
        try Template(source).render(Fixtures.scan(text: text), secrets: .asConfigured).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("A line end in a code doesn't end the record")
    func forgedRecord() throws {
        let text = "OK-1\r\nOPEN DOOR\r\n"
        #expect(try render("{text}<CR><LF>", text) == "OK-1<CR><LF>OPEN DOOR<CR><LF>\r\n")
        #expect(try render("{text|raw}<CR><LF>", text) == text + "\r\n")
        #expect(try render("{text|upper|raw|trim}<CR><LF>", text) == "OK-1\r\nOPEN DOOR\r\n")
    }

    @Test(
        "Only one character ends or begins a record: the template's own",
        arguments: ["{text}<CR><LF>", "{text}<LF>", "<STX>{text}<ETX>", "{seq}<TAB>{text}<LF>", "{text}<GS>{seq}<NUL>"])
    func noForgery(source: String) throws {
        let template = try Template(source)
        let own = template.literals.joined().filter { $0 < 0x20 }
        for byte in 0..<32 as Range<UInt8> {
            let text = "a" + String(UnicodeScalar(byte)) + "b"
            let record = try #require(template.render(Fixtures.scan(text: text), secrets: .asConfigured))
            for literal in Set(own) {
                let count = record.count { $0 == literal }
                #expect(count == own.count { $0 == literal }, "\(byte) in \(source)")
            }
            #expect(!record.contains(0x0A) || own.contains(0x0A))
            #expect(!record.contains(0x0D) || own.contains(0x0D))
        }
    }

    @Test(
        "GS1 data, ISO 15434 messages and columns go through as they are",
        arguments: [
            "01095011015300031710119\u{1D}10AB-123\u{1D}21X", "[)>\u{1E}06\u{1D}P123\u{1D}Q5\u{1E}\u{4}", "a\tb",
            "Grüße 倉庫 👩‍👩‍👧",
        ])
    func dataSeparators(text: String) throws { #expect(try render("{text}<CR><LF>", text) == text + "\r\n") }

    @Test("A separator that the template uses itself doesn't go through, and the ISO 15434 message isn't half")
    func ownSeparators() throws {
        #expect(try render("{seq}<TAB>{text}", "a\tb") == "1\ta<TAB>b")
        #expect(try render("{text}<GS>{seq}", "[)>\u{1E}06\u{1D}P\u{1E}\u{4}") == "[)>\u{1E}06<GS>P\u{1E}<EOT>\u{1D}1")
        #expect(try render("{text|gs:\"~\"}<GS>", "a\u{1D}b") == "a~b\u{1D}")
        #expect(try render("{text}<EOT>", "[)>\u{1E}06\u{1D}P\u{1E}\u{4}") == "[)>\u{1E}06\u{1D}P\u{1E}<EOT>\u{4}")
        #expect(try render("{text}<LF>", "a\u{4}") == "a<EOT>\n")
    }

    @Test("Line ends that only Unicode has are named, too")
    func unicodeLineEnds() throws {
        #expect(try render("{text}<LF>", "a\u{85}b\u{2028}c\u{2029}\u{7F}") == "a<U+0085>b<U+2028>c<U+2029><DEL>\n")
    }

    @Test("Filters that write for a format keep what the format can hold")
    func formats() throws {
        #expect(try render("{text|csv}<CR><LF>", "a\r\nb\u{1B}") == "\"a\r\nb<ESC>\"\r\n")
        #expect(try render("\"{text|json}\"<LF>", "a\nb") == "\"a\\nb\"\n")
        #expect(try render("{text|hex}<LF>", "\n") == "0a\n")
        #expect(try render("{text|csv|trim}<LF>", "a\nb") == "\"a<LF>b\"\n")
    }
}
