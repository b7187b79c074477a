import Foundation
import Synchronization

/// A web server of a few lines, with a thread for each connection: answers every POST with 200 and hands its body on. HTTP/1.1 with
/// `Content-Length` and connections that stay open, which is what a webhook output speaks; a request that is anything else ends
/// its connection.
final class WebPeer: Sendable {
    let port: Int
    private let host: ListeningHost

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    /// On the loopback address.
    convenience init(_ body: @escaping @Sendable (Substring) -> Void) throws {
        self.init(try Loopback.listen(), body)
    }

    init(_ listener: (descriptor: Int32, port: Int), _ body: @escaping @Sendable (Substring) -> Void) {
        port = listener.port
        host = ListeningHost(listener.descriptor) { Self.serve($0, body) }
    }

    func end() { host.end() }

    private static func serve(_ connection: Int32, _ body: (Substring) -> Void) {
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var buffer: [UInt8] = []
        while let head = take(from: connection, &buffer, until: { end(of: headEnd, in: $0) }) {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
            guard lines.first?.hasPrefix("POST ") == true, let length, length >= 0,
                let content = take(from: connection, &buffer, until: { $0.count >= length ? length : nil })
            else { return }
            body(Substring(decoding: content, as: UTF8.self))
            guard send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
        }
    }

    /// Reads until `length` knows how many bytes to take; `nil` at the end of the connection.
    private static func take(
        from connection: Int32, _ buffer: inout [UInt8], until length: ([UInt8]) -> Int?
    ) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let length = length(buffer) {
                defer { buffer.removeFirst(length) }
                return Array(buffer.prefix(length))
            }
            let count = read(connection, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    /// Where the first `mark` ends.
    private static func end(of mark: [UInt8], in buffer: [UInt8]) -> Int? {
        guard buffer.count >= mark.count else { return nil }
        return (0...(buffer.count - mark.count)).first { buffer[$0..<$0 + mark.count].elementsEqual(mark) }
            .map { $0 + mark.count }
    }
}
