import CLinux
import Glibc

/// Owns a file descriptor and closes it once.
package final class Descriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Sets O_NONBLOCK and FD_CLOEXEC.
    package func makeNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Reads what is there, at most `limit` bytes.
    package func read(limit: Int) -> ReadOutcome {
        var count = 0
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            count = uninterrupted { Glibc.read(number, buffer.baseAddress, limit) }
            failure = errno
            initialized = max(0, count)
        }
        if count > 0 { return .bytes(bytes) }
        if count == 0 { return .end }
        return failure == EAGAIN ? .nothing : .failed(SystemError(failure))
    }

    /// Reads to the end, or what is there now.
    package func content(limit: Int) -> Files.Content {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            switch read(limit: min(limit + 1 - bytes.count, 65_536)) {
            case .bytes(let more): bytes += more
            case .end, .nothing: return .bytes(bytes)
            case .failed(let error): return .failed(error)
            }
        }
        return .tooLong(Array(bytes.dropLast()))
    }

    package enum ReadOutcome {
        case bytes([UInt8])
        case nothing
        /// End of file; on a terminal: hung up.
        case end
        case failed(SystemError)
    }

    /// Writes a part of `bytes` from `offset` on, at most `limit` bytes; never raises SIGPIPE on a socket.
    package func write(_ bytes: [UInt8], from offset: Int, limit: Int = .max, isSocket: Bool = false) -> WriteOutcome {
        let length = min(bytes.count - offset, limit)
        guard length > 0 else { return .written(0) }
        let count = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress.map { $0 + offset }
            return uninterrupted {
                isSocket
                    ? send(number, start, length, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                    : Glibc.write(number, start, length)
            }
        }
        if count >= 0 { return .written(count) }
        return errno == EAGAIN ? .wouldBlock : .failed(SystemError())
    }

    package enum WriteOutcome {
        case written(Int)
        case wouldBlock
        case failed(SystemError)
    }
}
