import Glibc
import Linux
import Synchronization

/// A program that a test starts. A separate thread waits for its end. If a waiting task is cancelled, as when a test's time is over, the
/// program is killed: a process that hangs must not hold up all the tests.
package final class ChildProcess: Sendable {
    package let pid: pid_t
    private let exit: Task<Int32, Never>
    private let isReaped: Reaped

    /// Once it has ended, the process id may be another process's.
    private final class Reaped: Sendable {
        let isSo = Mutex(false)
    }

    /// Three descriptors, which the caller still owns; `nil` means /dev/null for input and output, and the tests' own for errors.
    package struct Streams {
        var input: Int32?
        var output: Int32?
        var errors: Int32?

        package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    /// - Parameters:
    ///   - program: a path, or a name that is looked for.
    ///   - environment: beside the tests' own.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], _ streams: Streams
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for (number, descriptor, flags) in [(0, streams.input, O_RDONLY), (1, streams.output, O_WRONLY)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", flags, 0)
            }
        }
        if let errors = streams.errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
        // The test's threads may have signals blocked.
        var attributes = posix_spawnattr_t()
        var (none, every) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&every)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let path = try Self.find(program)
        var started: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            withCStrings(Self.variables(with: environment)) {
                posix_spawn(&started, path, &actions, &attributes, arguments, $0)
            }
        }
        guard status == 0 else { throw PeerFailure("cannot start \(program): \(SystemError(status).text)") }
        pid = started
        let isReaped = Reaped()
        self.isReaped = isReaped
        exit = Task { [pid] in await blocking { Self.wait(for: pid, isReaped) } }
    }

    package var isRunning: Bool { isReaped.isSo.withLock { !$0 } }

    package func send(_ signal: Int32) { Self.send(signal, to: pid, isReaped) }

    /// Waits for the end, whatever causes it. The exit code; 128 + signal for a process that was ended by one, as shells say
    /// it.
    @discardableResult
    package func end() async -> Int32 { await endingIfCancelled { await exit.value } }

    /// Waits for something that comes from the process, or never once it has ended.
    package func endingIfCancelled<Value: Sendable>(_ body: () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: body) { [pid, isReaped] in Self.send(SIGKILL, to: pid, isReaped) }
    }

    private static func send(_ signal: Int32, to pid: pid_t, _ isReaped: Reaped) {
        isReaped.isSo.withLock { if !$0 { kill(pid, signal) } }
    }

    private static func wait(for pid: pid_t, _ isReaped: Reaped) -> Int32 {
        var information = siginfo_t()
        _ = uninterrupted { waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
        return isReaped.isSo.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            guard uninterrupted({ waitpid(pid, &status, 0) }) == pid else { return -1 }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    /// Also where only root's PATH leads: Debian has mosquitto there.
    private static func find(_ program: String) throws -> String {
        if program.contains("/") { return program }
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        for folder in folders.split(separator: ":") {
            let path = "\(folder)/\(program)"
            if access(path, X_OK) == 0 { return path }
        }
        throw PeerFailure("there is no \(program) here: deploy/install-dependencies --tests gets what the tests need")
    }

    private static func variables(with changes: [String: String]) -> [String] {
        var all: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if changes[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            next += 1
        }
        return all + changes.map { "\($0)=\($1)" }
    }
}
