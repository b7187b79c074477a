import Glibc
import Synchronization

/// The test's end of a pty, socket or pipe: reads and writes that wait for each other. They end with less when the test's time is
/// over. One task at a time reads.
package final class ByteEnd: Sendable {
    package let number: Int32
    private let buffer = Mutex<[UInt8]>([])
    private let isClosed = Mutex(false)

    /// - Parameter number: owned by this object from now on; -1: nobody is there, and nothing comes.
    package init(_ number: Int32) { self.number = number }

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
        while buffer.withLock({ $0.count < count }), await fill() {}
        return buffer.withLock { buffer in
            let bytes = Array(buffer.prefix(count))
            buffer.removeFirst(bytes.count)
            return bytes
        }
    }

    package func readText(_ count: Int) async -> String { String(decoding: await read(count), as: UTF8.self) }

    /// Up to the next line feed, without it; `nil` when the other side closed.
    package func readLine() async -> String? {
        while true {
            let line: String? = buffer.withLock { buffer in
                guard let end = buffer.firstIndex(of: 0x0A) else { return nil }
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
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
        return buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
    }

    private func fill() async -> Bool {
        guard await becomesReady(number) else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(number, &bytes, bytes.count)
        guard count > 0 else { return false }
        buffer.withLock { $0 += bytes.prefix(count) }
        return true
    }
}
