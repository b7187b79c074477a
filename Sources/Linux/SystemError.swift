import Glibc

/// An errno with its text: "Permission denied".
package struct SystemError: Error, Hashable {
    package var code: Int32

    package init(_ code: Int32 = errno) { self.code = code }

    package var text: String {
        // glibc's strerror is thread-safe since 2.32, and its texts are constants.
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
