import Glibc
import Linux

/// Connects to a station's socket, or says why it can't.
enum ClientSocket {
    static func connect(_ path: String) throws(ControlError) -> Descriptor {
        try SocketPath.check(path)
        let descriptor = try SocketPath.makeSocket()
        let status = SocketPath.withAddress(path) { Glibc.connect(descriptor.number, $0, $1) }
        guard status == 0 else { throw failed(path, SystemError()) }
        try checkOwner(of: descriptor, path)
        return descriptor
    }

    /// The user of the packaged service.
    private static let serviceUser = "scanstation"

    /// Commands go only to a station of this user, of root, of the service, or of the one user who may write to the folder: in `/tmp`
    /// anybody can put a socket where a station's is expected.
    private static func checkOwner(of descriptor: Descriptor, _ path: String) throws(ControlError) {
        guard let peer = PeerCredentials(socket: descriptor.number)?.userID else { return }
        guard !isTrusted(peer, folder: SocketFolder.split(path).folder) else { return }
        throw ControlError(
            .noPermission,
            "the socket \(path) is served by user \"\(Files.userName(peer))\", and not by a station of yours or of this "
                + "machine: nothing was sent to it; name the station's own socket with --socket")
    }

    static func isTrusted(_ peer: uid_t, folder: String, user: uid_t = geteuid()) -> Bool {
        if peer == user || peer == 0 { return true }
        if let service = getpwnam(serviceUser), service.pointee.pw_uid == peer { return true }
        var status = stat()
        return stat(folder, &status) == 0 && status.st_uid == peer && status.st_mode & S_IWOTH == 0
    }

    static func failed(_ path: String, _ error: SystemError) -> ControlError {
        switch error.code {
        case ENOENT, ENOTDIR:
            return ControlError(
                .noStation,
                "no station is running: there is no socket at \(path). Start it with `scanstation run`, or name its "
                    + "socket with --socket")
        case ECONNREFUSED:
            return ControlError(
                .noStation,
                "no station is running: nobody answers on \(path). Start it with `scanstation run`")
        case EACCES, EPERM:
            return ControlError(.noPermission, permission(path))
        case EAGAIN:
            return ControlError(.timeout, "the station at \(path) is too busy to answer: try again")
        default:
            return ControlError(.system, "cannot connect to \(path): \(error.text)")
        }
    }

    private static func permission(_ path: String) -> String {
        guard let group = Files.owningGroup(of: path) else {
            return "no permission to look at \(path): run this as the station's user, or with sudo"
        }
        return "no permission to talk to the station at \(path): it is for group \"\(group)\"; add yourself to it "
            + "(sudo usermod -aG \(group) $USER, then log in again), or use sudo"
    }
}
