import Foundation

/// TCP on this machine's loopback address.
enum Loopback {
    /// A socket that listens on a free port.
    static func listen() throws -> (descriptor: Int32, port: Int) {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(number, pointer, length) == 0 && getsockname(number, pointer, &length) == 0
                    && Glibc.listen(number, 16) == 0
            }
        }
        guard listens else {
            close(number)
            throw BenchmarkFailure("no free port on the loopback address: \(String(cString: strerror(errno)))")
        }
        return (number, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Whether somebody listens there.
    static func answers(_ port: Int) -> Bool {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(number) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
