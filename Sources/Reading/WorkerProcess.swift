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

    private let child: Child
    let channel: Int32

    /// Starts `executable`. It inherits only its channel; the environment is empty except for what keeps Swift's backtracer from starting on
    /// a crash.
    init(executable: String, arguments: [String] = []) throws(ReaderError) {
        var pair: [Int32] = [-1, -1]
        let status = CLinux_seqpacket_pair(&pair)
        guard status == 0 else { throw Self.startError(executable, SystemError(-status)) }
        let (ours, theirs) = (pair[0], pair[1])
        defer { close(theirs) }
        do throws(SystemError) {
            child = try Child { pid in
                withCStrings([executable] + arguments) { arguments in
                    withCStrings(["SWIFT_BACKTRACE=enable=no"]) { environment in
                        CLinux_spawn(executable, arguments, environment, theirs, &pid)
                    }
                }
            }
        } catch {
            close(ours)
            throw Self.startError(executable, error)
        }
        channel = ours
    }

    deinit { close(channel) }

    var pid: Int32 { child.pid }

    /// Readable when the process has ended.
    var ended: Int32 { child.ended }

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

    func kill() { child.signal(SIGKILL) }

    /// How it ended, returned only once; `nil` while it runs. With `wait`, returns only when it has ended.
    func reap(wait: Bool = false) -> WorkerLoss? {
        switch child.reap(wait: wait) {
        case nil: nil
        case .exited(let status): .exited(status: status)
        case .killed(let signal): .crashed(signal: signal)
        }
    }

    private static func startError(_ executable: String, _ error: SystemError) -> ReaderError {
        ReaderError("the reader process \"\(executable)\" can't be started: \(error.text)")
    }
}
