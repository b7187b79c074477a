import Dispatch
import Foundation
import Glibc

/// The service manager's end: a datagram socket, and what came in through it.
final class NotifySocket {
    struct Failed: Error { let reason: String }

    /// As in `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32
    private var messages: AsyncStream<String>.Iterator

    /// - Parameter isAbstract: without a file.
    init(isAbstract: Bool) throws {
        let unique = "scanstation-notify-\(UUID().uuidString.prefix(8))"
        name = isAbstract ? "@" + unique : NSTemporaryDirectory() + unique
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        let (stream, sink) = AsyncStream.makeStream(of: String.self)
        messages = stream.makeAsyncIterator()
        guard descriptor >= 0, status == 0 else { throw Failed(reason: String(cString: strerror(errno))) }
        DispatchQueue(label: "notify").async {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &bytes, bytes.count, 0)
                if count < 0, errno == EINTR { continue }
                // Shut down by `deinit`.
                guard count > 0 else { break }
                sink.yield(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
            sink.finish()
            close(descriptor)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        if !name.hasPrefix("@") { unlink(name) }
    }

    /// Drops messages until one has `text`.
    func next(with text: String) async throws -> String {
        while let message = await messages.next(isolation: nil) { if message.contains(text) { return message } }
        throw Failed(reason: "no message with \(text)")
    }
}
