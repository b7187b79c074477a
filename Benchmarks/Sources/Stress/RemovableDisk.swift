import Foundation

/// A disk that can be pulled out and put in again: an image with ext4 on a loop device, mounted on a folder. Needs root.
final class RemovableDisk: Sendable {
    let path: String
    private let image: String
    private let log: String
    private let undo: @Sendable () -> Void

    /// A request to ext4 (fs/ext4/ext4.h): from now on every access fails, and what wasn't flushed is gone.
    private static let shutdownRequest: UInt = 0x8004_587D
    private static let withoutFlush: UInt32 = 2

    init(path: String, image: String, log: String, mebibytes: Int = 64) throws {
        (self.path, self.image, self.log) = (path, image, log)
        guard geteuid() == 0 else {
            throw BenchmarkFailure("a disk has to be mounted at \(path), which takes root: run it as root (sudo)")
        }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // Newest first, so what is mounted over it goes first.
        undo = CleanUp.shared.add { while umount2(path, Int32(MNT_DETACH)) == 0 {} }.undo
        let file = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0, ftruncate(file, off_t(mebibytes << 20)) == 0 else {
            throw BenchmarkFailure("can't make \(image): \(String(cString: strerror(errno)))")
        }
        close(file)
        try Self.call("/sbin/mkfs.ext4", ["-q", "-e", "remount-ro", image], log)
        try putIn()
    }

    deinit { undo() }

    func putIn() throws { try Self.call("/bin/mount", ["-o", "loop", image, path], log) }

    /// As a disk with errors becomes read-only: by the kernel, with files open for writing.
    func makeReadOnly() throws {
        guard mount(nil, path, nil, UInt(MS_REMOUNT), "abort") == 0 else {
            throw Self.failure("be made read-only", path)
        }
    }

    /// Every access fails from now on; its name stays, until somebody unmounts it.
    func cut() throws {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        var flags = Self.withoutFlush
        guard folder >= 0, ioctl(folder, Self.shutdownRequest, &flags) == 0 else {
            throw Self.failure("be cut off", path)
        }
    }

    /// Processes that have a file open there keep it open.
    func unmount() throws {
        guard umount2(path, Int32(MNT_DETACH)) == 0 else { throw Self.failure("be unmounted", path) }
    }

    /// Whether nobody has a file open there any more after it was unmounted: the kernel then releases its loop device.
    var isReleased: Bool {
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/block")) ?? []
        return !devices.contains { device in
            guard device.hasPrefix("loop") else { return false }
            let name = try? String(contentsOfFile: "/sys/block/\(device)/loop/backing_file", encoding: .utf8)
            return name?.hasPrefix(image) == true
        }
    }

    private static func failure(_ what: String, _ path: String) -> BenchmarkFailure {
        BenchmarkFailure("the disk at \(path) can't \(what): \(String(cString: strerror(errno)))")
    }

    private static func call(_ program: String, _ arguments: [String], _ log: String) throws {
        guard try ChildProcess(program, arguments, log: log).wait() == 0 else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw BenchmarkFailure(
                "\(program) \(arguments.joined(separator: " ")) failed (a container may not be allowed to): \(said.suffix(300))"
            )
        }
    }
}
