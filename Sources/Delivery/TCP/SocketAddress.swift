import Glibc
import Linux

/// An IPv4 or IPv6 address with its port, as the system's calls take it.
struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    let family: Int32
    private let bytes: [UInt8]

    init(family: Int32, _ address: UnsafePointer<sockaddr>, length: socklen_t) {
        self.family = family
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    }

    /// One end of a connected or listening socket, from `getsockname` or `getpeername`.
    init?(of socket: Int32, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(socket, $0, &length) }
        }
        guard status == 0 else { return nil }
        let end = Int(length)
        family = Int32(storage.ss_family)
        bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(end)) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
        }
    }

    var port: Int { numeric.map { Int($0.port) ?? 0 } ?? 0 }

    /// Without the port: `10.0.0.5`, `fe80::1%eth0`.
    var host: String { numeric?.host ?? "" }

    /// `10.0.0.5:9100`, `[fe80::1%eth0]:9100`.
    var description: String {
        guard let (host, port) = numeric else { return "an unknown address" }
        return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private var numeric: (host: String, port: String)? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let status = withPointer { pointer, length in
            getnameinfo(
                pointer, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                Int32(NI_NUMERICHOST) | Int32(NI_NUMERICSERV))
        }
        guard status == 0 else { return nil }
        return (String(untilNUL: host), String(untilNUL: port))
    }
}
