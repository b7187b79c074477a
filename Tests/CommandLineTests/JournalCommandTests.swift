import Foundation
import Glibc
import Testing

@testable import scanstation

/// `journal`, `outputs` and `watch --after`, on the journal of a station that runs and of one that doesn't any more.
@Suite("Command line: the journal", .timeLimit(.minutes(10)))
final class JournalCommandTests {
    private let folder: String
    /// Where `run --simulate` keeps its scans, in the folder of the configuration.
    private var state: String { folder + "/state/simulated" }
    private var socket: String { folder + "/s.sock" }
    private var config: String { folder + "/station.yaml" }

    init() throws {
        folder = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = """
            journal: {folder: \(folder)/state}
            outputs:
              - file: {path: \(folder)/scans.ndjson}
                name: archive
              - tcp: {host: 127.0.0.1, port: 9}
                name: nobody
                required: off
              - stdout: {scansOnly: on}
            """
        try text.write(toFile: config, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func journal(_ arguments: String...) async throws -> Executable.Result {
        try await Executable.run(["journal"] + arguments + ["--simulated", "--config", config])
    }

    /// A station that has kept at least `count` scans.
    private func start(count: Int) async throws -> RunningExecutable {
        let station = try Executable.start(["run", "--simulate", "--plain", "--config", config, "--socket", socket])
        // A frame has a "seq" of its own, before no "time".
        _ = try await station.line(with: "\"seq\":\(count),\"time\"")
        return station
    }

    @Test("while the station runs it can be read, and not changed")
    func running() async throws {
        let station = try await start(count: 3)
        defer { station.send(SIGKILL) }
        let listed = try await journal("list", "--last", "2", "--json")
        #expect(listed.status == 0)
        #expect(listed.output.split(separator: "\n").count == 2)
        #expect(listed.output.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"v":1,"type":"scan","#) })

        for change in [["replay", "archive", "--from", "1"], ["compact"]] {
            let result = try await Executable.run(["journal"] + change + ["--simulated", "--config", config])
            #expect(result.status == 69)
            #expect(result.errors.contains("while a station has it open"), "\(result.errors)")
            #expect(result.errors.contains("in use by process \(station.pid): stop that station"))
        }

        let outputs = try await Executable.run(["outputs", "--socket", socket, "--timeout", "300"])
        #expect(outputs.status == 0)
        #expect(outputs.output.contains("OUTPUT "))
        #expect(outputs.output.contains("\narchive "))
        #expect(outputs.output.contains("  → cannot connect to 127.0.0.1:9"))

        let watch = try Executable.start([
            "watch", "--after", "1", "--only", "scan", "--socket", socket, "--timeout", "300",
        ])
        defer { watch.send(SIGKILL) }
        #expect(try await watch.line(with: #""type":"#).contains("\"seq\":2,"))
        _ = try await watch.errorLine(with: "scans come first")
        let other = try await Executable.run(
            ["watch", "--after", "1", "--journal", "another", "--socket", socket, "--timeout", "300"])
        #expect(other.status == 1)
        #expect(other.errors.contains("not \"another\""))
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
        #expect(await watch.end().status == 69)
    }

    @Test("when it has stopped: list, show, export, verify, replay, compact, outputs")
    func stopped() async throws {
        let station = try await start(count: 5)
        station.send(SIGTERM)
        #expect(await station.end().status == 0)

        let after = try await journal("list", "--after", "1", "--limit", "2")
        #expect(after.output.split(separator: "\n").map { $0.contains("#2 ") || $0.contains("#3 ") } == [true, true])

        let shown = try await journal("show", "2", "--json")
        #expect(shown.status == 0)
        #expect(shown.output.contains(#"{"outcome":"accepted","output":"archive"}"#), "\(shown.output)")
        #expect(shown.output.contains(#"{"outcome":"pending","output":"nobody"}"#))
        let missing = try await journal("show", "999999")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("has no scan 999999"))

        let none = try await journal("exceptions")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errors.contains("no output has refused"))
        let unknown = try await journal("exceptions", "--output", "till")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("it knows archive, nobody, stdout"), "\(unknown.errors)")

        let file = folder + "/export.ndjson"
        let exported = try await journal("export", "--to", file)
        #expect(exported.status == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 5)
        #expect(lines.first?.contains("\"seq\":1,") == true)
        #expect(exported.errors.contains("\(lines.count) scans written to \(file)"))
        let again = try await journal("export", "--to", file)
        #expect(again.status == 73)
        #expect(again.errors.contains("move it away first"))
        let replayed = try await journal("replay", "archive", "--from", "3")
        #expect(replayed.status == 0)
        #expect(replayed.output.contains("\(lines.count - 2) scans from 3 on will be sent to archive"))
        let ahead = try await journal("replay", "archive", "--from", "4")
        #expect(ahead.status == 1)
        #expect(ahead.errors.contains("would leave some out"))
        #expect(try await journal("replay", "till", "--from", "1").errors.contains("it knows: archive, nobody, stdout"))

        let outputs = try await Executable.run(
            ["outputs", "--simulated", "--config", config, "--socket", socket, "--json"])
        #expect(outputs.status == 0)
        #expect(outputs.output.contains(#""source":"journal""#))
        #expect(outputs.output.contains(#""cursor":2"#))

        #expect(try await journal("verify").output.contains("\(lines.count) scans, all sound"))
        #expect(try await journal("compact").status == 0)
        try damage()
        let found = try await journal("verify", "--json")
        #expect(found.status == 1)
        #expect(found.output.contains(#""sound":false"#))
    }

    /// Changes a letter in a scan.
    private func damage() throws {
        let path = state + "/journal.db"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data(#""type":"scan""#.utf8)))
        bytes.replaceSubrange(place, with: Data(#""type":"scam""#.utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test("without a journal it says where it looked, and exit is 69")
    func none() async throws {
        for command in [["list"], ["show", "1"], ["export"], ["verify"], ["compact"], ["replay", "a", "--from", "1"]] {
            let result = try await Executable.run(["journal"] + command + ["--folder", folder + "/none"])
            #expect(result.status == 69, "\(command)")
            #expect(result.errors.contains("there is no journal in \(folder)/none"))
        }
    }

    @Test("an export that fails at the start leaves no file behind")
    func noExport() async throws {
        let file = folder + "/export.ndjson"
        let result = try await Executable.run(["journal", "export", "--folder", folder + "/none", "--to", file])
        #expect(result.status == 69)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(
        "options that contradict each other are refused with exit code 64",
        arguments: [
            ["journal", "list", "--last", "1", "--after", "2"], ["journal", "list", "--limit", "1"],
            ["journal", "replay", "a", "--from", "0"], ["journal", "list", "--folder", "/tmp", "--simulated"],
            ["watch", "--journal", "x"], ["ctl", "accept", "--no-relay", "--relay-for", "1s"],
        ])
    func contradictions(_ arguments: [String]) async throws {
        #expect(try await Executable.run(arguments).status == 64)
    }
}
