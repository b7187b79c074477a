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
        listener = try LoopbackSocket.make(receiveBuffer: receiveBuffer)
        let isListening = Self.withAddress(self.place.port) { [number = listener.number] in
            bind(number, $0, $1) == 0 && listen(number, 16) == 0
        }
        guard isListening else { throw PeerFailure("can't listen on port \(self.place.port): \(SystemError().text)") }
    }

    /// The next connection; one that is closed if none comes.
    package func accept() async -> ByteEnd {
        guard await becomesReady(listener.number) else { return ByteEnd(-1) }
        let number = Glibc.accept(listener.number, nil, nil)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return ByteEnd(number)
    }

    /// `nil` if nobody listens.
    package static func connect(_ port: Int, receiveBuffer: Int32? = nil) -> ByteEnd? {
        guard let descriptor = try? LoopbackSocket.make(receiveBuffer: receiveBuffer),
            withAddress(port, { Glibc.connect(descriptor.number, $0, $1) }) == 0
        else { return nil }
        return ByteEnd(fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0))
    }

    private static func withAddress<Result>(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = LoopbackSocket.address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
