import Glibc
import Wire

/// Is a station running? If not, is something in the way of its socket?
struct SocketCheck: DoctorCheck {
    let path: String

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        if let station = context.station {
            let name = station["name"]?.stringValue ?? "?"
            return [DoctorFinding(.ok, "station", "\"\(name)\" is running and answers at \(path)")]
        }
        let socket = context.root + path
        if access(socket, F_OK) == 0 {
            return [
                DoctorFinding(
                    .warn, "station", "\(path) is there, but no station answers there that this user may talk to",
                    remedy:
                        "if it should be running, see systemctl status scanstation; a left-over socket is removed at the start"
                )
            ]
        }
        var folder = socket.split(separator: "/").dropLast().joined(separator: "/")
        folder = "/" + folder
        if access(folder, W_OK) != 0, !context.user.isRoot {
            return [
                DoctorFinding(
                    .warn, "station", "not running; \(context.user.name) can't write to \(folder) for its socket",
                    remedy: "run it as the service does (systemctl start scanstation), or set control.socket")
            ]
        }
        return [DoctorFinding(.ok, "station", "not running; its socket will be \(path)")]
    }
}
