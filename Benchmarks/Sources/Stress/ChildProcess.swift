import Foundation
import Synchronization

/// A program that a test starts, kills and starts again, from any thread. It never outlives the test.
///
/// This isn't Foundation's `Process`, which reports an end through the run loop of the thread that asks, so that a test that kills hundreds
/// of processes from several threads waits forever.
final class ChildProcess: Sendable {
    /// Held while a child starts, and while descriptors are made that no child may inherit and that aren't close-on-exec yet.
    static let starting = Mutex(())

    let pid: Int32
    private let status = Mutex<Int32?>(nil)
    private let forget: @Sendable () -> Void

    /// - Parameters:
    ///   - standardInput: descriptor that it reads; the caller still owns it; `nil`: nothing.
    ///   - standardOutput: descriptor that its lines go to; the caller still owns it; `nil`: nowhere.
    ///   - log: file that its standard error is appended to.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], standardInput: Int32? = nil,
        standardOutput: Int32? = nil, log: String
    ) throws {
        let error = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { for descriptor in [error, null] where descriptor >= 0 { close(descriptor) } }
        guard error >= 0, null >= 0 else { throw BenchmarkFailure("can't write \(log)") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput ?? null, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, standardOutput ?? null, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
        // A separate group: a terminal's Ctrl-C is for the test, which ends its children. And the children must not ignore the signals that
        // the test ignores.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)

        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let problem = Self.starting.withLock { _ in posix_spawn(&pid, executable, &actions, &attributes, &argv, &envp) }
        guard problem == 0 else {
            throw BenchmarkFailure("\(executable) can't be started: \(String(cString: strerror(problem)))")
        }
        self.pid = pid
        forget = CleanUp.shared.add(undo: { [pid] in _ = kill(pid, SIGKILL) }).forget
    }

    var isRunning: Bool { reap(WNOHANG) == nil }

    /// Exit status, or `nil` after a signal. Returns when the process is gone.
    @discardableResult
    func end(_ signal: Int32) -> Int32? {
        if isRunning { kill(pid, signal) }
        return wait()
    }

    @discardableResult
    func wait() -> Int32? {
        while true {
            if let status = reap(WNOHANG) { return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil }
            usleep(500)
        }
    }

    /// What `waitpid` says, once.
    private func reap(_ options: Int32) -> Int32? {
        status.withLock { status in
            guard status == nil else { return status }
            var found: Int32 = 0
            guard waitpid(pid, &found, options) == pid else { return nil }
            status = found
            // Its number may be another process's from now on.
            forget()
            return found
        }
    }

    /// The program with this name, on root's or others' PATH; `nil`: it isn't installed.
    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"])
            .map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }
}

/// What a child writes to its standard output, line by line.
enum ChildLines {
    /// Starts the child with `make`, which gets the descriptor for its standard output, and reads until all writers have closed it.
    static func read(
        _ make: (Int32) throws -> ChildProcess, _ body: @escaping @Sendable (Substring) -> Void
    ) throws -> (ChildProcess, LineThread) {
        var ends: [Int32] = [-1, -1]
        let isThere = ChildProcess.starting.withLock { _ in
            guard pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        guard isThere else { throw BenchmarkFailure("no pipe: \(String(cString: strerror(errno)))") }
        defer { close(ends[1]) }
        do {
            let process = try make(ends[1])
            return (process, LineThread(ends[0], body))
        } catch {
            close(ends[0])
            throw error
        }
    }
}
