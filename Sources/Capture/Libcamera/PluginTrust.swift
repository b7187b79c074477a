import Glibc

/// Whether a plugin may be loaded: its code runs in this process, perhaps as root. So only those who can change this program may be able to
/// change the plugin: the file and every folder above it must belong to root, to the user that runs this, or to the program's owner, and
/// nobody else may write to them. A sticky folder such as `/tmp` may be everybody's, because others can't replace what is in it.
struct PluginTrust: Sendable {
    /// `nil`: there is no such file.
    private let program: stat?

    /// - Parameter program: the running program's file.
    init(program: String = "/proc/self/exe") {
        var status = stat()
        self.program = stat(program, &status) == 0 ? status : nil
    }

    /// Why the file or folder can't be trusted, and what to do; `nil`: it can, or doesn't exist.
    func problem(with path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        var path = String(cString: pointer)
        while true {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            if let problem = problem(with: status, at: path) { return problem }
            guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    private func problem(with status: stat, at path: String) -> String? {
        guard [0, geteuid(), program?.st_uid].contains(status.st_uid) else {
            return
                "\(path) belongs to user \(status.st_uid), who could put another program there: sudo chown root \(path)"
        }
        if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_ISVTX != 0 { return nil }
        // A source tree may be its group's, the built program included.
        let isGroups = program.map { $0.st_gid == status.st_gid && $0.st_mode & S_IWGRP != 0 } ?? false
        let writers = status.st_mode & (isGroups ? S_IWOTH : S_IWGRP | S_IWOTH)
        guard writers != 0 else { return nil }
        let who = writers & S_IWOTH != 0 ? "everybody" : "its group"
        return "\(path) can be written by \(who), who could put another program there: sudo chmod go-w \(path)"
    }
}
