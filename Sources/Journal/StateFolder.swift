import Glibc
import Linux

/// The folder in which a station keeps its state.
package enum StateFolder {
    /// `$STATE_DIRECTORY` as systemd sets it (the first of several), for root `/var/lib/scanstation`, else
    /// `$XDG_STATE_HOME/scanstation` or `~/.local/state/scanstation`.
    package static var `default`: String { `default`(environment: Environment.value, isRoot: geteuid() == 0) }

    static func `default`(environment: (String) -> String?, isRoot: Bool) -> String {
        if let given = environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(given) }
        if isRoot { return "/var/lib/scanstation" }
        return (Environment.stateHome(environment) ?? "/.local/state") + "/scanstation"
    }

    /// Makes the folder and its parents, mode 0750, unless it is there.
    package static func make(_ folder: String) throws(JournalError) {
        do throws(Files.NoFolder) { try Files.makeFolder(folder, mode: 0o750) } catch {
            throw JournalError(
                .unavailable,
                "can't make the state folder \(folder): \(error.path): \(error.error.text). Make it for the station's user, or "
                    + "set journal.folder")
        }
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw JournalError(
                .unavailable,
                "the state folder \(folder) isn't a folder: move what is there away, or set journal.folder")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            if errno == EROFS { throw JournalError(.unavailable, JournalPlace(folder: folder).writeProtection) }
            let reason = SystemError().text
            throw JournalError(
                .unavailable,
                "can't write to the state folder \(folder): \(reason). Give it to the station's user, or set journal.folder"
            )
        }
    }
}
