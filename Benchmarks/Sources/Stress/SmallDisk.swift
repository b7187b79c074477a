import Foundation

/// A file system of a few mebibytes for a journal, mounted on a folder: a tmpfs, because that is quick and needs no image. Needs root.
final class SmallDisk: Sendable {
    let path: String
    private let undo: @Sendable () -> Void

    init(path: String, mebibytes: Int) throws {
        self.path = path
        guard geteuid() == 0 else {
            throw BenchmarkFailure(
                "a small file system has to be mounted at \(path), which takes root: run it as root (sudo)")
        }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let flags = UInt(MS_NOSUID | MS_NODEV | MS_NOEXEC)
        guard mount("scanstation-small-disk", path, "tmpfs", flags, "size=\(mebibytes)m,mode=0750") == 0 else {
            let reason = String(cString: strerror(errno))
            throw BenchmarkFailure("a tmpfs can't be mounted at \(path): \(reason); a container may not be allowed to")
        }
        // A process that still has a file open there doesn't hold it.
        undo = CleanUp.shared.add { _ = umount2(path, Int32(MNT_DETACH)) }.undo
    }

    deinit { undo() }

    /// Takes up room with a file that nobody uses.
    func fill(mebibytes: Int) throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, posix_fallocate(descriptor, 0, off_t(mebibytes << 20)) == 0 else {
            throw BenchmarkFailure("\(path) hasn't \(mebibytes) MiB to fill")
        }
    }

    func makeRoom() { unlink(filler) }

    private var filler: String { path + "/filler" }
}
