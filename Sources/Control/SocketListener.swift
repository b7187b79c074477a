import Glibc
import Linux

/// A listening Unix socket at a path of ours.
///
/// It appears with its final mode and group or not at all: it is bound under a temporary name in the same folder, set up, made to listen,
/// and renamed. An existing file is replaced only if it is a socket on which nobody answers. Two stations that start at the same moment
/// take turns: `SocketTurn`.
struct SocketListener {
    /// How many connections the kernel holds until they are accepted.
    static let backlog: Int32 = 64

    let descriptor: Descriptor
    let path: String
    /// Identifies our file: if another station took over the place, its socket must not be removed.
    private let device: dev_t
    private let inode: ino_t
    /// The folder is this socket's own, and was made for it.
    private var ownsFolder: Bool

    /// Throws an error that says what is in the way and what to do about it.
    ///
    /// - Parameter isAlone: the folder is for this socket: if it is made here, it goes with it.
    static func open(
        path: String, mode: UInt32, group: String?, isAlone: Bool = false
    ) throws(ControlError) -> SocketListener {
        _ = try SocketPath.address(path)
        let groupID = group.flatMap(Files.groupID)
        if let group, groupID == nil { throw missingGroup(group) }
        let name = SocketFolder.split(path).name
        let place = try SocketFolder.open(of: path)
        let folder = place.descriptor
        let turn = try SocketTurn.take(in: place, for: name)
        defer { withExtendedLifetime(turn) {} }
        try PlaceProbe.check(path)

        let descriptor = try SocketPath.makeSocket()
        let temporary = ".scanstation-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        // Through the open folder, because folder and temporary name together might not fit into a socket address.
        let bound = try SocketPath.address("/proc/self/fd/\(folder.number)/\(temporary)").with {
            bind(descriptor.number, $0, $1)
        }
        guard bound == 0 else { throw failed("make", path, SystemError()) }
        do throws(ControlError) {
            var listener = try publish(
                descriptor, in: folder, temporary, as: name, path: path, mode: mode, groupID: groupID)
            listener.ownsFolder = isAlone && place.isMade
            return listener
        } catch {
            unlinkat(folder.number, temporary, 0)
            throw error
        }
    }

    /// Whether the file is still this socket's: somebody may have deleted it, or another station may have put its own there.
    var isInPlace: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Removes the file if it is still this socket's.
    func removeFile() {
        if isInPlace { unlink(path) }
        // Not if there is anything else in it.
        if ownsFolder { rmdir(SocketFolder.split(path).folder) }
    }

    private static func publish(
        _ descriptor: Descriptor, in folder: Descriptor, _ temporary: String, as name: String, path: String,
        mode: UInt32, groupID: gid_t?
    ) throws(ControlError) -> SocketListener {
        guard fchmodat(folder.number, temporary, mode_t(mode & 0o777), 0) == 0 else {
            throw failed("set the mode of", path, SystemError())
        }
        if let groupID, fchownat(folder.number, temporary, uid_t.max, groupID, 0) != 0 {
            let error = SystemError()
            let group = Files.groupName(groupID)
            throw ControlError(
                .noPermission,
                "cannot give \(path) to group \"\(group)\" (\(error.text)): the station's user must be a member of it")
        }
        // Nobody can connect before this, and the file has its final mode.
        guard listen(descriptor.number, backlog) == 0 else { throw failed("listen on", path, SystemError()) }
        var status = stat()
        guard fstatat(folder.number, temporary, &status, AT_SYMLINK_NOFOLLOW) == 0,
            renameat(folder.number, temporary, folder.number, name) == 0
        else { throw failed("make", path, SystemError()) }
        return SocketListener(
            descriptor: descriptor, path: path, device: status.st_dev, inode: status.st_ino, ownsFolder: false)
    }

    static func missingGroup(_ name: String) -> ControlError {
        ControlError(
            .badSetting, "there is no group \"\(name)\": make it (sudo groupadd \(name)) or set another \"group\"")
    }

    static func failed(_ verb: String, _ path: String, _ error: SystemError) -> ControlError {
        switch error.code {
        case EACCES, EPERM, EROFS:
            ControlError(
                .noPermission,
                "cannot \(verb) the socket \(path): \(error.text); choose a place that the station's user may write to")
        default:
            ControlError(.system, "cannot \(verb) the socket \(path): \(error.text)")
        }
    }
}
