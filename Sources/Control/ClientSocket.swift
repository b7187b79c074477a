import Glibc
import Linux
import Vocabulary

/// Connects to a station's socket, or says why it can't.
enum ClientSocket {
    static func connect(_ path: String) throws(ControlError) -> Descriptor {
        let address = try SocketPath.address(path)
        let descriptor = try SocketPath.makeSocket()
        let status = address.with { Glibc.connect(descriptor.number, $0, $1) }
        guard status == 0 else { throw failed(path, SystemError()) }
        try checkOwner(of: descriptor, path)
        return descriptor
    }

    /// Commands go only to a station.
    private static func checkOwner(of descriptor: Descriptor, _ path: String) throws(ControlError) {
        guard let peer = PeerCredentials(socket: descriptor.number), !peer.mayServe(path, service: StationUser.name)
        else { return }
        throw ControlError(
            .noPermission,
            "the socket \(path) is served by user \"\(Files.userName(peer.userID))\", and not by a station of yours or of this "
                + "machine: nothing was sent to it; name the station's own socket with --socket")
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
