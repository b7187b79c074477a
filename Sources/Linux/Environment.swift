import Glibc

/// What the environment says.
package enum Environment {
    /// `nil` if the variable isn't set, or is empty.
    package static func value(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Where programs of this user keep what is to outlast them: `$XDG_STATE_HOME`, else `~/.local/state`. The XDG base directory
    /// specification wants an absolute path, and a relative one ignored. `nil` without a home.
    package static func stateHome(_ variable: (String) -> String? = value) -> String? {
        if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state"
    }
}
