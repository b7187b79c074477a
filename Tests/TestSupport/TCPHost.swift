import Glibc
import Linux

/// The test's own TCP: a host that listens on the loopback address, and clients.
package final class TCPHost: Sendable {
    package var port: Int { place.port }
    private let place: LoopbackSocket
    private let listener: Descriptor

    /// - Parameters:
    ///   - place: where others know that it will be; `nil`: anywhere.
    ///   - receiveBuffer: bytes the kernel holds for each connection, to make the host slow.
    package init(at place: LoopbackSocket? = nil, receiveBuffer: Int32? = nil) throws {
        self.place = try place ?? LoopbackSocket()
        listener = try LoopbackSocket.bound(to: self.place.port, isListening: true, receiveBuffer: receiveBuffer).0
    }

    /// The next connection; one that is closed if none comes.
    package func accept() async -> ByteEnd { await ByteEnd(acceptedBy: listener) }

    /// `nil` if nobody listens.
    package static func connect(_ port: Int, receiveBuffer: Int32? = nil) -> ByteEnd? {
        guard let descriptor = try? LoopbackSocket.make(receiveBuffer: receiveBuffer) else { return nil }
        var address = LoopbackSocket.address(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 ? ByteEnd(fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)) : nil
    }
}
