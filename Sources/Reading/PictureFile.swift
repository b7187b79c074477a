import CLinux
import Glibc

/// A picture file's bytes in sealed memory, to be passed to a reader process: the file itself may change, and is opened here.
struct PictureFile: ~Copyable {
    let descriptor: Int32
    let byteCount: UInt64

    private init(descriptor: Int32, byteCount: UInt64) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    /// The error's text names the path.
    static func load(path: String, maxBytes: Int) throws(ReaderError) -> PictureFile {
        // Not blocking: opening a pipe or a terminal must not hang.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw ReaderError("\(path) can't be opened: \(systemMessage(errno))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ReaderError("\(path): \(systemMessage(errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ReaderError("\(path) is not a file: name JPEG, PNG or PGM files")
        }
        guard status.st_size > 0 else { throw ReaderError("\(path) is empty") }
        guard status.st_size <= maxBytes else {
            throw ReaderError(
                "\(path) has \(status.st_size >> 20) MB, more than the limit of \(maxBytes >> 20) MB for a picture file"
            )
        }
        let byteCount = UInt64(status.st_size)
        let descriptor = CLinux_memfd_create("scanstation-picture", byteCount)
        guard descriptor >= 0 else {
            throw ReaderError("no memory for \(path): \(systemMessage(-descriptor))")
        }
        let picture = PictureFile(descriptor: descriptor, byteCount: byteCount)
        try fill(descriptor, from: file, byteCount, path)
        return picture
    }

    deinit { close(descriptor) }

    private static func fill(
        _ memory: Int32, from file: Int32, _ byteCount: UInt64, _ path: String
    ) throws(ReaderError) {
        var error: Int32 = 0
        guard let base = CLinux_map(memory, byteCount, 1, &error) else {
            throw ReaderError("no memory for \(path): \(systemMessage(error))")
        }
        var filled = 0
        while filled < Int(byteCount) {
            let count = read(file, base + filled, Int(byteCount) - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = count < 0 ? systemMessage(errno) : "it became shorter"
                CLinux_unmap(base, byteCount)
                throw ReaderError("\(path) can't be read: \(reason)")
            }
            filled += count
        }
        CLinux_unmap(base, byteCount)
        let status = CLinux_memfd_seal(memory, Int32(CLINUX_SEAL_CONTENT))
        guard status == 0 else { throw ReaderError("memory for \(path) can't be sealed: \(systemMessage(-status))") }
    }
}
