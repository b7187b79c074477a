import Glibc
import Linux

/// The folder that a socket is made in.
struct SocketFolder {
    let descriptor: Descriptor
    let path: String
    /// It wasn't there before.
    let isMade: Bool

    /// Opens the folder of `socket`; makes it (but not its parents) if it is missing, as `/run/scanstation` is after a boot.
    ///
    /// In a place where everybody may create files, such as `/tmp`, somebody else may have been first: there the folder has to be ours
    /// alone.
    static func open(of socket: String) throws(ControlError) -> SocketFolder {
        let path = split(socket).folder
        let isExposed = isSticky(split(path).folder)
        let isMade = mkdir(path, isExposed ? 0o700 : 0o755) == 0
        if !isMade, errno == ENOENT { throw missing(socket, path) }
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isExposed ? O_NOFOLLOW : 0))
        guard number >= 0 else {
            let error = SystemError()
            // O_DIRECTORY refuses a link.
            if isExposed, error.code == ENOTDIR || error.code == ELOOP {
                throw notOurs(socket, path, "is not a folder")
            }
            throw SocketListener.failed("make", socket, error)
        }
        let folder = SocketFolder(descriptor: Descriptor(number), path: path, isMade: isMade)
        // Who may connect is the socket's to say: a service's umask would close the folder to the console's user.
        if isMade, !isExposed { _ = fchmod(number, 0o755) }
        if isExposed { try folder.checkOwner(socket) }
        return folder
    }

    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    static func missing(_ socket: String, _ folder: String) -> ControlError {
        ControlError(.badSetting, "cannot make \(socket): the folder above \(folder) doesn't exist; make it first")
    }

    private func checkOwner(_ socket: String) throws(ControlError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw SocketListener.failed("make", socket, SystemError()) }
        // Sticky, like the one around it: nobody can remove what is ours.
        if status.st_mode & S_ISVTX != 0, [0, geteuid()].contains(status.st_uid) { return }
        guard status.st_uid == geteuid() else {
            throw Self.notOurs(socket, path, "belongs to user \"\(Files.userName(status.st_uid))\"")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw Self.notOurs(socket, path, "can be written by others (sudo chmod go-w \(path))")
        }
    }

    private static func notOurs(_ socket: String, _ folder: String, _ what: String) -> ControlError {
        ControlError(
            .noPermission,
            "cannot make the socket \(socket): \(folder) \(what), and is in a place where everybody may create files: set "
                + "control.socket to a place of your own, or XDG_RUNTIME_DIR")
    }

    private static func isSticky(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & S_ISVTX != 0 && status.st_mode & S_IWOTH != 0
    }
}

/// Makes stations that want the same socket take turns while they check whether it is free and take it. It locks a file of our own, not the
/// folder, which everybody who may read it could lock.
final class SocketTurn {
    /// How long another process may hold its turn: it needs it only for a moment.
    static let lockMilliseconds: Int32 = 1000

    private let folder: Descriptor
    private let name: String
    private let file: Descriptor

    private init(folder: Descriptor, name: String, file: Descriptor) {
        self.folder = folder
        self.name = name
        self.file = file
    }

    /// The next one makes a file of its own.
    deinit { unlinkat(folder.number, name, 0) }

    /// `nil`: locking isn't possible here (a file system without locks, somebody else's file), so checking alone must do.
    static func take(in folder: SocketFolder, for socket: String) throws(ControlError) -> SocketTurn? {
        let name = ".\(socket.prefix(200)).lock"
        let step: Int32 = 20
        for _ in 0..<(lockMilliseconds / step) {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let number = openat(folder.descriptor.number, name, flags, 0o600)
            guard number >= 0 else { return nil }
            let file = Descriptor(number)
            var status = stat()
            guard fstat(number, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            if flock(number, LOCK_EX | LOCK_NB) == 0 {
                // The process before us unlinked the file: the lock no longer belongs to any file.
                var named = stat()
                if fstatat(folder.descriptor.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
                    named.st_ino == status.st_ino
                {
                    return SocketTurn(folder: folder.descriptor, name: name, file: file)
                }
                continue
            }
            guard errno == EWOULDBLOCK else { return nil }
            usleep(useconds_t(step) * 1000)
        }
        throw ControlError(
            .inUse,
            "another process keeps \(folder.path)/\(name) locked: is another station just starting?")
    }
}
