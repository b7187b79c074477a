import Foundation
import Testing

@testable import scanstation

@Suite("What keeps any command from working")
struct StartProblemTests {
    @Test("Without /proc there are no arguments, and that is said")
    func noProc() {
        #expect(StartProblem.text() == nil)
        #expect(StartProblem.text(arguments: [])?.contains("/proc isn't mounted") == true)
        #expect(StartProblem.text(arguments: ["scanstation", "run"], proc: "/nonexistent")?.contains("mount") == true)
    }

    @Test("The kernel's arguments are those that Swift finds, empty ones included")
    func arguments() throws {
        #expect(ProgramArguments.read("/proc/self/cmdline") == CommandLine.arguments)
        #expect(ProgramArguments.read("/nonexistent").isEmpty)
        let path = NSTemporaryDirectory() + "pa-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("sh\0-c\0\0a b\0".utf8).write(to: URL(fileURLWithPath: path))
        #expect(ProgramArguments.read(path) == ["sh", "-c", "", "a b"])
    }
}
