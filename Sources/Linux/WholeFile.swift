import Glibc

/// Files that are replaced whole, or not at all, and folders whose names are made durable.
package enum WholeFile {
    /// The file's owner; only root can set another one.
    package typealias Owner = (user: uid_t, group: gid_t)

    /// Returns once the new content is on disk under its name. On an error the old file is as it was, unless the folder itself can't be
    /// flushed: then either may be there after a power cut.
    ///
    /// The content is written beside it first, under a name that begins with a dot. May take as long as the disk takes.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t, owner: Owner? = nil
    ) throws(SystemError) {
        let folder = Self.folder(of: path)
        let part = "\(folder)/.\(path.split(separator: "/").last ?? "").\(getpid()).part"
        // What an interrupted write left, or somebody put there; a link is removed, not followed.
        unlink(part)
        let number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard number >= 0 else { throw SystemError() }
        do throws(SystemError) {
            try fill(Descriptor(number), bytes, mode, owner)
            guard rename(part, path) == 0 else { throw SystemError() }
        } catch {
            unlink(part)
            throw error
        }
        try syncFolder(folder)
    }

    /// Moves a file aside, durably; what had that name is replaced.
    package static func move(_ path: String, to other: String) throws(SystemError) {
        guard rename(path, other) == 0 else { throw SystemError() }
        try syncFolder(folder(of: other))
    }

    /// Makes the names in a folder durable.
    package static func syncFolder(_ folder: String) throws(SystemError) {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError() }
        defer { close(number) }
        // File systems that can't flush a folder say so, and do it in other ways.
        guard fsync(number) == 0 || errno == EINVAL else { throw SystemError() }
    }

    /// `.` for a name without a folder.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func fill(
        _ file: Descriptor, _ bytes: [UInt8], _ mode: mode_t, _ owner: Owner?
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            switch file.write(bytes, from: done) {
            case .written(let count) where count > 0: done += count
            case .written: throw SystemError(ENOSPC)
            case .wouldBlock: throw SystemError(EAGAIN)
            case .failed(let error): throw error
            }
        }
        // Whatever the umask.
        guard fchmod(file.number, mode) == 0 else { throw SystemError() }
        if let owner, fchown(file.number, owner.user, owner.group) != 0 { throw SystemError() }
        guard fsync(file.number) == 0 else { throw SystemError() }
    }
}
