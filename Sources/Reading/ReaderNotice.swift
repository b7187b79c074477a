import Glibc
import ReaderProtocol

/// A message about the readers for the log.
package struct ReaderNotice: Hashable, Sendable, CustomStringConvertible {
    package enum Level: String, Hashable, Sendable {
        case debug, info, warning, error
    }

    package enum Kind: Hashable, Sendable {
        /// A reader process is ready; a warning if the kernel couldn't confine it.
        case workerReady(pid: Int32, isConfined: Bool)
        case workerLost(pid: Int32, WorkerLoss)
        /// No reader process could be started; another try follows later.
        case startFailed
        /// A frame that a reader was lost on was kept at this path, or couldn't be.
        case setAside(path: String)
        case setAsideFailed
        /// Frames can't be read, because of their size or a lack of memory.
        case noFrameMemory
        /// A frame shows more codes than are passed on; reported once for successive frames.
        case codesOmitted(count: Int)
    }

    package var kind: Kind
    package var level: Level
    package var message: String

    init(_ kind: Kind, _ level: Level, _ message: String) {
        self.kind = kind
        self.level = level
        self.message = message
    }

    package var description: String { message }
}

extension ReaderNotice {
    static func ready(_ pid: Int32, isConfined: Bool) -> ReaderNotice {
        let kind = Kind.workerReady(pid: pid, isConfined: isConfined)
        if isConfined { return ReaderNotice(kind, .debug, "reader process \(pid) is ready") }
        return ReaderNotice(
            kind, .warning,
            "reader process \(pid) runs without a system call filter, because this kernel has no seccomp: use a kernel "
                + "with CONFIG_SECCOMP_FILTER")
    }

    static func omitted(_ count: Int) -> ReaderNotice {
        ReaderNotice(
            .codesOmitted(count: count), .warning,
            "a frame shows more than \(ReaderLimits.maxSymbolsPerFrame) codes: \(count) left out; show fewer at a time, or set "
                + "a smaller viewport")
    }

    static func lost(_ pid: Int32, _ loss: WorkerLoss) -> ReaderNotice {
        ReaderNotice(
            .workerLost(pid: pid, loss), .warning,
            "reader process \(pid) \(loss.phrase); its frame is lost, another process takes over")
    }
}

extension WorkerLoss {
    /// Completes "the reader process …".
    var phrase: String {
        switch self {
        case .crashed(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .exited(let status): "ended with status \(status)"
        case .timedOut: "didn't answer before the deadline and was killed"
        case .garbage: "answered what the protocol doesn't allow and was killed"
        case .neverReady: "wasn't ready in time after its start and was killed"
        }
    }
}
