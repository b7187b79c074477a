import Glibc
import Linux

/// Tells the service manager that the console is ready (sd_notify(3)); nothing without one.
enum ServiceManager {
    static func tell(_ message: String, socket name: String? = Environment.value("NOTIFY_SOCKET")) {
        guard let name, name.hasPrefix("/") || name.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a NUL.
        let path = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        defer { close(number) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(number, message, message.utf8.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
