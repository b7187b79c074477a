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
        return try sealed(byteCount: bytes.count, name) { (memory) throws(ReaderError) in
            if let failure = append(bytes, to: memory) { throw noMemory(name, failure) }
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
        let byteCount = Int(status.st_size)
        return try sealed(byteCount: byteCount, name.description) { (memory) throws(ReaderError) in
            try copy(file, to: memory, byteCount: byteCount, name.description)
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
        return try sealed(byteCount: bytes.count, name) { (memory) throws(ReaderError) in
            let failure = bytes.withUnsafeBytes { append($0, to: memory) }
            if let failure { throw noMemory(name, failure) }
        }
    }

    private static func tooLarge(_ name: String, _ size: String, _ maxBytes: Int) -> ReaderError {
        ReaderError("\(name) has \(size), more than the limit of \(maxBytes >> 20) MB for a picture file")
    }

    /// - Parameter fill: writes `byteCount` bytes into the memory. It mustn't map them: a child that another thread has forked and that
    ///   hasn't called exec yet would share a writable mapping, and the kernel refuses to seal as long as there is one (EBUSY).
    private static func sealed(
        byteCount: Int, _ name: String, _ fill: (_ memory: Int32) throws(ReaderError) -> Void
    ) throws(ReaderError) -> PictureFile {
        let memory = CLinux_memfd_create("scanstation-picture", UInt64(byteCount))
        guard memory >= 0 else { throw noMemory(name, SystemError(-memory)) }
        let picture = PictureFile(descriptor: memory, byteCount: UInt64(byteCount))
        try fill(memory)
        let status = CLinux_memfd_seal(memory, Int32(CLINUX_SEAL_CONTENT))
        guard status == 0 else { throw ReaderError("memory for \(name) can't be sealed: \(SystemError(-status).text)") }
        return picture
    }

    private static func copy(_ file: Int32, to memory: Int32, byteCount: Int, _ name: String) throws(ReaderError) {
        var chunk = [UInt8](repeating: 0, count: min(byteCount, 1 << 18))
        var left = byteCount
        while left > 0 {
            let count = uninterrupted { Glibc.read(file, &chunk, min(left, chunk.count)) }
            guard count > 0 else {
                throw ReaderError("\(name) can't be read: \(count < 0 ? SystemError().text : "it became shorter")")
            }
            let failure = chunk.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: memory) }
            if let failure { throw noMemory(name, failure) }
            left -= count
        }
    }

    /// Returns why it failed. Where the memory's own position stands afterwards is of no interest: the reader process maps it.
    private static func append(_ bytes: UnsafeRawBufferPointer, to memory: Int32) -> SystemError? {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = uninterrupted { Glibc.write(memory, rest.baseAddress, rest.count) }
            guard count > 0 else { return SystemError() }
            written += count
        }
        return nil
    }

    private static func noMemory(_ name: String, _ failure: SystemError) -> ReaderError {
        ReaderError("no memory for \(name): \(failure.text)")
    }
}
