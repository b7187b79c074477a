import ControlSupport
import Delivery
import Templates
import Testing
import Wire

@Suite("Template")
struct TemplateTests {
    @Test(
        "Each notation gives its bytes",
        arguments: [
            ("{text}<CR><LF>", "hello\r\n"),
            ("<STX>{text}<ETX>", "\u{2}hello\u{3}"),
            ("{aim}{text}<TAB>{symbology}", "]Q1hello\tqr_code"),
            ("{seq};{id};{station}", "7;scan-7;dock-1"),
            ("{time}", "2026-11-21T06:14:40.125Z"),
            ("\\r\\n\\t\\x41\\\\", "\r\n\tA\\"),
            ("{{text} <<CR>", "{text} <CR>"),
            ("a}b>c", "a}b>c"),
            ("<gs><Xon><DEL><NUL>", "\u{1D}\u{11}\u{7F}\u{0}"),
            ("Grüße {text}", "Grüße hello"),
            ("", ""),
        ])
    func notation(source: String, expected: String) throws {
        #expect(try Template(source).render(Fixtures.scan(7), secrets: .asConfigured) == Array(expected.utf8))
    }

    @Test("Every control character has its ASCII name")
    func controlCharacters() throws {
        for byte in 0..<32 as Range<UInt8> {
            let name = try #require(ControlCharacter.name(of: byte))
            #expect(try Template("<\(name)>").render(Fixtures.scan(), secrets: .asConfigured) == [byte])
        }
    }

    @Test("GS and bytes that aren't text arrive as the code carries them, control characters if they are asked for")
    func rawBytes() throws {
        let bytes: [UInt8] = [0x00, 0x1D, 0xFF, 0x1B, 0x85]
        let event = Fixtures.scan(text: nil, bytes: bytes)
        let named = Array("<NUL>\u{1D}".utf8) + [0xFF] + Array("<ESC>".utf8) + [0x85]
        for field in ["text", "bytes"] {
            #expect(try Template("{\(field)|raw}").render(event, secrets: .asConfigured) == bytes)
            #expect(try Template("{\(field)}").render(event, secrets: .asConfigured) == named)
        }
    }

    @Test("{json} is the event's line without its line feed")
    func json() throws {
        let event = Fixtures.scan(3)
        #expect(try Template("{json}<LF>").render(event, secrets: .asConfigured) == event.line(secrets: .asConfigured))
    }

    @Test("Only scans are written")
    func otherEvents() throws {
        #expect(try Template("{text}").render(Fixtures.state(), secrets: .asConfigured) == nil)
    }

    @Test(
        "Errors name the place and what to write instead",
        arguments: [
            ("{text}{txet}", 7, "did you mean {text}?"),
            ("{symbolgy}", 1, "did you mean {symbology}?"),
            ("{text}<RC>", 7, "unknown control character <RC>"),
            ("{text}<L\u{2028}F>", 7, "unknown control character <L F>, did you mean <LF>?"),
            ("<CRR>", 1, "did you mean <CR>?"),
            ("ab{text", 3, "{ without }"),
            ("<CR", 1, "< without >"),
            ("abc\\q", 4, "unknown escape \\q"),
            ("\\x1", 1, "two hexadecimal digits"),
            ("\\x+1", 1, "two hexadecimal digits"),
            ("end\\", 4, "a backslash at the end"),
            ("{}", 1, "unknown field {}"),
        ])
    func errors(source: String, position: Int, says: String) {
        let error = #expect(throws: TemplateError.self) { try Template(source) }
        #expect(error?.position == position)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("template, character \(position): ") == true)
    }

    @Test("A field that resembles none is listed with all there are")
    func unrelatedField() {
        let error = #expect(throws: TemplateError.self) { try Template("{price}") }
        #expect(error?.message.contains("did you mean") == false)
        #expect(error?.message.contains("{text} {bytes} {aim}") == true)
    }

    @Test("A template that is too long is refused")
    func tooLong() {
        let source = String(repeating: "x", count: Template.maxSourceBytes + 1)
        #expect(throws: TemplateError.self) { try Template(source) }
    }
}
