import Foundation

/// Programs of others that a test starts beside the station.
enum Tool {
    /// Also where only root's PATH leads: Debian has mosquitto there.
    static func start(_ name: String, _ arguments: [String]) throws -> RunningExecutable {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        return try RunningExecutable(path: "/usr/bin/env", arguments: [name] + arguments, environment: ["PATH": path])
    }

    /// To its end, which must be a good one.
    static func run(_ name: String, _ arguments: [String]) async throws {
        let result = try await start(name, arguments).end()
        guard result.status == 0 else { throw PeerFailure("\(name): \(result.output)\(result.errors)") }
    }
}

/// The other end of an output couldn't be set up.
struct PeerFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
