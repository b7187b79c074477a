import Glibc
import Linux

/// Where system programs are.
enum ProgramPath {
    /// A service's PATH when none was set.
    static let defaultFolders = "/usr/local/bin:/usr/bin:/bin"

    /// The first executable file of one of these names, in the order of the names; a name with a slash is a path.
    static func find(_ names: [String], folders: String = Environment.value("PATH") ?? defaultFolders)
        -> String?
    {
        for name in names {
            if name.contains("/") {
                if isExecutable(name) { return name }
                continue
            }
            for folder in folders.split(separator: ":") where isExecutable("\(folder)/\(name)") {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
