import CLinux
import Glibc
import Linux
import Synchronization

/// A running system program, in its own process group. It dies with the thread that started it, and is killed when the last reference to
/// this object is gone.
package final class Program: Sendable {
    package enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package struct NotStarted: Error, Hashable, CustomStringConvertible {
        var path: String
        /// errno.
        var code: Int32

        package var description: String { "\(path) can't be started: \(SystemError(code).text)" }
    }

    /// The environment variables that children get: not where the service manager listens, and no secrets.
    static let inherited = ["PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR"]

    let path: String
    private let pid: pid_t
    private let pidfd: Int32
    /// From then on, the process id may be another process's.
    private let isReaped = Mutex(false)

    /// Started on the calling thread, which must stay until the program has ended.
    /// - Parameter outputs: the program's descriptors 1, 2 and 3; negative: /dev/null. The caller still owns them.
    package init(_ path: String, _ arguments: [String], outputs: (Int32, Int32, Int32)) throws(NotStarted) {
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

    /// Signals it and everything that it started.
    package func signal(_ number: Int32) { isReaped.withLock { if !$0 { Glibc.kill(-pid, number) } } }

    /// Readable when it has ended; ours.
    package var ended: Int32 { pidfd }

    /// How it ended, reported once; `nil` while it runs. What it started ends with it.
    package func reap(wait: Bool = false) -> End? {
        guard isReady(pidfd, until: wait ? nil : .zero) else { return nil }
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
    package func end(with number: Int32, patience: Duration) {
        signal(number)
        if !isReady(pidfd, within: patience) { signal(SIGKILL) }
        _ = reap(wait: true)
    }
}

extension Program.End: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}
