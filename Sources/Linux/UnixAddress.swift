import Glibc

/// Where a Unix socket is: at a path, or under a name in the abstract namespace.
package struct UnixAddress: Hashable, Sendable {
    /// `sun_path` has 108 bytes, one of them for the terminating zero (unix(7)).
    package static let maxBytes = 107

    /// What goes into `sun_path`.
    private let bytes: [UInt8]

    /// `nil`: it is empty, too long, or contains a NUL.
    package init?(path: String) { self.init(text: path, isAbstract: false) }

    /// A path, or `@` and an abstract name, as in `NOTIFY_SOCKET`.
    package init?(name: String) { self.init(text: name, isAbstract: name.utf8.first == UInt8(ascii: "@")) }

    private init?(text: String, isAbstract: Bool) {
        guard !text.isEmpty, text.utf8.count <= Self.maxBytes, !text.utf8.contains(0) else { return nil }
        // The abstract namespace: a NUL in front, and the length says where the name ends. A path's length counts the NUL at its end, as
        // unix(7) has it and the kernel reports it.
        bytes = isAbstract ? [0] + text.utf8.dropFirst() : text.utf8 + [0]
    }

    /// Calls `body` with the address as the system wants it.
    package func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

extension Descriptor {
    /// A Unix socket, close-on-exec.
    package static func unixSocket(
        _ type: __socket_type = SOCK_STREAM, isBlocking: Bool = false
    ) throws(SystemError) -> Descriptor {
        let blocking = isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | blocking, 0)
        guard number >= 0 else { throw SystemError() }
        return Descriptor(number)
    }
}
