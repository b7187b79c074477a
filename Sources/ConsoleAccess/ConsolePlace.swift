import Glibc
import Linux
import Wire

/// Where the running console listens, as it leaves it in its folder for `scanstation console link`.
package struct ConsolePlace: Hashable, Sendable {
    static let name = "running.json"

    package var port: Int
    package var isOnNetwork: Bool
    package var process: Int32

    package init(port: Int, isOnNetwork: Bool, process: Int32 = getpid()) {
        (self.port, self.isOnNetwork, self.process) = (port, isOnNetwork, process)
    }

    /// `nil`: no console runs, or it ended without a word.
    package init?(in folder: ConsoleFolder) {
        guard let bytes = try? folder.read(Self.name), let value = try? JSONValue(parsing: bytes),
            let port = value["port"]?.integerValue, (1...65_535).contains(port),
            let process = value["pid"]?.integerValue.flatMap(Int32.init(exactly:)), process > 0,
            let isOnNetwork = value["network"]?.boolValue, kill(process, 0) == 0 || errno == EPERM
        else { return nil }
        self.init(port: Int(port), isOnNetwork: isOnNetwork, process: process)
    }

    package func leave(in folder: ConsoleFolder) throws(AccessError) {
        let value: JSONValue = [
            "port": .integer(Int64(port)), "network": .bool(isOnNetwork), "pid": .integer(Int64(process)),
        ]
        try folder.write(Self.name, value.bytes)
    }

    package static func clear(in folder: ConsoleFolder) { _ = folder.remove(name) }

    /// The addresses of the page, the one that is said first.
    package var addresses: [String] {
        guard isOnNetwork else { return ["http://127.0.0.1:\(port)/"] }
        var name = [CChar](repeating: 0, count: 256)
        let host = gethostname(&name, name.count - 1) == 0 ? String(untilNUL: name).prefix { $0 != "." } : ""
        let names = host.isEmpty ? [] : ["\(host).local"]
        return (names + Self.interfaceAddresses()).map { "http://\($0):\(port)/" }
    }

    /// IPv4 addresses that others may know this machine by.
    private static func interfaceAddresses() -> [String] {
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
}
