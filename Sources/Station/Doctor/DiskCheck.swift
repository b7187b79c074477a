import Control
import Glibc
import Linux
import Settings

/// Checks the folders that the station writes to: is there room, and are they writable?
struct DiskCheck: DoctorCheck {
    /// Less than this is a warning.
    static let lowBytes: UInt64 = 200 << 20

    /// A folder, and the key that names it.
    private struct Folder {
        var path: String
        var key: String
        /// The station makes it if it is missing, in a folder that must exist.
        var isMade = false
        /// Files grow there; a socket needs no room.
        var needsRoom = false
    }

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        let folders = Self.folders(of: context.settings)
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.path).inserted }.map { check($0, in: context) }
    }

    private static func folders(of settings: StationSettings) -> [Folder] {
        var folders: [Folder] = []
        if let folder = settings.reading.crashFolder {
            folders.append(Folder(path: folder, key: "reading.crashFolder", isMade: true, needsRoom: true))
        }
        let socket = SocketPath.resolve(settings.control)
        folders.append(Folder(path: parent(of: socket), key: "control.socket", isMade: true))
        for (index, output) in settings.outputs.enumerated() {
            let kind = output.kind.settings
            for file in kind.files {
                let key = "outputs[\(index)].\(type(of: kind).key).\(file.key)"
                switch file.use {
                case .socket: folders.append(Folder(path: parent(of: file.path), key: key, isMade: true))
                case .written: folders.append(Folder(path: parent(of: file.path), key: key, needsRoom: true))
                case .read, .secret, .device: break
                }
            }
        }
        return folders
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func check(_ folder: Folder, in context: DoctorContext) -> DoctorFinding {
        let path = context.root + folder.path
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            let reason = SystemError().text
            if folder.isMade, errno == ENOENT, access(context.root + Self.parent(of: folder.path), W_OK) == 0 {
                return DoctorFinding(.ok, "disk", "\(folder.path) is made at the start (\(folder.key))")
            }
            return DoctorFinding(
                .fail, "disk", "\(folder.path) (\(folder.key)): \(reason)",
                remedy: "create it, or set \(folder.key) to a folder that exists")
        }
        if status.f_flag & UInt(ST_RDONLY) != 0 {
            return DoctorFinding(
                .fail, "disk", "\(folder.path) (\(folder.key)) is read-only",
                remedy: "check `dmesg` for file system errors; an ageing SD card turns read-only")
        }
        if access(path, W_OK | X_OK) != 0 {
            return DoctorFinding(
                .fail, "disk", "\(folder.path) (\(folder.key)) can't be written by \(context.user.name)",
                remedy: "give it to the user that the station runs as (sudo chown), or set \(folder.key)")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let text = "\(folder.path) (\(folder.key)): \(free >> 20) MiB free"
        return folder.needsRoom && free < Self.lowBytes
            ? DoctorFinding(
                .warn, "disk", text, remedy: "make room: `sudo apt clean`, `sudo journalctl --vacuum-size=100M`")
            : DoctorFinding(.ok, "disk", text)
    }
}
