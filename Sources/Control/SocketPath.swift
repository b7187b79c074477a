import Glibc
import Linux
import Settings
import Vocabulary

/// Where a station's control socket is, for the station and for the command line alike.
package enum SocketPath {
    /// `settings.socket`, else `$RUNTIME_DIRECTORY/station.sock`, else `/run/scanstation/station.sock` for root, else
    /// `$XDG_RUNTIME_DIR/scanstation.sock`, else `/tmp/scanstation-UID/station.sock`.
    package static func resolve(
        _ settings: ControlSettings, environment: (String) -> String? = Environment.value,
        userID: UInt32 = geteuid()
    ) -> String {
        if let socket = settings.socket { return socket }
        // systemd gives several folders, separated by colons, if the unit asks for several.
        if let folder = environment("RUNTIME_DIRECTORY")?.split(separator: ":").first {
            return "\(folder)/station.sock"
        }
        if userID == 0 { return "/run/scanstation/station.sock" }
        if let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty { return "\(folder)/scanstation.sock" }
        return "/tmp/scanstation-\(userID)/station.sock"
    }

    /// `settings.socket`, else `console/console.sock` beside the control socket `control` if that one is called `station.sock`; beside
    /// another `NAME.sock` the folder is `NAME-console`, so that two stations on one desk don't meet.
    package static func resolve(_ settings: ConsoleSettings, control: String) -> String {
        if let socket = settings.socket { return socket }
        let (folder, file) = SocketFolder.split(control)
        let name = file.hasSuffix(".sock") ? String(file.dropLast(".sock".count)) : file
        let base = folder == "/" ? "" : folder
        return "\(base)/\(name == "station" ? "console" : "\(name)-console")/console.sock"
    }

    /// Where the command line looks for a station when nobody named its socket: the first of the places above that has a socket (the
    /// station may run as another user), else the place where this user's own station would be.
    package static func find(
        environment: (String) -> String? = Environment.value, userID: UInt32 = geteuid()
    ) -> String {
        let own = resolve(ControlSettings(), environment: environment, userID: userID)
        let system = resolve(ControlSettings(), environment: { _ in nil }, userID: 0)
        return [own, system].first(where: isSocket) ?? own
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Throws if the path doesn't fit into a socket address.
    static func address(_ path: String) throws(ControlError) -> UnixAddress {
        if let address = UnixAddress(path: path) { return address }
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ControlError(.badSetting, "the socket's path is empty or contains a NUL")
        }
        throw ControlError(
            .pathTooLong,
            "the socket's path is \(path.utf8.count) bytes long, but the system takes at most \(UnixAddress.maxBytes): "
                + "choose a shorter one than \(path)")
    }

    /// A non-blocking stream socket.
    static func makeSocket() throws(ControlError) -> Descriptor {
        do throws(SystemError) { return try Descriptor.unixSocket() } catch {
            throw ControlError(.system, "cannot make a socket: \(error.text)")
        }
    }

    /// What keeps a socket from being made: a path that doesn't fit, a folder that can't be made, a group that doesn't exist.
    /// `severity`: the severity of problems with folder and group, which may change.
    package static func problems(
        with path: String, at key: String, group: String?, at groupKey: String,
        severity: SettingProblem.Severity = .error
    ) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        do throws(ControlError) { _ = try address(path) } catch {
            problems.append(SettingProblem(at: key, error.message))
        }
        let folder = SocketFolder.split(path).folder
        if Files.isMissing(SocketFolder.split(folder).folder) {
            problems.append(SettingProblem(severity, at: key, SocketFolder.missing(path, folder).message))
        }
        if let group, Files.groupID(group) == nil {
            problems.append(SettingProblem(severity, at: groupKey, SocketListener.missingGroup(group).message))
        }
        return problems
    }
}

extension ControlSettings {
    package var problems: [SettingProblem] {
        SocketPath.problems(with: SocketPath.resolve(self), at: "control.socket", group: group, at: "control.group")
    }
}
