import Glibc
import Linux

/// Standard output and standard error, written whole and unbuffered.
enum Console {
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func error(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// The message that ends a command, with the program's name before it. Messages that begin with a file's name and line have none, so
    /// that an editor finds the place; nor have remarks on progress.
    static func fail(_ reason: String) { error("scanstation: \(reason)") }

    /// A terminal, or one that hung up: `isatty` no longer calls that a terminal, but a service's input looks different.
    static var isInputTerminal: Bool {
        errno = 0
        return isatty(STDIN_FILENO) == 1 || errno == EIO
    }

    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Returns false when the other end is gone, so that a loop that prints can stop.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { bytes in
                uninterrupted { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                _ = isReady(descriptor, POLLOUT, until: nil)
            } else {
                return false
            }
        }
        return true
    }
}
