import Glibc
import Linux

/// Stream sockets with a path. They are the caller's; no program that anybody starts meanwhile gets one.
package enum UnixSocket {
    /// `nil` if nobody answers.
    package static func connect(_ path: String) -> Int32? { try? make(path, Glibc.connect) }

    package static func listen(_ path: String) throws -> Int32 {
        try make(path) { bind($0, $1, $2) == 0 ? Glibc.listen($0, 64) : -1 }
    }

    private static func make(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SystemError(ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            defer { close(number) }
            throw SystemError()
        }
        return number
    }
}
