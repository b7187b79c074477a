import Glibc

/// A TCP socket that is bound to a port of the loopback address.
///
/// As long as it isn't listened on, it keeps the port for whom the test tells of it: the system gives the port to nobody who asks for any,
/// and lets somebody who names it listen there, if they set SO_REUSEADDR as this socket does; servers do.
final class LoopbackSocket: Sendable {
    let port: Int
    let descriptor: Int32

    init() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(number, pointer, length) == 0 && getsockname(number, pointer, &length) == 0
            }
        }
        guard isBound else {
            close(number)
            throw PeerFailure("no port on the loopback address: \(String(cString: strerror(errno)))")
        }
        descriptor = number
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
