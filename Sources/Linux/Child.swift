import CLinux
import Glibc
import Synchronization

/// A process that this one has started, in a group of its own. Dropping this leaves it running.
package final class Child: Sendable {
    package enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    package let pid: pid_t
    private let watch: Descriptor
    /// From then on, the process id may be another process's.
    private let isReaped = Mutex(false)

    /// - Parameter start: starts it in a group of its own and stores its id; returns a negated errno if it can't.
    package init(_ start: (_ pid: inout pid_t) -> Int32) throws(SystemError) {
        var pid: pid_t = 0
        let status = start(&pid)
        guard status == 0 else { throw SystemError(-status) }
        let number = CLinux_pidfd_open(pid)
        guard number >= 0 else {
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw SystemError(-number)
        }
        self.pid = pid
        watch = Descriptor(number)
    }

    /// Readable when it has ended; closed with this object.
    package var ended: Int32 { watch.number }

    /// Signals it and everything that it started.
    package func signal(_ number: Int32) { isReaped.withLock { if !$0 { kill(-pid, number) } } }

    /// How it ended, reported once; `nil` while it runs. What it started ends with it.
    package func reap(wait: Bool = false) -> End? {
        guard isReady(ended, until: wait ? nil : .zero) else { return nil }
        return isReaped.withLock { isReaped in
            guard !isReaped else { return nil }
            isReaped = true
            kill(-pid, SIGKILL)
            var (signal, status): (Int32, Int32) = (0, 0)
            // Otherwise somebody else reaped it, and has the status.
            guard CLinux_pidfd_reap(ended, 1, &signal, &status) == 1 else { return .exited(0) }
            return signal != 0 ? .killed(signal: signal) : .exited(status)
        }
    }

    /// Asks it to end with `number`, and kills it after `patience`.
    package func end(with number: Int32, patience: Duration) {
        signal(number)
        if !isReady(ended, within: patience) { signal(SIGKILL) }
        _ = reap(wait: true)
    }
}

extension Child.End: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "signal \(signal)"
        }
    }
}
