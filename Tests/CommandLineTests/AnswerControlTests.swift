import Control
import Foundation
import Settings
import Testing
import Vocabulary
import Wire

@testable import scanstation

@Suite("ctl accept")
struct AnswerControlTests {
    @Test(
        "asks for the relay as it is told",
        arguments: [
            ([], RelayWish.asConfigured), (["--relay"], .pulse(nil)), (["--no-relay"], RelayWish.none),
            (["--relay-for", "500ms"], .pulse(.milliseconds(500))),
            (["--relay-for", "1.5s"], .pulse(.milliseconds(1500))),
            (["--relay-for", "250"], .pulse(.milliseconds(250))), (["--relay-for", "5 s"], .pulse(.seconds(5))),
        ])
    func relay(_ arguments: [String], _ wish: RelayWish) throws {
        let control = try AcceptControl.parse(arguments + ["01a1"])
        #expect(control.command == .accept(id: "01a1", relay: wish))
    }

    @Test(
        "the relay takes the same times",
        arguments: [("500ms", Duration.milliseconds(500)), ("1.5s", .milliseconds(1500)), ("250", .milliseconds(250))])
    func pulse(_ text: String, _ length: Duration) throws {
        #expect(try RelayControl.parse(["--for", text]).command == .relay(length))
    }

    @Test(
        "refuses what isn't the length of a pulse",
        arguments: ["0", "-5ms", "2h", "1e3s", "nan", "", "s", "9ms", "61s", "61000", "5 s 5"])
    func nonsense(_ text: String) {
        #expect(throws: (any Error).self) { try AcceptControl.parse(["--relay-for", text]) }
        #expect(throws: (any Error).self) { try RelayControl.parse(["--for", text]) }
    }

    @Test("the time to wait for an answer is written the same way; a bare number is seconds")
    func timeout() throws {
        for (text, time) in [
            ("300", Duration.seconds(300)), ("0.5", .milliseconds(500)), ("250ms", .milliseconds(250)),
        ] {
            #expect(try ConnectionOptions.parse(["--timeout", text]).timeout == time)
        }
        #expect(try ConnectionOptions.parse([]).timeout == .seconds(5))
        for text in ["0", "2h", "1e3", "nan", "soon"] {
            let error = #expect(throws: (any Error).self) { try ConnectionOptions.parse(["--timeout", text]) }
            #expect(error.map { ConnectionOptions.message(for: $0).contains("must be a time from 1ms to 1h") } == true)
        }
    }

    @Test(
        "without an id asks for the one scan that waits; for none or several it says so, and is no mistake of the command line",
        arguments: [
            (["01a1"], Int32(0), ""), ([], 1, "no scan waits for an answer"),
            (["01a1", "01a2"], 1, "2 scans wait for an answer; name one: 01a1, 01a2"),
        ])
    func withoutID(_ open: [String], _ status: Int32, _ problem: String) async throws {
        let folder = NSTemporaryDirectory() + "answer-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = ControlSettings()
        settings.socket = folder + "/station.sock"
        let server = ControlServer(
            settings: settings, secrets: .asConfigured, journal: nil, door: SocketDoor(secretsLimit: nil)
        ) { command, _ in
            let waiting: JSONValue = ["open": .array(open.map { .string($0) })]
            switch command {
            case .status: return Reply(command: command.name, fields: ["host": waiting])
            case .accept(let id, _): return Reply(command: command.name, fields: ["scan": .string(id ?? "none")])
            default: return Reply(command: command.name, error: "not asked for here")
            }
        }
        try await server.start()
        let result = try await Executable.run([
            "ctl", "accept", "--socket", settings.socket ?? "", "--timeout", "300",
        ])
        #expect(result.status == status)
        #expect(problem.isEmpty ? result.errors.isEmpty : result.errors.contains(problem))
        #expect(!result.errors.contains("Usage"))
        if status == 0 { #expect(result.output.contains("01a1")) }
        await server.stop()
    }
}
