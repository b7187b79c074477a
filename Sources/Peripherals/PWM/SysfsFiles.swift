import Glibc
import Linux

/// The attributes of a sysfs folder: the seam below `PWMTone`.
protocol AttributeFiles: Sendable {
    func exists(_ path: String) -> Bool
    func write(_ text: String, to path: String) throws(GPIOFailure)
    /// The text without the newline at its end.
    func read(_ path: String) throws(GPIOFailure) -> String
}

/// The real ones. Each write is one system call, as the kernel wants it.
struct SysfsFiles: AttributeFiles {
    /// The kernel gives at most a page; numbers are far shorter.
    private static let maxBytes = 64

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    func write(_ text: String, to path: String) throws(GPIOFailure) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw GPIOFailure(errno: errno) }
        defer { close(file) }
        var text = text
        let count = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw GPIOFailure(errno: errno) }
    }

    func read(_ path: String) throws(GPIOFailure) -> String {
        switch Files.read(path, limit: Self.maxBytes) {
        case .bytes(let bytes), .tooLong(let bytes):
            return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        case .missing(let error), .notAFile(let error), .failed(let error): throw GPIOFailure(errno: error.code)
        }
    }
}
