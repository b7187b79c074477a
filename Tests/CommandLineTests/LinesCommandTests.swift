import Foundation
import Glibc
import Testing

/// `scanstation lines off`, on a machine that has none of the lines: what it tried is in what it says.
@Suite("lines off", .timeLimit(.minutes(10)))
struct LinesCommandTests {
    /// So that no line of a real machine is driven.
    private static let line = "NO-SUCH-LINE"
    private let folder: String
    private let configuration: String
    private var environment: [String: String] { ["RUNTIME_DIRECTORY": folder] }

    init() throws {
        folder = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8))"
        configuration = folder + "/station.yaml"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func configure(_ text: String) throws {
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    private func linesOff() async throws -> Executable.Result {
        try await Executable.start(["lines", "off", "--config", configuration], environment: environment).end()
    }

    @Test(
        "a killed station's lines are driven, whatever its configuration has become; after a clean end there is no record"
    )
    func killed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scene = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Capture/Scene/05-empty.png").path
        for signal in [SIGKILL, SIGTERM] {
            try configure("torch: {line: \(Self.line)}\nrelay: {line: \(Self.line)-2, activeLow: on}\n")
            let manager = try NotifySocket(isAbstract: true)
            let station = try Executable.start(
                ["run", "--plain", "--scene", scene, "--config", configuration],
                environment: environment.merging(["NOTIFY_SOCKET": manager.name]) { $1 })
            _ = try await manager.next(with: "READY=1")
            try configure("torch: {lien: GPIO1}\n")
            let asked = try await Executable.start(
                ["ctl", "status", "--config", configuration, "--timeout", "300"], environment: environment
            ).end()
            #expect(asked.status == 0, "the station runs, and can be asked")
            #expect(asked.errors.contains("lien") && asked.errors.contains("; asking the station at"))
            let missing = try await Executable.start(
                ["ctl", "status", "--config", folder + "/none.yaml", "--timeout", "300"], environment: environment
            ).end()
            #expect(missing.status == 0)
            #expect(missing.errors.contains("none.yaml: ") && missing.errors.contains("no such file"))
            station.send(signal)
            _ = await station.end()

            let off = try await linesOff()
            if signal == SIGKILL {
                #expect(off.output.contains("torch  \(Self.line) "))
                #expect(off.output.contains("relay  \(Self.line)-2 "))
                #expect(off.status == 1, "none of them is there")
            } else {
                #expect(off.output.isEmpty)
                #expect(off.status == 78)
                #expect(off.errors.contains("lien"))
            }
        }
    }

    @Test("without a record, those of the configuration")
    func configured() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try configure("torch: {line: \(Self.line)}\n")
        let off = try await linesOff()
        #expect(off.output.contains("torch  \(Self.line) "))
        #expect(off.status == 1)
    }
}
