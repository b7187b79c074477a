import Dispatch
import Glibc
import Linux
import Vocabulary

/// Keeps the frames that reader processes were lost on, as PGM files; deletes the oldest when there are too many.
///
/// Writes on a separate queue, because a disk may be slow. Frames that arrive while one is being written are not kept.
final class CrashFolder: Sendable {
    let path: String
    let maxFiles: Int
    private let queue = DispatchQueue(label: "scanstation.crash-folder", qos: .utility)
    private static let prefix = "frame-"
    private static let suffix = ".pgm"

    init(path: String, maxFiles: Int) {
        self.path = path
        self.maxFiles = max(1, maxFiles)
    }

    /// Calls `done` on the folder's queue, with the file's path or the reason why there is none.
    func keep(
        _ pixels: [UInt8], size: FrameSize, sequence: UInt64, at now: Instant,
        done: @escaping @Sendable (Result<String, ReaderError>) -> Void
    ) {
        queue.async { [self] in
            let result = Result { () throws(ReaderError) in try write(pixels, size, sequence, now) }
            done(result)
        }
    }

    private func write(
        _ pixels: [UInt8], _ size: FrameSize, _ sequence: UInt64, _ now: Instant
    ) throws(ReaderError) -> String {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure("made") }
        // Sorting by name sorts by age: the name begins with wall time, followed by the time since boot for frames of the same second.
        let name =
            Self.prefix + padded(UInt64(max(0, time(nil))), 12) + "-" + padded(UInt64(max(0, now.nanoseconds)), 18)
            + "-\(sequence)" + Self.suffix
        let file = path + "/" + name
        let descriptor = open(file + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("written") }
        let header = Array("P5\n\(size.width) \(size.height)\n255\n".utf8)
        let isWritten = writeAll(header, to: descriptor) && writeAll(pixels, to: descriptor)
        let error = errno
        close(descriptor)
        guard isWritten, rename(file + ".part", file) == 0 else {
            unlink(file + ".part")
            errno = isWritten ? errno : error
            throw failure("written")
        }
        removeOldest()
        return file
    }

    private func failure(_ verb: String) -> ReaderError {
        ReaderError(
            "a frame that a reader was lost on can't be \(verb) in \(path): \(SystemError().text); "
                + "free space there, or set reading.crashFolder to another folder")
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                uninterrupted { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            }
            if count < 0 { return false }
            written += count
        }
        return true
    }

    private func removeOldest() {
        let names = Files.names(in: path).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
        for name in names.dropLast(maxFiles) { unlink(path + "/" + name) }
    }

    private func padded(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
