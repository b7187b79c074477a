import Glibc

/// Connects to a station's socket, or says why that can't be.
enum ClientSocket {
    static func connect(_ path: String) throws(DeliveryError) -> Descriptor {
        try SocketPath.check(path)
        guard let descriptor = SocketPath.makeSocket() else {
            throw DeliveryError(.system, "cannot make a socket: \(SystemError().text)")
        }
        let status = SocketPath.withAddress(path) { Glibc.connect(descriptor.number, $0, $1) }
        guard status != 0 else { return descriptor }
        throw failed(path, SystemError())
    }

    static func failed(_ path: String, _ error: SystemError) -> DeliveryError {
        switch error.code {
        case ENOENT, ENOTDIR:
            return DeliveryError(
                .noStation,
                "no station is running: there is no socket at \(path). Start it with `scanstation run`, or name its "
                    + "socket with --socket")
        case ECONNREFUSED:
            return DeliveryError(
                .noStation,
                "no station is running: nobody answers on \(path). Start it with `scanstation run`")
        case EACCES, EPERM:
            return DeliveryError(.noPermission, permission(path))
        case EAGAIN:
            return DeliveryError(.timeout, "the station at \(path) is too busy to answer: try again")
        default:
            return DeliveryError(.system, "cannot connect to \(path): \(error.text)")
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
