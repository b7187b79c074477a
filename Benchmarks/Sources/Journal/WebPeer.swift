import Foundation
import Synchronization
import TestSupport

/// A web server of a few lines, with a thread for each connection: answers every POST with 200 and hands its body on. HTTP/1.1 with
/// `Content-Length` and connections that stay open, which is what a webhook output speaks; a request that is anything else ends
/// its connection. Not the tests' web server, which is in Python: its time would be in the figures.
final class WebPeer: Sendable {
    let port: Int
    private let host: ListeningHost

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    /// On the loopback address.
    convenience init(_ body: @escaping @Sendable (Substring) -> Void) throws {
        self.init(try LoopbackSocket.listen(), body)
    }

    init(_ listener: (descriptor: Int32, port: Int), _ body: @escaping @Sendable (Substring) -> Void) {
        port = listener.port
        host = ListeningHost(listener.descriptor) { Self.serve($0, body) }
    }

    func end() { host.end() }

    private static func serve(_ connection: Int32, _ body: (Substring) -> Void) {
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var incoming = IncomingBytes()
        while let head = take(from: connection, &incoming, until: { end(of: headEnd, in: $0) }) {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
            guard lines.first?.hasPrefix("POST ") == true, let length, length >= 0,
                let content = take(from: connection, &incoming, until: { $0.count >= length ? length : nil })
            else { return }
            body(Substring(decoding: content, as: UTF8.self))
            guard send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
        }
    }

    /// Reads until `length` knows how many bytes to take; `nil` at the end of the connection.
    private static func take(
        from connection: Int32, _ incoming: inout IncomingBytes, until length: (ArraySlice<UInt8>) -> Int?
    ) -> ArraySlice<UInt8>? {
        repeat {
            if let length = length(incoming.bytes) { return incoming.take(length) }
        } while incoming.fill(from: connection) > 0
        return nil
    }

    /// Where the first `mark` ends.
    private static func end(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 - bytes.startIndex + mark.count }
    }
}
