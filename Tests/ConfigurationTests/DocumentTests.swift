import Settings
import TestSupport
import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("YAML documents")
struct DocumentTests {
    @Test(
        "Nothing, remarks and empty sections give the defaults",
        arguments: ["", "# only this\n", "---\n", "capture:\nlog:\n", "{}"])
    func nothingGivesDefaults(_ yaml: String) throws {
        #expect(try StationConfiguration.parse(yaml: yaml, file: "f").settings == StationSettings())
    }

    @Test("A repeated key is reported where it is repeated, and hides nothing else")
    func repeatedKeys() {
        let yaml = """
            name: a
            capture: {zoom: 2, zoom: 3, zoom: 4}
            "name": b
            trigger:
              mode: plus
            name: c
            outputs:
            - stdout: {}
              'queue': 1
              queue: 2
            """
        #expect(
            problems(yaml) == [
                "station.yaml:2:20: key \"capture.zoom\" is given twice, first in line 2",
                "station.yaml:2:29: key \"capture.zoom\" is given twice, first in line 2",
                "station.yaml:3:1: key \"name\" is given twice, first in line 1",
                """
                station.yaml:5:9: trigger.mode must be one of presentation, level, pulse, continuous, host, not "plus"; \
                did you mean "pulse"?
                """,
                "station.yaml:6:1: key \"name\" is given twice, first in line 1",
                "station.yaml:10:3: key \"outputs[0].queue\" is given twice, first in line 9",
            ])
    }

    @Test(
        "A repeated key is found behind every end of a line that YAML knows",
        arguments: ["\r", "\r\n", "\u{85}", "\u{2028}"])
    func repeatedKeysBehindLineEnds(end: String) {
        #expect(
            problems("log: {}\(end)name: a\nname: b\nname: c\n") == [
                "station.yaml:3:1: key \"name\" is given twice, first in line 2",
                "station.yaml:4:1: key \"name\" is given twice, first in line 2",
            ])
    }

    @Test("More repetitions than anyone makes by hand end in one sentence")
    func manyRepeatedKeys() {
        #expect(
            problems(String(repeating: "name: a\n", count: 50)) == [
                "station.yaml: keys are given twice in more than 19 places"
            ])
    }

    @Test("A long text of nonsense is read less often")
    func repeatedKeysInALongText() {
        let line = "name: \(String(repeating: "a", count: 93))\n"
        #expect(
            problems(String(repeating: line, count: 1000)) == [
                "station.yaml: keys are given twice in more than 3 places"
            ])
    }

    @Test(
        "Broken YAML is reported with its place",
        arguments: [
            ("capture: {zoom: 2", "2:1: not valid YAML: "),
            ("capture:\n\tzoom: 2", "2:1: not valid YAML: a tab; indent with spaces"),
            ("name: 'a", "not valid YAML: "), ("a: b: c", "1:5: not valid YAML: "),
            ("name: *x", "1:7: not valid YAML: "),
            ("name: a\n---\nname: b", "2:1: a second document begins here"), ("name: a\u{1}", "1:8: not valid YAML: "),
            ("log: {}\nname: \"\\q\"", "2:"), (String(repeating: "[", count: 100_000), "not valid YAML: "),
        ])
    func brokenYAML(_ yaml: String, _ expected: String) {
        let found = problems(yaml)
        #expect(found.count == 1)
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test("Columns count characters, not bytes")
    func columnsCountCharacters() {
        #expect(
            problems("{name: \"Köln 😀\", nam: 1}") == ["station.yaml:1:18: unknown key \"nam\", did you mean \"name\"?"]
        )
    }

    @Test("Aliases repeat values; problems in them have the place of what is repeated")
    func aliases() throws {
        let yaml =
            "trigger: {mode: pulse, button: &b {line: GPIO27, debounce: 20ms}}\nconfirmation: {policy: always, button: *b}"
        let found = problems(yaml)
        #expect(
            found == [
                """
                station.yaml:1:42: confirmation.button.line and trigger.button.line both name GPIO27: \
                give each a line of its own
                """
            ])
    }

    @Test("Nonsense never brings the reader down", arguments: 0..<300)
    func nonsense(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(StationConfiguration.example.utf8.prefix(4000))
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert("{}[]:#&*!|>'\"%@`,-? \n\t".utf8.randomElement(using: &random) ?? 0, at: index)
            default: bytes.insert(contentsOf: bytes.suffix(from: index).prefix(60), at: index)
            }
        }
        // What comes out is either settings or problems; each has a message.
        #expect(problems(String(decoding: bytes, as: UTF8.self)).allSatisfy { !$0.isEmpty })
    }
}
