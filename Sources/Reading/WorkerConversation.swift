import CLinux
import Glibc
import ReaderProtocol
import Vocabulary

/// A reader process that is asked one thing after the other by a caller who may wait (not on the cooperative pool).
final class WorkerConversation {
    enum Reply {
        case answer(ReaderAnswer)
        /// The process is gone, or was made to go for answering nonsense. Nothing more can be asked of it.
        case lost(WorkerLoss)
        case tooLate
    }

    /// From the start until ready; as `ReaderMachine.Limits.readyDeadline`.
    static let readyDeadline = Duration.seconds(10)

    let process: WorkerProcess
    private let buffer: UnsafeMutableRawBufferPointer
    private var isReaped = false

    /// Starts a process and waits until it is ready.
    init(executable: String, arguments: [String] = []) throws(ReaderError) {
        try ReaderExecutable.check(executable)
        process = try WorkerProcess(executable: executable, arguments: ["--serve"] + arguments)
        // Only now: without a process nobody would give it back.
        buffer = .allocate(byteCount: ReaderLimits.maxPacketLength, alignment: 8)
        let deadline = WorkerPool.now().advanced(by: Self.readyDeadline)
        switch next(until: deadline) {
        case .answer(.ready(ReaderLimits.protocolVersion, _)): return
        case .answer:
            throw ReaderError(
                "the reader process \"\(executable)\" speaks another version of the reader protocol: install it from the "
                    + "same package as this program")
        case .lost(let loss):
            throw ReaderError(
                "the reader process \"\(executable)\" \(loss.phrase) before it was ready: try \"\(executable) "
                    + "--capabilities\" to see why")
        case .tooLate:
            throw ReaderError("the reader process \"\(executable)\" \(WorkerLoss.neverReady.phrase)")
        }
    }

    deinit {
        if !isReaped {
            process.kill()
            _ = process.reap(wait: true)
        }
        buffer.deallocate()
    }

    var pid: Int32 { process.pid }

    /// Whether it still runs, as far as the system knows by now.
    var isAlive: Bool {
        var polled = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
        return !isReaped && poll(&polled, 1, 0) == 0
    }

    /// Doesn't wait: `false` when the process takes nothing, or is gone.
    @discardableResult
    func send(_ request: ReaderRequest, descriptor: Int32 = -1) -> Bool {
        process.send(request, descriptor: descriptor)
    }

    func next(until deadline: Instant) -> Reply {
        while true {
            switch process.receive(into: buffer) {
            case .answer(let answer): return .answer(answer)
            case .garbage: return end(as: .garbage)
            case .end: return end(as: nil)
            case .none: break
            }
            let left = deadline.nanoseconds - WorkerPool.now().nanoseconds
            guard left > 0 else { return .tooLate }
            var polled = pollfd(fd: process.channel, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Int32(clamping: (left + 999_999) / 1_000_000))
        }
    }

    /// Ends the process, which is of no more use.
    func end(as loss: WorkerLoss?) -> Reply {
        // One that closed its channel is about to end; one that doesn't is ended. Its own status is worth the wait.
        var polled = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
        if loss != nil || poll(&polled, 1, 1000) <= 0 { process.kill() }
        let own = process.reap(wait: true)
        isReaped = true
        return .lost(loss ?? own ?? .exited(status: 0))
    }
}
