import CLinux
import Glibc
import Synchronization

/// A running program of the system, in a process group of its own. It dies with the thread that started it, and is killed when
/// the last reference to this is gone.
final class Program: Sendable {
    enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    struct NotStarted: Error, Hashable, CustomStringConvertible {
        var path: String
        /// errno.
        var code: Int32

        var description: String { "\(path) can't be started: \(String(cString: strerror(code)))" }
    }

    /// What children may know of our environment. Not where the service manager listens, nor anybody's secrets.
    static let inherited = ["PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR"]

    let path: String
    private let pid: pid_t
    private let pidfd: Int32
    /// From then on the number may be another process's.
    private let isReaped = Mutex(false)

    /// Started on the calling thread, which must stay until the program has ended.
    /// - Parameter outputs: what the program has as 1, 2 and 3; negative: /dev/null. They stay the caller's.
    init(_ path: String, _ arguments: [String], outputs: (Int32, Int32, Int32)) throws(NotStarted) {
        self.path = path
        var pid: pid_t = 0
        let environment = Self.inherited.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let status = withCStrings([path] + arguments) { arguments in
            withCStrings(environment) { environment in
                CLinux_start_program(path, arguments, environment, [outputs.0, outputs.1, outputs.2], &pid)
            }
        }
        guard status == 0 else { throw NotStarted(path: path, code: -status) }
        self.pid = pid
        let descriptor = CLinux_pidfd_open(pid)
        guard descriptor >= 0 else {
            Glibc.kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw NotStarted(path: path, code: -descriptor)
        }
        pidfd = descriptor
    }

    deinit {
        signal(SIGKILL)
        _ = reap(wait: true)
        close(pidfd)
    }

    /// To it and to all that it started.
    func signal(_ number: Int32) { isReaped.withLock { if !$0 { Glibc.kill(-pid, number) } } }

    /// Readable when it has ended; ours.
    var ended: Int32 { pidfd }

    /// How it ended, once; `nil` while it runs. What it started ends with it.
    func reap(wait: Bool = false) -> End? {
        guard hasEnded(within: wait ? -1 : 0) else { return nil }
        return isReaped.withLock { isReaped in
            guard !isReaped else { return nil }
            isReaped = true
            Glibc.kill(-pid, SIGKILL)
            var (signal, status): (Int32, Int32) = (0, 0)
            guard CLinux_pidfd_reap(pidfd, 1, &signal, &status) == 1 else { return nil }
            return signal != 0 ? .killed(signal: signal) : .exited(status)
        }
    }

    /// Asks it to end with `number`, and kills it after `patience`.
    func end(with number: Int32, patience: Duration) {
        signal(number)
        if !hasEnded(within: Int32(clamping: Int64(patience.milliseconds))) { signal(SIGKILL) }
        _ = reap(wait: true)
    }

    private func hasEnded(within milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&polled, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}

extension Program.End: CustomStringConvertible {
    var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}

/// Calls `body` with a NULL-ended array of C strings.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
        // Not empty: it has the NULL.
        body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}
