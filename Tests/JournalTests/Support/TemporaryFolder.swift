import Glibc

/// A folder for one test, removed with what is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/journal-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        chmod(path, 0o700)
        for name in names { unlink(file(name)) }
        rmdir(path)
    }

    var names: [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// `false` if it can't be written.
    func write(_ bytes: [UInt8], to name: String) -> Bool {
        guard let stream = fopen(file(name), "w") else { return false }
        defer { fclose(stream) }
        return fwrite(bytes, 1, bytes.count, stream) == bytes.count
    }

    /// Overwrites bytes of a file in place.
    func damage(_ name: String, at offset: Int, bytes: [UInt8]) -> Bool {
        guard let stream = fopen(file(name), "r+") else { return false }
        defer { fclose(stream) }
        return fseek(stream, offset, SEEK_SET) == 0 && fwrite(bytes, 1, bytes.count, stream) == bytes.count
    }
}
