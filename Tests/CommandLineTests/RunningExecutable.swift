import Foundation
import Glibc
import TestSupport

/// A process of the tests whose output is looked through from the start on, with a state folder of its own.
final class RunningExecutable: Sendable {
    /// What was waited for never came.
    struct Ended: Error {
        let result: Executable.Result
    }

    private let process: ChildProcess
    private let output = OutputLines()
    private let errors = OutputLines()
    private let state = NSTemporaryDirectory() + "state-\(UUID().uuidString.prefix(8))"

    var pid: pid_t { process.pid }

    /// - Parameter path: or a name that is looked for.
    init(path: String, arguments: [String], environment: [String: String] = [:]) throws {
        var out: [Int32] = [-1, -1]
        var err: [Int32] = [-1, -1]
        // Sockets, as under systemd.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &out) == 0, socketpair(AF_UNIX, type, 0, &err) == 0 else {
            throw PeerFailure("no sockets for \(path)")
        }
        defer { for end in [out[1], err[1]] { close(end) } }
        output.follow(out[0])
        errors.follow(err[0])
        // A state folder of its own: two stations can't share a journal, and the machine's is nobody's to write to.
        process = try ChildProcess(
            path, arguments, environment: ["STATE_DIRECTORY": state].merging(environment) { $1 },
            Spawn.Streams(output: out[1], errors: err[1]))
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    func send(_ signal: Int32) { process.send(signal) }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end, no matter what brings it about: the last is the test's time limit, which cancels it.
    func end() async -> Executable.Result {
        let status = await process.end()
        return Executable.Result(status: status, output: await output.whole(), errors: await errors.whole())
    }

    /// The first line of standard output with `text`, as soon as it is there.
    func line(with text: String) async throws -> String { try await find(text, in: output) }

    /// The same for standard error.
    func errorLine(with text: String) async throws -> String { try await find(text, in: errors) }

    private func find(_ text: String, in lines: OutputLines) async throws -> String {
        if let line = await process.endingIfCancelled({ await lines.first(with: text) }) { return line }
        throw Ended(result: await end())
    }
}
