import Glibc
import Linux

/// Standard output, or another descriptor, set up so that writing can't block us and nobody else notices.
///
/// O_NONBLOCK belongs to the open file, which the shell and other processes share: setting it on descriptor 1 would break
/// them. So pipes and terminals are opened once more through /proc, sockets are written to with MSG_DONTWAIT, and the rest (files, and
/// another user's pipes) is written in pieces that poll(2) has promised to take.
struct StandardOutputChannel {
    /// How much a ready pipe takes without blocking (PIPE_BUF, pipe(7)); little enough for a terminal, too.
    private static let safePieceBytes = 4096

    let descriptor: Descriptor
    private let isSocket: Bool
    private let pieceBytes: Int

    /// Throws if `number` isn't open or nobody can read what is written there.
    init(duplicating number: Int32) throws(DeliveryError) {
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw DeliveryError(.closed, "standard output is closed: \(SystemError().text)")
        }
        let kind = status.st_mode & S_IFMT
        isSocket = kind == S_IFSOCK
        if kind == S_IFIFO || kind == S_IFCHR {
            let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let own = Glibc.open("/proc/self/fd/\(number)", flags)
            if own >= 0 {
                descriptor = Descriptor(own)
                pieceBytes = .max
                return
            }
        }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw DeliveryError(.system, "cannot use standard output: \(SystemError().text)") }
        descriptor = Descriptor(copy)
        pieceBytes = isSocket ? .max : Self.safePieceBytes
    }

    /// Writes a part of `bytes`; the event loop has said, or will say, when there is room.
    func write(_ bytes: [UInt8], from offset: Int) -> Descriptor.WriteOutcome {
        if pieceBytes != .max, !isReady(descriptor.number, POLLOUT) { return .wouldBlock }
        return descriptor.write(bytes, from: offset, limit: pieceBytes, isSocket: isSocket)
    }
}
