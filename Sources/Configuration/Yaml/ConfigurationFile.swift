import Glibc
import Linux

/// A configuration file's text, or a sentence that says why it can't be had.
enum ConfigurationFile {
    /// The longest useful station.yaml is a hundredth of this.
    static let maxBytes = 1 << 20

    static func text(of path: String, _ findings: inout Findings) -> String? {
        guard let bytes = bytes(of: path, &findings) else { return nil }
        // A byte order mark isn't part of the text.
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: content, as: UTF8.self) { return text }
        findings.add(
            .error, "not UTF-8 text from here on: save the file as UTF-8", at: firstInvalid(in: content))
        return nil
    }

    private static func bytes(of path: String, _ findings: inout Findings) -> [UInt8]? {
        // Without O_NONBLOCK, opening a FIFO would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            findings.add(.error, "can't read it: \(reason(errno))", at: nil)
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            findings.add(.error, "can't read it: \(reason(errno))", at: nil)
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            findings.add(.error, "this is a directory: name the file in it", at: nil)
            return nil
        default:
            findings.add(.error, "this is not a regular file", at: nil)
            return nil
        }
        // Reading one byte more than the limit shows that a file is too long, even if it grows meanwhile.
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), maxBytes) + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                uninterrupted { Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count) }
            }
            if read == 0 { break }
            guard read > 0 else {
                findings.add(.error, "can't read it: \(reason(errno))", at: nil)
                return nil
            }
            count += read
        }
        guard count <= maxBytes else {
            findings.add(
                .error, "longer than \(ByteCount.text(maxBytes)), which is the limit: is this the right file?", at: nil)
            return nil
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "no such file"
        case EACCES: "permission denied: make it readable for the user that runs the station"
        case ENOTDIR: "a part of the path is not a directory"
        default: SystemError(code).text
        }
    }

    /// Counts lines as the YAML scanner does.
    private static func firstInvalid(in bytes: ArraySlice<UInt8>) -> ConfigurationProblem.Position {
        var (line, column) = (1, 1)
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var last: Unicode.Scalar?
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            switch scalar {
            case "\n" where last == "\r": break
            case _ where YAMLDocument.lineBreaks.contains(scalar): (line, column) = (line + 1, 1)
            default: column += 1
            }
            last = scalar
        }
        return ConfigurationProblem.Position(line: line, column: column)
    }
}
