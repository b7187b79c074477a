import Glibc
import Linux

/// Finds out whether a socket can be put at a path: whether something is there, and whether somebody answers on it.
enum PlaceProbe {
    /// Returns if the path is free or holds a socket on which nobody answers.
    static func check(_ path: String) throws(ControlError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // A missing file means that the path is free; anything else shows up when the socket is made.
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlError(
                .pathTaken, "\(path) exists and is not a socket: remove it, or set another path for the socket")
        }
        let address = try SocketPath.address(path)
        let probe = try SocketPath.makeSocket()
        let connected = address.with { connect(probe.number, $0, $1) }
        if connected == 0 {
            let process = PeerCredentials(socket: probe.number).map { " (process \($0.processID))" } ?? ""
            throw ControlError(.otherStation, "another station answers on \(path)\(process): \(remedy)")
        }
        let error = SystemError()
        switch error.code {
        case ECONNREFUSED, ENOENT:
            return
        case EAGAIN:
            // Its queue of connections is full: it is there, but busy.
            throw ControlError(
                .otherStation, "another station listens on \(path), but is too busy to answer: \(remedy)")
        case EACCES, EPERM:
            throw ControlError(
                .noPermission,
                "the socket \(path) belongs to another user; whether a station answers on it can't be seen: \(remedy)"
            )
        case EPROTOTYPE:
            throw ControlError(.pathTaken, "\(path) is another program's socket: set another path for the socket")
        default:
            throw ControlError(.system, "cannot see whether a station answers on \(path): \(error.text)")
        }
    }

    private static let remedy = "stop it first, or give this one another socket"
}
