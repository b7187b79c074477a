import Glibc
import Linux

/// A folder for one test, removed with what is in it.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Below /tmp whatever the environment says: a socket's path has at most 107 characters.
    package init() {
        var template = Array("/tmp/scanstation-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp/scanstation-test-that-could-not-be-made"
    }

    deinit { Self.remove(path) }

    package var names: [String] { Files.names(in: path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func folder(_ name: String) throws -> String {
        guard mkdir(file(name), 0o755) == 0 else { throw SystemError() }
        return file(name)
    }

    /// Returns the file's path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        guard let stream = fopen(file(name), "w") else { throw SystemError() }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw SystemError() }
        return file(name)
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        chmod(path, 0o700)
        for name in Files.names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
