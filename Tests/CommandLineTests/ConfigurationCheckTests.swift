import Foundation
import Testing

/// `config check`, `run` and `doctor` check a configuration in the same way.
@Suite("Configuration check", .timeLimit(.minutes(10)))
final class ConfigurationCheckTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "cc-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let yaml: String
        let place: String
        let says: String
        init(_ yaml: String, _ place: String, _ says: String) {
            self.yaml = yaml
            self.place = place
            self.says = says
        }
        var testDescription: String { yaml }
    }

    /// Each made the station end with 78 at its start while the check called it good.
    static let mistakes = [
        Mistake("outputs: [{webhook: {url: example.com/x}}]", "1:27", "is not a URL"),
        Mistake("outputs: [{webhook: {url: 'ftp://example.com/x'}}]", "1:27", "begins with neither"),
        Mistake("outputs: [{webhook: {url: 'http://u:p@x/'}}]", "1:27", "a user or password doesn't belong in a URL"),
        Mistake(
            "outputs:\n- webhook:\n    url: http://x/\n    headers: {\"a b\": c}", "4:22", "is not the name of a header"
        ),
        Mistake(
            "outputs: [{webhook: {url: 'http://x/', headers: {Content-Type: c}}}]", "1:64", "writes this header itself"),
        Mistake("outputs: [{webhook: {url: 'http://x/', tls: {}}}]", "1:40", "has no effect on an http:// URL"),
        Mistake(
            "outputs: [{webhook: {url: 'http://x/', tokenFile: /a, tokenCredential: b}}]", "1:72", "are both set"),
        Mistake("outputs: [{mqtt: {host: h, topic: 'a/#'}}]", "1:35", "has a wildcard"),
        Mistake("outputs: [{mqtt: {host: h, topic: /}}]", "1:35", "has an empty level"),
        Mistake("outputs: [{mqtt: {host: h, discoveryPrefix: a/+}}]", "1:45", "has a wildcard"),
        Mistake("outputs: [{mqtt: {host: h, passwordFile: /a}}]", "1:42", "mqtt.username: is missing"),
        Mistake(
            "outputs: [{mqtt: {host: h, username: u, passwordFile: /a, passwordCredential: b}}]", "1:79",
            "are both set"),
        Mistake("outputs: [{mqtt: {host: 'mqtt://x:1883'}}]", "1:25", "write host: x, port: 1883"),
        Mistake("outputs: [{tcp: {host: 'x:9100', port: 9100}}]", "1:24", "the port goes into"),
        Mistake("outputs: [{keyboard: {template: '日本{text}'}}]", "1:33", "can't type"),
        Mistake("outputs: [{keyboard: {allowControls: [VT]}}]", "1:23", "there is no key for VT"),
        Mistake("control: {group: no-such-group-here}", "1:18", "there is no group"),
        Mistake("control: {socket: /nowhere/at/all.sock}", "1:19", "doesn't exist"),
    ]

    @Test("What run refuses, check and doctor refuse too, with line and column", arguments: mistakes)
    func agreement(_ mistake: Mistake) async throws {
        let path = folder + "/station.yaml"
        try mistake.yaml.write(toFile: path, atomically: true, encoding: .utf8)
        let line = "\(path):\(mistake.place): "
        for arguments in [["config", "check", path], ["run", "--plain", "--simulate", "--config", path]] {
            let result = try await Executable.run(arguments)
            #expect(result.status == 78, "\(arguments[0])")
            #expect(result.errors.contains(line) && result.errors.contains(mistake.says), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
        let doctor = try await Executable.run(["doctor", "--config", path])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("FAIL  config    \(line)"), "\(doctor.output)")
    }

    @Test("Everything that is wrong is shown at once, in the order of the file")
    func all() async throws {
        let path = folder + "/station.yaml"
        let yaml = "outputs:\n- mqtt: {host: h, topic: a/#}\n- webhook: {url: ftp://xyz}\n- stdout: {}\n  name: mqtt\n"
        try yaml.write(toFile: path, atomically: true, encoding: .utf8)
        let result = try await Executable.run(["config", "check", path])
        #expect(result.status == 78)
        let places = result.errors.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(places == ["\(path):2:26:", "\(path):3:18:"], "\(result.errors)")
    }

    @Test("The verdict is one line; warnings are counted, shown, logged by run, and stop nothing")
    func verdict() async throws {
        let path = folder + "/station.yaml"
        try "trigger: {mode: host}\n".write(toFile: path, atomically: true, encoding: .utf8)
        let good = try await Executable.run(["config", "check", path])
        #expect(good.status == 0)
        #expect(good.output == "\(path): no problems found\n")
        #expect(good.errors.isEmpty)
        let decoders = try await Executable.run(["config", "check", "--decoders", path])
        #expect(decoders.output.contains("qr_code "))
        #expect(decoders.output.hasSuffix("\n\(path): no problems found\n"))

        try "host: {relayOnAccept: on}\n".write(toFile: path, atomically: true, encoding: .utf8)
        let warned = try await Executable.run(["config", "check", path])
        #expect(warned.status == 0)
        #expect(warned.output == "\(path): no errors, 1 warning\n")
        #expect(warned.errors.hasPrefix("\(path):1:23: warning: host.relayOnAccept has no effect"))
        let station = try Executable.start([
            "run", "--plain", "--simulate", "--config", path, "--socket", folder + "/s.sock",
        ])
        defer { station.send(SIGKILL) }
        _ = try await station.errorLine(with: ":1:23: warning: host.relayOnAccept has no effect")
        _ = try await station.errorLine(with: "the station runs")
    }

    @Test("What the console changed lies over the file and under the command line; a broken file of it stops nothing")
    func overlay() async throws {
        let path = folder + "/station.yaml"
        let overlay = folder + "/console.yaml"
        try "journal: {folder: \(folder)}\ntrigger: {mode: host, timeout: 7s}\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let kept = "values:\n  trigger.timeout: 9s\n  journal.folder: /elsewhere\nchanges: []\n"
        try kept.write(toFile: overlay, atomically: true, encoding: .utf8)
        let shown = try await Executable.run(["config", "show", "--origin", "--log-level", "debug", path])
        for line in [
            "timeout: 9s  # console", "mode: host  # file", "gap: 0s  # default", "level: debug  # command line",
        ] {
            #expect(shown.output.contains("  \(line)\n"), "\(line)")
        }
        #expect(shown.errors.contains("\"journal.folder\" is left out"))
        let plain = try await Executable.run(["config", "show", path])
        #expect(plain.output.contains("  timeout: 9s\n") && plain.output.contains("  folder: \(folder)\n"))
        #expect(plain.errors.contains("from \(overlay): trigger.timeout\n"))

        try "values: [".write(toFile: overlay, atomically: true, encoding: .utf8)
        let checked = try await Executable.run(["config", "check", path])
        #expect(checked.status == 0)
        #expect(checked.output == "\(path): no errors, 1 warning\n")
        #expect(checked.errors.hasPrefix("warning: \(overlay): not valid YAML"))
        let doctor = try await Executable.run(["doctor", "--config", path, "--socket", folder + "/none.sock"])
        #expect(doctor.output.contains("WARN  console   \(overlay): not valid YAML"))
        // Neither of them touches the file.
        #expect(FileManager.default.fileExists(atPath: overlay))
    }

    @Test("A station that is killed during a trial comes back with what was, whatever its overlay says")
    func killed() async throws {
        let path = folder + "/station.yaml"
        let state = folder + "/simulated"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try "journal: {folder: \(folder)}\ntrigger: {mode: host, timeout: 7s}\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        try "\u{1}".write(toFile: state + "/console.yaml", atomically: true, encoding: .utf8)
        let arguments = [
            "run", "--plain", "--simulate", "--no-console", "--config", path, "--socket", folder + "/s.sock",
        ]
        let first = try Executable.start(arguments)
        defer { first.send(SIGKILL) }
        _ = try await first.errorLine(with: "console.yaml.broken")
        _ = try await first.errorLine(with: "the station runs")
        first.send(SIGKILL)
        let marker = "values: {}\npending: {time: now, by: owner, values: {trigger.timeout: 9s}}\nchanges: []\n"
        try marker.write(toFile: state + "/console.yaml", atomically: true, encoding: .utf8)
        let second = try Executable.start(arguments)
        defer { second.send(SIGKILL) }
        _ = try await second.errorLine(with: "a change by owner (trigger.timeout: 9s) was on trial")
        _ = try await second.errorLine(with: "the station runs")
        let left = try String(contentsOfFile: state + "/console.yaml", encoding: .utf8)
        #expect(!left.contains("pending") && left.contains("values: {}"))
        second.send(SIGKILL)
        // What was kept may not be allowed any more, or have a value that nothing takes: the rest holds.
        let kept = "values: {reading.agreement: 3, trigger.mode: sideways, trigger.timeout: 9s}\nchanges: []\n"
        try kept.write(toFile: state + "/console.yaml", atomically: true, encoding: .utf8)
        let third = try Executable.start(arguments)
        defer { third.send(SIGKILL) }
        _ = try await third.errorLine(with: "reading.agreement")
        _ = try await third.errorLine(with: "trigger.mode")
        _ = try await third.errorLine(with: "console.yaml: trigger.timeout")
        _ = try await third.errorLine(with: "the station runs")
    }

    @Test("A reload with what the station wouldn't start with is refused, with its place")
    func reload() async throws {
        let path = folder + "/station.yaml"
        try "trigger: {mode: host}\n".write(toFile: path, atomically: true, encoding: .utf8)
        let station = try Executable.start([
            "run", "--plain", "--simulate", "--config", path, "--socket", folder + "/s.sock",
        ])
        defer { station.send(SIGKILL) }
        _ = try await station.errorLine(with: "the station runs")
        try "outputs: [{mqtt: {host: h, topic: 'a/#'}}]\n".write(toFile: path, atomically: true, encoding: .utf8)
        station.send(SIGHUP)
        _ = try await station.errorLine(with: "\(path):1:35: outputs[0].mqtt.topic: \"a/#\" has a wildcard")
        _ = try await station.errorLine(with: "the old one stays in force")
        #expect(station.isRunning)
    }
}
