import Glibc

/// Wakes a thread out of poll(2). A socket pair, not an eventfd: one call makes it with its flags, and Swift's Glibc has it.
package final class Waker: Sendable {
    /// What to poll for POLLIN; -1 if the process was out of descriptors when it was made.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        if socketpair(AF_UNIX, type, 0, &ends) != 0 { ends = [-1, -1] }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        if readEnd >= 0 { close(readEnd) }
        if writeEnd >= 0 { close(writeEnd) }
    }

    /// From any thread. A full buffer means that the other side is being woken already.
    package func wake() {
        var byte: UInt8 = 1
        _ = send(writeEnd, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    package func clear() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &buffer, buffer.count) == buffer.count {}
    }
}
