import Glibc

/// The names and addresses that others use for this machine.
package enum MachineNames {
    /// The host's own name, as it is set; empty: it has none.
    package static var fullHost: String {
        var name = [CChar](repeating: 0, count: 256)
        return gethostname(&name, name.count - 1) == 0 ? String(untilNUL: name) : ""
    }

    /// Without a domain.
    package static var host: String { String(fullHost.prefix { $0 != "." }) }

    /// IPv4 addresses of the interfaces that are up, without this machine's own.
    package static var addresses: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, entry.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            let bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            found.append([24, 16, 8, 0].map { String(bits >> UInt32($0) & 255) }.joined(separator: "."))
        }
        return found
    }

    /// Where a page that listens on this port is found, the address that is said first.
    package static func pages(port: Int, isOnNetwork: Bool) -> [String] {
        guard isOnNetwork else { return ["http://127.0.0.1:\(port)/"] }
        return ((host.isEmpty ? [] : ["\(host).local"]) + addresses).map { "http://\($0):\(port)/" }
    }
}
