import Glibc
import Linux
import Vocabulary

/// A picture file's bytes in sealed memory, for a reader process: the file itself may change, and is opened here.
struct PictureFile: ~Copyable {
    private let memory: SharedMemory

    var descriptor: Int32 { memory.descriptor }
    var byteCount: UInt64 { memory.byteCount }

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
            try append(bytes, to: memory, name)
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
            try bytes.withUnsafeBufferPointer { (bytes) throws(ReaderError) in
                try append(UnsafeRawBufferPointer(bytes), to: memory, name)
            }
        }
    }

    private static func tooLarge(_ name: String, _ size: String, _ maxBytes: Int) -> ReaderError {
        ReaderError("\(name) has \(size), more than the limit of \(maxBytes >> 20) MB for a picture file")
    }

    /// - Parameter fill: appends `byteCount` bytes to the memory.
    private static func sealed(
        byteCount: Int, _ name: String, _ fill: (_ memory: borrowing SharedMemory) throws(ReaderError) -> Void
    ) throws(ReaderError) -> PictureFile {
        let memory: SharedMemory
        do throws(SystemError) {
            memory = try SharedMemory("scanstation-picture", byteCount: UInt64(byteCount))
        } catch { throw noMemory(name, error) }
        try fill(memory)
        do throws(SystemError) { try memory.seal(.content) } catch {
            throw ReaderError("memory for \(name) can't be sealed: \(error.text)")
        }
        return PictureFile(memory: memory)
    }

    private static func copy(
        _ file: Int32, to memory: borrowing SharedMemory, byteCount: Int, _ name: String
    ) throws(ReaderError) {
        var chunk = [UInt8](repeating: 0, count: min(byteCount, 1 << 18))
        var left = byteCount
        while left > 0 {
            let count = uninterrupted { Glibc.read(file, &chunk, min(left, chunk.count)) }
            guard count > 0 else {
                throw ReaderError("\(name) can't be read: \(count < 0 ? SystemError().text : "it became shorter")")
            }
            try chunk.withUnsafeBufferPointer { (chunk) throws(ReaderError) in
                let bytes = UnsafeBufferPointer(rebasing: chunk[..<count])
                try append(UnsafeRawBufferPointer(bytes), to: memory, name)
            }
            left -= count
        }
    }

    private static func append(
        _ bytes: UnsafeRawBufferPointer, to memory: borrowing SharedMemory, _ name: String
    ) throws(ReaderError) {
        do throws(SystemError) { try memory.append(bytes) } catch { throw noMemory(name, error) }
    }

    private static func noMemory(_ name: String, _ failure: SystemError) -> ReaderError {
        ReaderError("no memory for \(name): \(failure.text)")
    }
}
