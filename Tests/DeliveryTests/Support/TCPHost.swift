import Glibc
import Linux
import TestSupport

@testable import Delivery

/// The test's own TCP: a host that listens on the loopback address, and clients.
final class TCPHost: Sendable {
    let port: Int
    private let descriptor: Descriptor

    /// `port` 0: any free one. `receiveBuffer`: bytes the kernel holds for each connection, for a host that is to be slow.
    /// `nil` if it can't listen.
    init?(port: Int = 0, receiveBuffer: Int32? = nil) {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        descriptor = Descriptor(number)
        var on: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        let status = Self.loopback(port).withPointer { bind(number, $0, $1) }
        guard status == 0, listen(number, 16) == 0, let bound = SocketAddress(of: number, getsockname) else {
            return nil
        }
        self.port = bound.port
    }

    /// The next connection.
    func accept() async -> ByteEnd {
        await blocking { [descriptor] in
            var ready = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, ByteEnd.patienceMilliseconds)
            return ByteEnd(Glibc.accept(descriptor.number, nil, nil))
        }
    }

    /// `nil` if nobody listens.
    static func connect(_ port: Int, receiveBuffer: Int32? = nil) -> ByteEnd? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        guard loopback(port).withPointer({ Glibc.connect(number, $0, $1) }) == 0 else {
            close(number)
            return nil
        }
        return ByteEnd(number)
    }

    static func loopback(_ port: Int) -> SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SocketAddress(family: AF_INET, $0, length: socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
