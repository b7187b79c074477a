import Glibc
import Linux
import Synchronization

/// The test's end of a pty, socket or pipe: reads and writes that wait for each other. They end with less when the test's time is
/// over. One task at a time reads.
package final class ByteEnd: Sendable {
    package let number: Int32
    private let incoming = Mutex(IncomingBytes())
    private let isClosed = Mutex(false)

    /// - Parameter number: owned by this object from now on; -1: nobody is there, and nothing comes.
    package init(_ number: Int32) { self.number = number }

    /// The next connection to a listening socket; one that is closed if none comes.
    package convenience init(acceptedBy listener: Descriptor) async {
        let number = await becomesReady(listener.number) ? accept(listener.number, nil, nil) : -1
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        self.init(number)
    }

    deinit { close() }

    package func close() {
        let mustClose = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if mustClose { _ = Glibc.close(number) }
    }

    package func write(_ text: String) async { await write(Array(text.utf8)) }

    /// Until all is written or the other side closes.
    package func write(_ bytes: [UInt8]) async {
        var rest = bytes[...]
        while !rest.isEmpty, await becomesReady(number, POLLOUT) {
            var count = rest.withUnsafeBytes {
                send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN { continue }
            if count < 0, errno == ENOTSOCK {
                count = await blocking { [number, rest] in
                    rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
                }
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that it will send nothing more.
    package func endSending() { shutdown(number, Int32(SHUT_WR)) }

    /// Waits until there is something to read, and leaves it there; `false` if nothing comes.
    package func isReadable() async -> Bool { await becomesReady(number) }

    /// Exactly `count` bytes; fewer if the other side closed.
    package func read(_ count: Int) async -> [UInt8] {
        while incoming.withLock({ $0.bytes.count < count }), await fill() {}
        return incoming.withLock { Array($0.take(count)) }
    }

    package func readText(_ count: Int) async -> String { String(decoding: await read(count), as: UTF8.self) }

    /// Up to the next line feed, without it; `nil` when the other side closed.
    package func readLine() async -> String? {
        while true {
            let line = incoming.withLock { $0.line().map { String(decoding: $0, as: UTF8.self) } }
            if let line { return line }
            guard await fill() else { return nil }
        }
    }

    /// Drops lines up to the first with `text`.
    package func line(with text: String) async -> String? {
        while let line = await readLine() { if line.contains(text) { return line } }
        return nil
    }

    /// Everything until the other side closes.
    package func readToEnd() async -> [UInt8] {
        while await fill() {}
        return incoming.withLock { Array($0.take(.max)) }
    }

    private func fill() async -> Bool {
        guard await becomesReady(number) else { return false }
        return incoming.withLock { $0.fill(from: number) > 0 }
    }
}
