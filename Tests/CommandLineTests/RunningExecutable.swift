import Dispatch
import Foundation
import Glibc

/// A process of the tests.
///
/// Its output is read, and its end waited for, on threads of their own: not on the cooperative pool, which has as few threads
/// as the machine has cores and runs all the other tests. `posix_spawn` and `waitpid` do without Foundation's run loops.
final class RunningExecutable: Sendable {
    struct NotStarted: Error {
        let path: String
        let reason: String
    }

    /// What was waited for never came.
    struct Ended: Error {
        let result: Executable.Result
    }

    let pid: pid_t
    private let output = OutputLines()
    private let errors = OutputLines()
    private let exit: Task<Int32, Never>
    private let state = NSTemporaryDirectory() + "state-\(UUID().uuidString.prefix(8))"

    init(path: String, arguments: [String], environment: [String: String] = [:]) throws {
        var out: [Int32] = [-1, -1]
        var err: [Int32] = [-1, -1]
        // Sockets, as under systemd: Glibc's pipe2 is hidden, and a plain pipe would leak into what other tests start.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &out) == 0, socketpair(AF_UNIX, type, 0, &err) == 0 else {
            throw NotStarted(path: path, reason: "no sockets")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO)
        var pid: pid_t = 0
        var strings: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        // A state folder of its own: two stations can't share a journal, and the machine's is nobody's to write to.
        let all = ProcessInfo.processInfo.environment.merging(["STATE_DIRECTORY": state]) { $1 }
            .merging(environment) { $1 }
        var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
        defer { for variable in variables { free(variable) } }
        let status = posix_spawn(&pid, path, &actions, nil, &strings, &variables)
        close(out[1])
        close(err[1])
        output.follow(out[0])
        errors.follow(err[0])
        guard status == 0 else { throw NotStarted(path: path, reason: String(cString: strerror(status))) }
        self.pid = pid
        exit = Task { [pid] in
            await withCheckedContinuation { done in
                DispatchQueue(label: "exit").async { done.resume(returning: Self.wait(for: pid)) }
            }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// It hasn't ended; a process that has is waited for at once.
    var isRunning: Bool { kill(pid, 0) == 0 }

    /// Waits for the end, whoever brings it about: the last is the test's time limit, which cancels it.
    func end() async -> Executable.Result {
        let status = await unlessCancelled { await exit.value }
        return Executable.Result(status: status, output: await output.whole(), errors: await errors.whole())
    }

    /// The first line of standard output with `text`, as soon as it is there.
    func line(with text: String) async throws -> String { try await find(text, in: output) }

    /// The same for standard error.
    func errorLine(with text: String) async throws -> String { try await find(text, in: errors) }

    private func find(_ text: String, in lines: OutputLines) async throws -> String {
        if let line = await unlessCancelled({ await lines.first(with: text) }) { return line }
        throw Ended(result: await end())
    }

    /// A process that hangs must not hold up all the tests: whoever no longer waits for it ends it.
    private func unlessCancelled<Value: Sendable>(_ body: () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: body) { [pid] in kill(pid, SIGKILL) }
    }

    /// The exit code; 128 + signal for a process that was ended by one, as shells say it.
    private static func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
