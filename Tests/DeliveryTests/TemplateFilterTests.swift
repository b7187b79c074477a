import ControlSupport
import Settings
import Templates
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("Template filters")
struct TemplateFilterTests {
    @Test(
        "Each filter does its work",
        arguments: [
            ("{text|upper}", "grüße a1", "GRÜSSE A1"),
            ("{text|lower}", "ÄB1", "äb1"),
            ("{text|trim}", " \t a b\r\n", "a b"),
            ("{text|trim}", " \r\n", ""),
            ("{text|digits}", "+43 (1) 2x", "4312"),
            ("{text|gs:\"~\"}", "a\u{1D}b\u{1D}", "a~b~"),
            ("{text|gs:~}", "a\u{1D}b", "a~b"),
            ("{text|gs:<TAB>}", "a\u{1D}b", "a\tb"),
            ("{text|gs:\"<<FNC1>\"}", "a\u{1D}b", "a<FNC1>b"),
            ("{text|gs:\"\"}", "a\u{1D}b", "ab"),
            ("{text|gs:\" | } \\\" \"}", "a\u{1D}b", "a | } \" b"),
            ("{text|first:2}", "äöü", "äö"),
            ("{text|last:2}", "äöü", "öü"),
            ("{text|drop:1}", "äöü", "öü"),
            ("{text|first:9}{text|last:9}{text|drop:9}", "abc", "abcabc"),
            ("{text|first:0}", "abc", ""),
            ("{text|pad:5}", "42", "00042"),
            ("{text|pad:2}", "äöü", "äöü"),
            ("{text|pad:5}", "", ""),
            ("{text|hex}", "A\u{1D}", "411d"),
            ("{text|urlencode}", "a b/ü~", "a%20b%2F%C3%BC~"),
            ("{text|csv}", "plain", "plain"),
            ("{text|csv}", "say \"a;b\"", "\"say \"\"a;b\"\"\""),
            ("{text|csv}", " a", "\" a\""),
            ("\"{text|json}\"", "a\"\\\n\u{1D}ü\u{7F}", "\"a\\\"\\\\\\n\\u001dü\\u007f\""),
            ("\"{text|json}\"", "a\u{2028}b\u{2029}\u{85}", "\"a\\u2028b\\u2029\\u0085\""),
            ("{text|drop:1|upper|first:2}", "xabc", "AB"),
            ("{ text | drop:1 | upper }", "xab", "AB"),
            ("{text|gs: ~ |upper}", "a\u{1D}b", "A~B"),
        ])
    func filters(source: String, text: String, expected: String) throws {
        let bytes = try Template(source).render(Fixtures.scan(text: text), secrets: .asConfigured)
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("Bytes that aren't text are taken one by one")
    func rawBytes() throws {
        let event = Fixtures.scan(text: nil, bytes: [0xFF, 0x61, 0x5A, 0xFE])
        #expect(try Template("{bytes|first:2}").render(event, secrets: .asConfigured) == [0xFF, 0x61])
        #expect(try Template("{bytes|upper}").render(event, secrets: .asConfigured) == [0xFF, 0x41, 0x5A, 0xFE])
        #expect(try Template("{bytes|lower}").render(event, secrets: .asConfigured) == [0xFF, 0x61, 0x7A, 0xFE])
        #expect(try Template("{bytes|pad:5}").render(event, secrets: .asConfigured) == [0x30, 0xFF, 0x61, 0x5A, 0xFE])
        #expect(try Template("{bytes|hex}").render(event, secrets: .asConfigured) == Array("ff615afe".utf8))
    }

    @Test(
        "Errors point to the filter or its argument",
        arguments: [
            ("{text|uper}", 7, "did you mean upper?"),
            ("{text|first}", 7, "as in first:4"),
            ("{text|first:x}", 13, "a number of characters"),
            ("{text|first:-1}", 13, "a number of characters"),
            ("{text|first:4097}", 13, "from 0 to 4096"),
            ("{text|upper:1}", 13, "upper takes no argument"),
            ("{text|gs:<GS><GS><GS><GS><GS>|gs:<GS><GS><GS><GS><GS>|gs:<GS><GS><GS><GS><GS>|json}", 1, "256 times"),
            ("{text|json|json|json|json}", 1, "256 times"),
            ("{text|gs}", 7, "as in gs:\"~\""),
            ("{text|}", 7, "a filter's name is missing"),
            ("{text| trim | qwerty}", 15, "filters are upper, lower"),
            ("{text|gs:\"~}", 10, "\" without a second one"),
            ("{text|gs:\"~\"x}", 13, "after an argument comes | or }, not x"),
            ("{text|gs:<TAP>}", 10, "did you mean <TAB>?"),
            ("{text|gs:\\q}", 10, "unknown escape"),
            ("ab{text|upper", 3, "{ without }"),
            ("ab{text|gs:~", 3, "{ without }"),
            ("ab{text|gs:\"~\"", 3, "{ without }"),
            ("{text|trim|trim|trim|trim|trim|trim|trim|trim|trim}", 46, "at most 8 filters"),
        ])
    func errors(source: String, position: Int, says: String) {
        let error = #expect(throws: TemplateError.self) { try Template(source) }
        #expect(error?.position == position)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test("What compiles renders, and what doesn't says where, whatever one writes", arguments: 0..<10 as Range<UInt64>)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "{", "}", "|", ":", "\"", "<", ">", "\\", "\\x1", "\\x1D", "{{", "<<", "<CR>", " ", "ü", "\r\n", "👩‍👩‍👧",
            "{text",
            "{gs1.01", "{payload.url", "{gtin13", "{json", "{bytes", "|upper", "|first:2", "|gs:\"~\"", "|pad:4096",
            "|csv",
            "|json", "|hex", "|urlencode", "|last:0", "{time.unix}", "{code}", "{text}", "q", "7",
        ]
        var compiled = 0
        for _ in 0..<100 {
            let source = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
            do {
                let template = try Template(source)
                compiled += 1
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                let symbology = Symbology.allCases[Int.random(in: 0..<Symbology.allCases.count, using: &random)]
                let text = Bool.random(using: &random) ? String(decoding: bytes, as: UTF8.self) : nil
                let event = Fixtures.interpreted(text, bytes: bytes, symbology: symbology, aim: "]d2")
                for secrets in SecretPolicy.allCases {
                    #expect(template.render(event, secrets: secrets) != nil)
                }
            } catch {
                #expect((1...(source.count + 1)).contains(error.position), "\(source): \(error)")
            }
        }
        #expect(compiled > 5)
    }
}
