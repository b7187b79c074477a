/// Where a connection comes from, as far as limits are concerned: an IPv4 address, or the /64 of an IPv6 address, in which one machine may
/// take any number of addresses.
package struct Peer: Hashable, Sendable {
    package let name: String
    package let isThisMachine: Bool

    /// - Parameter address: as the system writes it; `nil` when the connection is gone already.
    package init(_ address: String?) {
        guard let address, let ip = IPAddress(address) else {
            (name, isThisMachine) = (address ?? "?", false)
            return
        }
        switch ip.unmapped {
        case .v4(let bytes): (name, isThisMachine) = (bytes.map(String.init).joined(separator: "."), bytes[0] == 127)
        case .v6(let bytes):
            isThisMachine = bytes == [UInt8](repeating: 0, count: 15) + [1]
            name = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}
