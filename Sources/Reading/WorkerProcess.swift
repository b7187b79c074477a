import CLinux
import Glibc
import Linux
import ReaderProtocol

/// One reader process and our end of its channel. Its descriptors are closed with the last reference to it.
final class WorkerProcess: Sendable {
    enum Packet {
        case answer(ReaderAnswer)
        /// Nothing has arrived yet.
        case none
        /// Something that the protocol doesn't know.
        case garbage
        /// The process has closed its end, or is gone.
        case end
    }

    let pid: Int32
    /// Readable when the process has ended.
    let pidfd: Int32
    let channel: Int32

    /// Starts `executable`. It inherits only its channel; the environment is empty except for what keeps Swift's backtracer from starting on
    /// a crash.
    init(executable: String, arguments: [String] = []) throws(ReaderError) {
        var pair: [Int32] = [-1, -1]
        var status = CLinux_seqpacket_pair(&pair)
        guard status == 0 else { throw Self.startError(executable, -status) }
        let (ours, theirs) = (pair[0], pair[1])
        var child: pid_t = 0
        status = withCStrings([executable] + arguments) { arguments in
            withCStrings(["SWIFT_BACKTRACE=enable=no"]) { environment in
                CLinux_spawn(executable, arguments, environment, theirs, &child)
            }
        }
        close(theirs)
        guard status == 0 else {
            close(ours)
            throw Self.startError(executable, -status)
        }
        let descriptor = CLinux_pidfd_open(child)
        guard descriptor >= 0 else {
            close(ours)
            Glibc.kill(child, SIGKILL)
            waitpid(child, nil, 0)
            throw Self.startError(executable, -descriptor)
        }
        pid = child
        pidfd = descriptor
        channel = ours
    }

    deinit {
        close(channel)
        close(pidfd)
    }

    /// Doesn't block: `false` if the process accepts nothing, or is gone. `descriptor` stays the caller's.
    @discardableResult
    func send(_ request: ReaderRequest, descriptor: Int32 = -1) -> Bool {
        let bytes = request.encode()
        return CLinux_send(channel, bytes, bytes.count, descriptor, 0) == bytes.count
    }

    /// For requests that must not get lost: a process that missed one would read by old rules, or in old memory.
    func sendOrKill(_ request: ReaderRequest, descriptor: Int32 = -1) {
        if !send(request, descriptor: descriptor) { kill() }
    }

    /// Doesn't block. `buffer` is `ReaderLimits.maxPacketLength` long.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Packet {
        let length = CLinux_receive(channel, buffer.baseAddress, buffer.count, nil, 0)
        switch length {
        case 1...:
            let packet = UnsafeRawBufferPointer(rebasing: buffer[..<length])
            return ReaderAnswer(packet).map(Packet.answer) ?? .garbage
        case Int(-EAGAIN): return .none
        case Int(-EMSGSIZE), Int(-EBADMSG): return .garbage
        default: return .end
        }
    }

    func kill() { CLinux_pidfd_kill(pidfd, SIGKILL) }

    /// How it ended, returned only once; `nil` while it runs. With `wait`, returns only when it has ended.
    func reap(wait: Bool = false) -> WorkerLoss? {
        var (signal, status): (Int32, Int32) = (0, 0)
        switch CLinux_pidfd_reap(pidfd, wait ? 1 : 0, &signal, &status) {
        case 0: return nil
        case 1: return signal != 0 ? .crashed(signal: signal) : .exited(status: status)
        // Somebody else reaped it, and has the status.
        default: return .exited(status: 0)
        }
    }

    private static func startError(_ executable: String, _ error: Int32) -> ReaderError {
        ReaderError("the reader process \"\(executable)\" can't be started: \(SystemError(error).text)")
    }
}
