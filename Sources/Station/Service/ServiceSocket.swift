import Glibc

/// Our end of the service manager's datagram socket. Sending never waits.
package final class ServiceSocket: Sendable {
    private let descriptor: Int32
    private let name: String

    /// - Parameter name: as in `NOTIFY_SOCKET`. `nil` when the process is out of descriptors or the name is too long.
    package init?(name: String) {
        guard name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        self.name = name
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// `false`: the manager's queue is full, or nobody is there.
    package func send(_ text: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        // The abstract namespace: a NUL in front, and the length says where the name ends.
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
        let payload = Array(text.utf8)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, payload, payload.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
        return sent == payload.count
    }
}
