import Glibc
import TestSupport

@testable import Delivery

extension TCPHost {
    /// A port of the loopback address as the outputs know it.
    static func loopback(_ port: Int) -> SocketAddress {
        var address = LoopbackSocket.address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SocketAddress(family: AF_INET, $0, length: socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
