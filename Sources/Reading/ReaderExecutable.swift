import Glibc
import Linux

/// The paths of the reader processes' executables: one reads a camera's frames, the other picture files.
package enum ReaderExecutable {
    package static let name = "scanstation-reader"
    package static let picturesName = "scanstation-picture-reader"
    /// Where the package installs it.
    package static let installedPath = "/usr/libexec/scanstation/scanstation-reader"
    /// Names another executable, for tests and development.
    package static let environmentVariable = "SCANSTATION_READER"

    /// The one named by SCANSTATION_READER; else the one beside this program; else the installed one. Also returns a path that doesn't exist:
    /// the error on starting it says what is missing.
    package static func locate() -> String {
        if let named = Environment.value(environmentVariable) { return named }
        if let own = ownPath(), let slash = own.lastIndex(of: "/") {
            let beside = own[..<slash] + "/" + name
            if isExecutable(String(beside)) { return String(beside) }
        }
        return installedPath
    }

    /// The one that reads picture files, beside the one that reads frames.
    package static func locatePictures() -> String { pictures(beside: locate()) }

    static func pictures(beside reader: String) -> String {
        guard let slash = reader.lastIndex(of: "/") else { return picturesName }
        return reader[...slash] + picturesName
    }

    /// Throws an error that says what is wrong with the executable and what to do.
    static func check(_ path: String) throws(ReaderError) {
        guard !isExecutable(path) else { return }
        throw ReaderError(
            "the reader process \"\(path)\" can't be started: \(SystemError().text); install the package again, or set "
                + "\(environmentVariable) to the path of \(name)")
    }

    private static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    private static func ownPath() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        return length > 0 ? String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
