import Glibc
import TestSupport

/// A file system of 256 KB in memory, mounted in a test's folder and gone with it. Only root may.
final class SmallDisk {
    static let isPossible: Bool = {
        let folder = TemporaryFolder()
        return SmallDisk(in: folder) != nil
    }()

    private let path: String

    /// `nil` if it can't be mounted.
    init?(in folder: TemporaryFolder) {
        path = folder.file("disk")
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=256k") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
