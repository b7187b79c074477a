import CLinux
import Glibc
import Settings
import TestSupport
import Testing

@testable import Delivery

/// Addresses that don't answer, and networks that change while an output connects. What only a real network can show, cables and
/// lost packets, is in `scanstation-bench network`.
@Suite("Networks that change", .timeLimit(.minutes(10)))
struct ChangingNetworkTests {
    @Test("With encryption each family is a separate way, by the name in the certificate")
    func routes() throws {
        var settings = MQTTSettings(host: "broker.example")
        let four = [TCPHost.loopback(1), TCPHost.loopback(2)]
        let six = four[0].withPointer { pointer, length in
            var form = sockaddr_in6()
            form.sin6_family = sa_family_t(AF_INET6)
            form.sin6_addr = in6addr_loopback
            return withUnsafePointer(to: &form) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    SocketAddress(family: AF_INET6, $0, length: socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        let mixed = [six] + four
        let plain = ["::1", "127.0.0.1", "127.0.0.1"].map { MQTTRoute(host: $0) }
        #expect(MQTTRoute.all(to: mixed, of: settings) == plain)
        settings.tls = TLSSettings()
        let name = "broker.example"
        #expect(
            MQTTRoute.all(to: mixed, of: settings)
                == [MQTTRoute(host: name, from: "::"), MQTTRoute(host: name, from: "0.0.0.0")])
        #expect(MQTTRoute.all(to: four, of: settings) == [MQTTRoute(host: name)])
    }

    // MARK: Connections

    @Test("A socket knows whether this machine still has its address")
    func ownAddress() throws {
        let host = try TCPHost()
        let descriptor = try TCPSocket.connect(to: TCPHost.loopback(host.port)).get()
        #expect(!TCPSocket.hasLostAddress(descriptor.number))
        #expect(CLinux_tcp_retransmits(descriptor.number) == 0)
        // An address that this machine never had: one reserved for documents (RFC 5737), bound as if it might come.
        let foreign = try #require(TCPSocket.make(AF_INET))
        var on: Int32 = 1
        setsockopt(foreign.number, Int32(IPPROTO_IP), IP_FREEBIND, &on, socklen_t(MemoryLayout<Int32>.size))
        var form = sockaddr_in()
        form.sin_family = sa_family_t(AF_INET)
        form.sin_addr.s_addr = in_addr_t(0xC000_0201).bigEndian
        let status = withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(foreign.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        #expect(TCPSocket.hasLostAddress(foreign.number))
        #expect(!TCPSocket.hasLostAddress(-1))
    }
}
