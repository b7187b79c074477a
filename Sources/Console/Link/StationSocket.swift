import CLinux
import Glibc
import Linux

/// Connects to a station's console socket, or says in words why it can't.
enum StationSocket {
    static func connect(_ path: String) throws(StationAway) -> Descriptor {
        var address = sockaddr_un()
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !path.isEmpty, path.utf8.count <= room, !path.utf8.contains(0) else {
            throw StationAway(
                "the socket's path \"\(path)\" doesn't fit into \(room) bytes: name a shorter one with --socket")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw StationAway("the console can't make a socket: \(SystemError().text)") }
        let descriptor = Descriptor(number)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw StationAway(explanation(path, SystemError())) }
        try checkOwner(of: descriptor, path)
        return descriptor
    }

    private static func explanation(_ path: String, _ error: SystemError) -> String {
        switch error.code {
        case ENOENT, ENOTDIR:
            "the station isn't running, or its console is off (`console.enabled`): there is no socket at \(path)"
        case ECONNREFUSED: "the station isn't running: nobody answers at \(path)"
        case EACCES, EPERM:
            "the console may not talk to the station: \(path) is closed to user \"\(Files.userName(geteuid()))\"; the "
                + "station's `console.user` says who may"
        case EAGAIN: "the station is too busy to answer at \(path); the console tries again"
        default: "the console can't connect to \(path): \(error.text)"
        }
    }

    /// In a folder where everybody may write, anybody can put a socket: what is said to the station is for it alone.
    private static func checkOwner(of socket: Descriptor, _ path: String) throws(StationAway) {
        var (process, user, group): (pid_t, uid_t, gid_t) = (0, 0, 0)
        guard CLinux_peer_credentials(socket.number, &process, &user, &group) == 0 else { return }
        if user == 0 || user == geteuid() { return }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var status = stat()
        if stat(folder.isEmpty ? "/" : folder, &status) == 0, status.st_uid == user, status.st_mode & S_IWOTH == 0 {
            return
        }
        throw StationAway(
            "the socket \(path) is served by user \"\(Files.userName(user))\", who isn't the station's: nothing was sent to it"
        )
    }
}
