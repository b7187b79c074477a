import Glibc
import Linux
import ReaderProtocol
import Vocabulary

/// A reader process that answers one request after the other, for a caller that may block (not on the cooperative pool).
final class WorkerConversation {
    enum Reply {
        case answer(ReaderAnswer)
        /// The process is gone, or was ended because it answered nonsense. It takes no more requests.
        case lost(WorkerLoss)
        case tooLate
    }

    /// From the start until ready; the same as `ReaderMachine.Limits.readyDeadline`.
    static let readyDeadline = Duration.seconds(10)

    let process: WorkerProcess
    private let buffer: UnsafeMutableRawBufferPointer
    private var isReaped = false

    /// Starts a process and waits until it is ready.
    init(executable: String, arguments: [String] = []) throws(ReaderError) {
        try ReaderExecutable.check(executable)
        process = try WorkerProcess(executable: executable, arguments: ["--serve"] + arguments)
        // Only now: without a process, nobody would release it.
        buffer = .allocate(byteCount: ReaderLimits.maxPacketLength, alignment: 8)
        let deadline = Instant.now.advanced(by: Self.readyDeadline)
        switch next(until: deadline) {
        case .answer(.ready(let build, _)):
            if let refusal = build.refusal(of: executable) { throw ReaderError(refusal) }
        case .answer:
            throw ReaderError(
                "the reader process \"\(executable)\" answers before it is ready: install it from the same package as this "
                    + "program")
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

    /// Whether it is still running, as far as the system knows at this point.
    var isAlive: Bool { !isReaped && !isReady(process.ended) }

    /// Doesn't block: `false` if the process accepts nothing, or is gone.
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
            guard Instant.now < deadline else { return .tooLate }
            _ = isReady(process.channel, until: deadline)
        }
    }

    /// Ends the process, which is no longer useful.
    private func end(as loss: WorkerLoss?) -> Reply {
        // A process that closed its channel is about to end; if it doesn't, it is killed. Its own status is worth the wait.
        if loss != nil || !isReady(process.ended, within: .seconds(1)) { process.kill() }
        let own = process.reap(wait: true)
        isReaped = true
        return .lost(loss ?? own ?? .exited(status: 0))
    }
}
