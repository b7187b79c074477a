import Glibc
import Linux

/// A TCP port of the loopback address on which nobody listens, and which only programs get that the test tells about it: the system doesn't
/// hand it out to programs that ask for any port, but lets those that name it listen there if they set SO_REUSEADDR as this socket does;
/// servers do. When they are gone, it is as before.
package final class LoopbackSocket: Sendable {
    package let port: Int
    private let descriptor: Descriptor

    package init() throws { (descriptor, port) = try Self.bound() }

    /// A socket that listens on a port of its own; it is the caller's.
    package static func listen() throws -> (descriptor: Int32, port: Int) {
        let (socket, port) = try bound(isListening: true)
        return (fcntl(socket.number, F_DUPFD_CLOEXEC, 0), port)
    }

    /// - Parameters:
    ///   - port: 0: a free one.
    ///   - receiveBuffer: see `make`.
    static func bound(
        to port: Int = 0, isListening: Bool = false, receiveBuffer: Int32? = nil
    ) throws -> (Descriptor, port: Int) {
        let socket = try make(receiveBuffer: receiveBuffer)
        var address = address(port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket.number, pointer, length) == 0 && getsockname(socket.number, pointer, &length) == 0
            }
        }
        guard isBound, !isListening || Glibc.listen(socket.number, 16) == 0 else {
            throw PeerFailure("no port \(port) on the loopback address: \(SystemError().text)")
        }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    package static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// - Parameter receiveBuffer: bytes the kernel holds for it, and for connections that it accepts; `nil`: as many as usual.
    static func make(receiveBuffer: Int32? = nil) throws -> Descriptor {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw PeerFailure("no socket: \(SystemError().text)") }
        var on: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        return Descriptor(number)
    }
}
