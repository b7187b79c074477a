import Foundation
import Glibc
import Testing

@testable import scanstation

/// The built executable, started as a person or systemd starts it.
@Suite("Command line", .timeLimit(.minutes(10)))
struct CommandLineTests {
    private static let scene = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Capture/Scene").path

    private func temporaryPath(_ ending: String) -> String {
        NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8)).\(ending)"
    }

    @Test("a configuration with errors is refused with their places and exit code 78")
    func badConfiguration() async throws {
        let file = temporaryPath("yaml")
        try "trigger:\n  mode: foo\n".write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try await Executable.run(["run", "--config", file])
        #expect(result.status == 78)
        #expect(result.errors.contains("\(file):2:9: trigger.mode must be one of"))
        #expect(result.output.isEmpty)
    }

    @Test("without a station, ctl and watch say so and exit 69", arguments: [["ctl", "status"], ["watch"]])
    func noStation(_ command: [String]) async throws {
        let result = try await Executable.run(command + ["--socket", temporaryPath("sock")])
        #expect(result.status == 69)
        #expect(result.errors.contains("no station is running"))
    }

    @Test("scan reads a picture as JSON or as text, and reports a missing one on standard error")
    func scan() async throws {
        let picture = Self.scene + "/01-ean13.png"
        let json = try await Executable.run(["scan", picture])
        #expect(json.status == 0)
        #expect(json.output.contains(#""text":"2098765000425""#))
        let text = try await Executable.run(["scan", "--text", picture, "/nonexistent.png"])
        #expect(text.status == 0)
        #expect(text.output == "\(picture)  ean_13  2098765000425  (product)\n")
        #expect(text.errors.contains("/nonexistent.png can't be opened"))
        #expect(try await Executable.run(["scan", "/nonexistent.png"]).status == 1)
    }

    @Test("a running station answers, refuses a second one, and ends cleanly on SIGTERM")
    func life() async throws {
        let socket = temporaryPath("sock")
        let station = try Executable.start(["run", "--simulate", "--plain", "--socket", socket])
        defer { station.send(SIGKILL) }
        // Written once the socket is there.
        _ = try await station.line(with: #""part":"station""#)
        let status = try await Executable.run(["ctl", "status", "--socket", socket, "--timeout", "300"])
        #expect(status.status == 0)
        #expect(status.output.contains("presentation"))
        let second = try await Executable.run(["run", "--simulate", "--plain", "--socket", socket])
        #expect(second.status == 69)
        #expect(second.errors.contains("another station answers"))
        let refused = try await Executable.run(["ctl", "trigger", "--socket", socket, "--timeout", "300"])
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("scanstation: "))
        #expect(refused.errors.contains("always looks"))
        let focus = try await Executable.run(["ctl", "focus", "--socket", socket, "--timeout", "300"])
        #expect(focus.status == 1)
        #expect(focus.errors.contains("focus"))
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("the program has no library that decodes pictures: files from strangers are for the reader of pictures alone")
    func libraries() async throws {
        let libraries = ["jpeg", "png", "webp", "heif", "gif", "tiff"]
        let program = try await RunningExecutable(path: "/usr/bin/ldd", arguments: [Executable.path]).end().output
        let reader = try await RunningExecutable(
            path: "/usr/bin/ldd", arguments: [Executable.path + "-picture-reader"]
        ).end().output
        #expect(program.contains("libc.so"))
        for library in libraries {
            #expect(!program.contains("lib\(library)"), "\(library)")
            #expect(reader.contains("lib\(library)"), "so that the names are right: \(library)")
        }
    }
}
