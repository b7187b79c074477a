import Foundation
import Logging
import Settings
import StationConfiguration
import TestSupport
import Testing
import Vocabulary

@testable import Station

/// Random configurations from values that may be wrong: what can't start is reported beforehand.
@Suite("Settings that a station can't start with")
struct StartProblemTests {
    private static let values: [(key: String, choices: [String])] = [
        ("webhook.url", ["'https://h/a'", "'http://h'", "'x'", "'ftp://h/a'", "'http://u:p@h/'", "'https:///a b'"]),
        ("webhook.headers", ["{A: b}", "{'a b': c}", "{Content-Type: c}", "{Authorization: x}", "{A: \"b\\tc\"}"]),
        ("webhook.tokenFile", ["/a"]), ("webhook.tokenCredential", ["a", "a/b", ".."]),
        ("webhook.tls", ["{}", "{certificate: /a}", "{certificate: /a, key: /b}", "{verify: off}"]),
        ("webhook.batch", ["1", "1000"]),
        ("mqtt.host", ["h", "'mqtt://h:1883'", "'h:1883'", "'::1'", "'a b'"]),
        ("mqtt.topic", ["a", "'a/#'", "/", "$SYS/a", "'{station}/x'"]), ("mqtt.discoveryPrefix", ["a", "a/+"]),
        ("mqtt.username", ["u"]), ("mqtt.passwordFile", ["/a"]), ("mqtt.passwordCredential", ["a", "a/b"]),
        ("mqtt.clientID", ["a", "'a/#'"]), ("mqtt.tls", ["{}", "{key: /a}"]),
        ("tcp.port", ["1", "65535"]), ("tcp.host", ["h", "'h:1'", "'http://h'", "'::1'"]),
        ("tcp.template", ["'{text}'", "'<STX>{text|raw}<ETX>'"]), ("tcp.role", ["client", "server"]),
        ("keyboard.template", ["'{text}<CR>'", "'日本{text}'", "'<STX>{text}'"]), ("keyboard.layout", ["us", "de"]),
        ("keyboard.allowControls", ["[TAB]", "[VT]", "[GS]"]), ("keyboard.templates", ["{qr_code: 'é{text}'}"]),
        ("serial.device", ["/dev/null"]), ("serial.baud", ["9600", "4000000"]), ("serial.dataBits", ["7", "8"]),
        ("unix.path", ["/tmp/a", "/nowhere/at/all"]), ("unix.group", ["root", "no-such-group-here"]),
        ("file.path", ["/tmp/a"]), ("file.lines", ["template"]), ("stdout.format", ["text"]),
    ]

    private func configuration(_ random: inout SeededGenerator) -> String {
        var yaml = "name: \(["a", "'+#'", "'$x'"].randomElement(using: &random) ?? "a")\n"
        yaml += "control: {socket: \(["/tmp/s", "/nowhere/at/all"].randomElement(using: &random) ?? "")"
        yaml += Bool.random(using: &random) ? ", group: no-such-group-here}\n" : "}\n"
        let kinds = OutputSettings.kinds.map { $0.key }.shuffled(using: &random)
        yaml += "outputs:\n"
        for kind in kinds.prefix(2) {
            yaml += "- \(kind):\n"
            let required = ["webhook.url", "mqtt.host", "tcp.port", "serial.device", "unix.path", "file.path"]
            for (key, choices) in Self.values where key.hasPrefix(kind + ".") {
                guard required.contains(key) || Int.random(in: 0..<3, using: &random) == 0 else { continue }
                yaml += "    \(key.dropFirst(kind.count + 1)): \(choices.randomElement(using: &random) ?? "")\n"
            }
        }
        return yaml
    }

    @Test("What a station refuses is a problem with a line; what has none starts")
    func completeness() throws {
        var random = SeededGenerator(seed: 1)
        var (refused, taken) = (0, 0)
        let options = StationOptions(readerExecutable: "/nonexistent", panel: nil, version: "1")
        for _ in 0..<600 {
            let yaml = configuration(&random)
            guard let loaded = try? StationConfiguration.parse(yaml: yaml, file: "s.yaml") else { continue }
            var settings = loaded.settings
            settings.journal.storage = .memory
            let problems = settings.problems(decoders: nil).filter { $0.severity == .error }
            let refusal: (any Error)?
            do {
                _ = try Station(settings: settings, options: options, log: Logger(label: "test"))
                refusal = nil
            } catch { refusal = error }
            #expect((refusal == nil) == problems.isEmpty, "\(yaml)\(String(describing: refusal)) \(problems)")
            guard !problems.isEmpty else {
                taken += 1
                continue
            }
            refused += 1
            let error = #expect(throws: ConfigurationErrors.self) { try loaded.with(problems) }
            for problem in error?.errors ?? [] { #expect(problem.position != nil, "\(problem)") }
        }
        // Chance must have tried both.
        #expect(refused > 50 && taken > 20, "\(refused) refused, \(taken) taken")
    }
}
