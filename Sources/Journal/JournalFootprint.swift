import Glibc

/// What the journal's names lead to at a moment: which folder and files, how large, and when they were written. Taken by stat(2) on the
/// names only: opening and closing the database beside SQLite would drop SQLite's locks on it (fcntl(2), "POSIX locks").
struct JournalFootprint: Hashable, Sendable {
    struct File: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        /// Nanoseconds since 1970.
        var modified: Int64

        func isSame(as other: File) -> Bool { device == other.device && inode == other.inode }
    }

    /// `nil`: nothing has that name.
    var folder: File?
    var database: File?
    /// The write-ahead log.
    var log: File?
}

extension JournalFootprint.File {
    /// `nil` if there is nothing at `path`, or it can't be reached.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}

extension JournalPlace {
    var footprint: JournalFootprint {
        JournalFootprint(
            folder: JournalFootprint.File(path: folder), database: JournalFootprint.File(path: database),
            log: JournalFootprint.File(path: log))
    }

    /// For a file system that takes no writes: mounted read-only, or made read-only by the kernel after an error.
    var writeProtection: String {
        "the file system of \(folder) is read-only, as it becomes when the disk fails (see dmesg): mount it writable again, "
            + "or set journal.folder to another disk"
    }
}
