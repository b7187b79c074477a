import Glibc
import Vocabulary

/// Tells whether a file is what it was: somebody at a desk writes another picture over it.
struct FileVersion: Hashable, Sendable {
    var inode: UInt64
    var bytes: Int64
    var changedNanoseconds: Int64

    /// `nil`: there is no such file.
    init?(_ file: FileName) {
        var status = stat()
        let path = file.bytes.map(CChar.init(bitPattern:)) + [0]
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        changedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}
