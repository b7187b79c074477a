import Foundation
import Testing

/// `scanstation camera`: what people see. Building itself is tested where it is done.
@Suite("Camera command", .timeLimit(.minutes(10)))
struct CameraCommandTests {
    /// An empty folder that nobody uses.
    private let folder = NSTemporaryDirectory() + "cl-plugins-\(UUID().uuidString.prefix(8))"

    @Test("no plugin: says so, and what makes one, as text and as JSON")
    func noPlugin() async throws {
        let text = try await Executable.run(["camera", "plugins", "--folder", folder])
        #expect(text.status == 1)
        #expect(text.output.contains("no plugin"))
        #expect(text.errors.contains("sudo scanstation camera build"))
        let json = try await Executable.run(["camera", "plugins", "--folder", folder, "--json"])
        #expect(json.status == 1)
        #expect(json.output.contains(#""plugins":[]"#))
    }

    @Test("a compiler that isn't there is named as a package, exit 69, and nothing is written")
    func noCompiler() async throws {
        let result = try await Executable.run([
            "camera", "build", "--output", folder, "--compiler", "/nonexistent/g++",
        ])
        #expect(result.status == 69)
        #expect(result.errors.contains("sudo apt install g++"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a folder that can't be written is exit 73")
    func noFolder() async throws {
        let result = try await Executable.run(["camera", "build", "--output", "/proc/scanstation"])
        #expect(result.status == 73)
        #expect(result.errors.contains("/proc/scanstation"))
    }
}
