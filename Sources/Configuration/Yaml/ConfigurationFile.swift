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
        let problem: String
        switch Files.read(path, limit: maxBytes, isPlain: true) {
        case .bytes(let bytes): return bytes
        case .tooLong:
            problem = "longer than \(ByteCount.text(maxBytes)), which is the limit: is this the right file?"
        case .notAFile(SystemError(EISDIR)): problem = "this is a directory: name the file in it"
        case .notAFile: problem = "this is not a regular file"
        case .missing(let error), .failed(let error): problem = "can't read it: \(reason(error))"
        }
        findings.add(.error, problem, at: nil)
        return nil
    }

    private static func reason(_ error: SystemError) -> String {
        switch error.code {
        case ENOENT: "no such file"
        case EACCES: "permission denied: make it readable for the user that runs the station"
        case ENOTDIR: "a part of the path is not a directory"
        default: error.text
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
