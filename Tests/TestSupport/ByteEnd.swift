import Glibc
import Linux
import Synchronization

/// The test's end of a pty, socket or pipe: reads and writes that wait for each other, with a limit that only a broken
/// program reaches.
package final class ByteEnd: Sendable {
    package static let patienceMilliseconds: Int32 = 300_000

    package let number: Int32
    private let buffer = Mutex<[UInt8]>([])
    private let isClosed = Mutex(false)

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

    package func write(_ bytes: [UInt8]) async {
        await blocking { [number] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                let written =
                    count < 0 && errno == ENOTSOCK
                    ? rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } : count
                guard written > 0 else { return }
                rest = rest.dropFirst(written)
            }
        }
    }

    /// Waits until there is something to read, and leaves it there; `false` if nothing comes.
    package func isReadable() async -> Bool {
        await blocking { [number] in
            Linux.isReady(number, milliseconds: Self.patienceMilliseconds)
        }
    }

    /// Exactly `count` bytes; fewer if the other side closed.
    package func read(_ count: Int) async -> [UInt8] {
        await blocking {
            while self.buffer.withLock({ $0.count < count }), self.fill() {}
            return self.buffer.withLock { buffer in
                let bytes = Array(buffer.prefix(count))
                buffer.removeFirst(bytes.count)
                return bytes
            }
        }
    }

    package func readText(_ count: Int) async -> String { String(decoding: await read(count), as: UTF8.self) }

    /// Up to the next line feed, without it; `nil` when the other side closed.
    package func readLine() async -> String? {
        await blocking {
            while true {
                let line: String? = self.buffer.withLock { buffer in
                    guard let end = buffer.firstIndex(of: 0x0A) else { return nil }
                    defer { buffer.removeFirst(end + 1) }
                    return String(decoding: buffer[..<end], as: UTF8.self)
                }
                if let line { return line }
                guard self.fill() else { return nil }
            }
        }
    }

    /// Everything until the other side closes.
    package func readToEnd() async -> [UInt8] {
        await blocking {
            while self.fill() {}
            return self.buffer.withLock { buffer in
                defer { buffer = [] }
                return buffer
            }
        }
    }

    private func fill() -> Bool {
        guard Linux.isReady(number, milliseconds: Self.patienceMilliseconds) else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(number, &bytes, bytes.count)
        guard count > 0 else { return false }
        buffer.withLock { $0 += bytes.prefix(count) }
        return true
    }
}
