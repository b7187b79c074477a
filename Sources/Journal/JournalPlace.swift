import CLinux
import Glibc
import Linux

/// The files of a journal in its folder, and the kind of disk that it is on.
struct JournalPlace: Sendable {
    let folder: String
    // These two are looked up with each commit.
    let database: String
    let log: String
    var lock: String { folder + "/journal.lock" }
    var ballast: String { folder + "/journal.ballast" }

    init(folder: String) {
        self.folder = folder
        database = folder + "/journal.db"
        log = database + "-wal"
    }

    /// Bytes that the station may still write; `nil` if the system doesn't say.
    var freeBytes: UInt64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Whether the write-ahead log begins with its magic number (SQLite's file format, chapter 4.1); `nil` if it is empty or can't be read.
    var logBegins: Bool? {
        let descriptor = open(log, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var magic: UInt32 = 0
        guard pread(descriptor, &magic, 4, 0) == 4 else { return nil }
        return UInt32(bigEndian: magic) & ~1 == 0x377F_0682
    }

    static func size(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(max(0, status.st_size)) : nil
    }

    /// Why a place is volatile although writing to it succeeds (magic numbers: linux/magic.h); `nil` for disks.
    var warning: String? {
        let type = CLinux_filesystem_type(folder)
        return type < 0 ? nil : JournalPlace.warning(type: UInt32(truncatingIfNeeded: type), folder: folder)
    }

    static func warning(type: UInt32, folder: String) -> String? {
        let what: String
        switch type {
        case 0x0102_1994: what = "tmpfs: it is memory, and scans end with the power"
        case 0x8584_58F6: what = "ramfs: it is memory, and scans end with the power"
        case 0x794C_7630: what = "an overlay: scans may end with the power or the container"
        case 0x0102_1997: what = "9p: the host decides when scans are on disk"
        default: return nil
        }
        return "the state folder \(folder) is on \(what). Set journal.folder to a folder on a disk"
    }

    /// Creates an empty file, which SQLite takes as a new database; its log gets the same permissions. Others get none: scans contain
    /// passwords and one-time secrets. What fails here fails again, with the reason, when the database is opened.
    func makeDatabase() {
        let descriptor = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes a new, renamed or removed name in the folder durable.
    func syncFolder() { try? WholeFile.syncFolder(folder) }

    /// Journals that were set aside before.
    var damagedCount: Int {
        Files.names(in: folder).count { $0.hasPrefix(JournalPlace.damagedPrefix) && $0.hasSuffix(".db") }
    }

    private static let damagedPrefix = "journal-damaged-"

    enum SettingAside: Hashable, Sendable {
        /// Returns the new name; `nil`: there was no database.
        case done(String?)
        case failed
    }

    /// Renames a journal and its log, as far as they exist, out of the way.
    func setAside(wallNanoseconds: Int64) -> SettingAside {
        var seconds = time_t(wallNanoseconds / 1_000_000_000)
        var date = tm()
        gmtime_r(&seconds, &date)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y%m%d-%H%M%S", &date)
        let time = String(untilNUL: text)
        var name = "\(JournalPlace.damagedPrefix)\(time)"
        var attempt = 1
        while JournalPlace.size(of: "\(folder)/\(name).db") != nil {
            attempt += 1
            name = "\(JournalPlace.damagedPrefix)\(time)-\(attempt)"
        }
        let target = "\(folder)/\(name).db"
        // The log first, so that nothing takes it for the new journal's.
        var isThere = false
        for suffix in ["-wal", "-shm", ""] {
            isThere = rename(database + suffix, target + suffix) == 0
            if !isThere, errno != ENOENT { return .failed }
        }
        syncFolder()
        return .done(isThere ? target : nil)
    }
}

/// A file that only takes up room, so that a full disk still has some to free.
struct Ballast: Sendable {
    var path: String
    var bytes: UInt64 = JournalLimits.ballastBytes

    /// Whether it has its full size.
    func make() -> Bool {
        if JournalPlace.size(of: path) == bytes { return true }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return false }
        let isThere = posix_fallocate(descriptor, 0, off_t(bytes)) == 0
        close(descriptor)
        if !isThere { release() }
        return isThere
    }

    func release() { unlink(path) }
}
