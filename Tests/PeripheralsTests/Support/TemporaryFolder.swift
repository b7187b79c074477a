import Glibc
import Testing

/// A folder for one test, which says what it puts there and removes it itself.
func makeTemporaryFolder() throws -> String {
    var template = Array("/tmp/scanstation-test-XXXXXX".utf8CString)
    return try template.withUnsafeMutableBufferPointer { buffer in
        let path = try #require(buffer.baseAddress)
        return String(cString: try #require(mkdtemp(path)))
    }
}
