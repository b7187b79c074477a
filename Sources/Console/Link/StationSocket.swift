import Glibc
import Linux
import Vocabulary

/// Connects to a station's console socket, or says in words why it can't.
enum StationSocket {
    static func connect(_ path: String) throws(StationAway) -> Descriptor {
        guard let address = UnixAddress(path: path) else {
            throw StationAway(
                "the socket's path \"\(path)\" doesn't fit into \(UnixAddress.maxBytes) bytes: name a shorter one with "
                    + "--socket")
        }
        let descriptor: Descriptor
        do throws(SystemError) { descriptor = try Descriptor.unixSocket() } catch {
            throw StationAway("the console can't make a socket: \(error.text)")
        }
        let status = address.with { Glibc.connect(descriptor.number, $0, $1) }
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

    /// What is said to the station is for it alone.
    private static func checkOwner(of socket: Descriptor, _ path: String) throws(StationAway) {
        guard let peer = PeerCredentials(socket: socket.number), !peer.mayServe(path, service: StationUser.name)
        else { return }
        throw StationAway(
            "the socket \(path) is served by user \"\(Files.userName(peer.userID))\", who isn't the station's: nothing was "
                + "sent to it")
    }
}
