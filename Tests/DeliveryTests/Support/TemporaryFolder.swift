import Glibc

/// A folder for one test, removed with what is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/delivery-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
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

    /// `false` if it can't be written.
    func write(_ text: String, to name: String) -> Bool {
        guard let stream = fopen(file(name), "w") else { return false }
        defer { fclose(stream) }
        return fputs(text, stream) >= 0
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
