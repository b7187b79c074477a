import CLinux
import Glibc
import Linux
import Vocabulary

/// A picture file's bytes in sealed memory, for a reader process: the file itself may change, and is opened here.
struct PictureFile: ~Copyable {
    let descriptor: Int32
    let byteCount: UInt64

    private init(descriptor: Int32, byteCount: UInt64) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { close(descriptor) }

    /// The error's text names the source.
    static func load(_ source: PictureSource, maxBytes: Int) throws(ReaderError) -> PictureFile {
        switch source {
        case .file(let name): try load(name, maxBytes: maxBytes)
        case .standardInput: try loadStream(STDIN_FILENO, "standard input", maxBytes: maxBytes)
        }
    }

    /// Copies bytes that are in somebody else's memory now.
    static func copy(_ bytes: UnsafeRawBufferPointer, name: String) throws(ReaderError) -> PictureFile {
        guard !bytes.isEmpty else { throw ReaderError("\(name) is empty") }
        return try sealed(byteCount: bytes.count, name) { (target, filled) throws(ReaderError) in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[filled...]))
            return bytes.count - filled
        }
    }

    private static func load(_ name: FileName, maxBytes: Int) throws(ReaderError) -> PictureFile {
        // Non-blocking: opening a pipe or a terminal must not hang.
        let file = name.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else { throw ReaderError("\(name) can't be opened: \(SystemError().text)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ReaderError("\(name): \(SystemError().text)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ReaderError("\(name) is not a file: name pictures (\(PictureKinds.names))")
        }
        guard status.st_size > 0 else { throw ReaderError("\(name) is empty") }
        guard status.st_size <= maxBytes else { throw tooLarge("\(name)", "\(status.st_size >> 20) MB", maxBytes) }
        return try sealed(byteCount: Int(status.st_size), name.description) { (target, _) throws(ReaderError) in
            try readSome(file, target, name.description)
        }
    }

    /// Reads a pipe, or any other stream, to its end, which must come within `maxBytes`.
    private static func loadStream(_ file: Int32, _ name: String, maxBytes: Int) throws(ReaderError) -> PictureFile {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = uninterrupted { Glibc.read(file, &chunk, chunk.count) }
            guard count >= 0 else { throw ReaderError("\(name) can't be read: \(SystemError().text)") }
            if count == 0 { break }
            bytes += chunk[..<count]
            guard bytes.count <= maxBytes else { throw tooLarge(name, "more", maxBytes) }
        }
        guard !bytes.isEmpty else { throw ReaderError("\(name) is empty") }
        return try sealed(byteCount: bytes.count, name) { (target, filled) throws(ReaderError) in
            bytes[filled...].withUnsafeBytes { target.copyMemory(from: $0) }
            return bytes.count - filled
        }
    }

    private static func tooLarge(_ name: String, _ size: String, _ maxBytes: Int) -> ReaderError {
        ReaderError("\(name) has \(size), more than the limit of \(maxBytes >> 20) MB for a picture file")
    }

    /// - Parameter fill: copies some of the bytes from the given position on into the memory, and returns how many.
    private static func sealed(
        byteCount: Int, _ name: String, _ fill: (UnsafeMutableRawBufferPointer, Int) throws(ReaderError) -> Int
    ) throws(ReaderError) -> PictureFile {
        let memory = CLinux_memfd_create("scanstation-picture", UInt64(byteCount))
        guard memory >= 0 else { throw ReaderError("no memory for \(name): \(SystemError(-memory).text)") }
        let picture = PictureFile(descriptor: memory, byteCount: UInt64(byteCount))
        var error: Int32 = 0
        guard let base = CLinux_map(memory, UInt64(byteCount), 1, &error) else {
            throw ReaderError("no memory for \(name): \(SystemError(error).text)")
        }
        do throws(ReaderError) {
            var filled = 0
            while filled < byteCount {
                filled += try fill(
                    UnsafeMutableRawBufferPointer(start: base + filled, count: byteCount - filled), filled)
            }
        } catch {
            CLinux_unmap(base, UInt64(byteCount))
            throw error
        }
        CLinux_unmap(base, UInt64(byteCount))
        let status = CLinux_memfd_seal(memory, Int32(CLINUX_SEAL_CONTENT))
        guard status == 0 else { throw ReaderError("memory for \(name) can't be sealed: \(SystemError(-status).text)") }
        return picture
    }

    private static func readSome(
        _ file: Int32, _ target: UnsafeMutableRawBufferPointer, _ name: String
    ) throws(ReaderError) -> Int {
        let count = uninterrupted { Glibc.read(file, target.baseAddress, target.count) }
        guard count > 0 else {
            throw ReaderError("\(name) can't be read: \(count < 0 ? SystemError().text : "it became shorter")")
        }
        return count
    }
}
