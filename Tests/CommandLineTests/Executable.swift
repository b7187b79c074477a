import Foundation
import Testing

/// The `scanstation` that was built with these tests, as a separate process.
enum Executable {
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Beside the test bundle.
    private static var url: URL {
        let folder = Bundle.main.bundleURL
        let candidates =
            [folder, folder.deletingLastPathComponent()] + Bundle.allBundles.map(\.bundleURL)
            + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        return candidates.map { $0.appendingPathComponent("scanstation") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? folder.appendingPathComponent("scanstation")
    }

    static var path: String { url.path }

    /// Runs it to its end.
    static func run(_ arguments: [String]) async throws -> Result { try await start(arguments).end() }

    /// Starts it; the caller ends it.
    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningExecutable {
        try RunningExecutable(path: url.path, arguments: arguments, environment: environment)
    }

    /// A simulated station with a configuration that `config check` has nothing to say about, and pictures of the built-in scene.
    static func simulate(_ configuration: String, pictures: [String], socket: String) async throws -> RunningExecutable
    {
        let check = try await run(["config", "check", configuration])
        #expect(check.status == 0)
        #expect(check.errors.isEmpty, "no warnings")
        let scene = pictures.flatMap {
            ["--scene", Document.repository.appendingPathComponent("Sources/Capture/Scene/\($0).png").path]
        }
        return try start(["run", "--simulate", "--plain", "--config", configuration, "--socket", socket] + scene)
    }
}
