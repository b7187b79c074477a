import Glibc

/// Users and groups that this machine knows, by name and number; `nil`: none. Any thread may ask.
package enum Accounts {
    package static func userName(_ id: uid_t) -> String? {
        find(passwd(), { getpwuid_r(id, $0, $1, $2, $3) }, { $0.pw_name.map { String(cString: $0) } })
    }

    package static func userID(_ name: String) -> uid_t? {
        find(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, \.pw_uid)
    }

    package static func groupName(_ id: gid_t) -> String? {
        find(group(), { getgrgid_r(id, $0, $1, $2, $3) }, { $0.gr_name.map { String(cString: $0) } })
    }

    package static func groupID(_ name: String) -> gid_t? {
        find(group(), { getgrnam_r(name, $0, $1, $2, $3) }, \.gr_gid)
    }

    /// An entry's texts, a group's members among them, are put into a buffer of ours.
    private static let maxBytes = 1 << 20

    /// - Parameter take: while the entry's texts are there.
    private static func find<Entry, Value>(
        _ empty: Entry,
        _ look: (
            UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
        ) -> Int32,
        _ take: (Entry) -> Value?
    ) -> Value? {
        var entry = empty
        var found: UnsafeMutablePointer<Entry>?
        var size = 4096
        while size <= maxBytes {
            var buffer = [CChar](repeating: 0, count: size)
            let (status, value) = buffer.withUnsafeMutableBufferPointer { buffer -> (Int32, Value?) in
                guard let start = buffer.baseAddress else { return (ENOMEM, nil) }
                let status = look(&entry, start, buffer.count, &found)
                return (status, status == 0 && found != nil ? take(entry) : nil)
            }
            guard status == ERANGE || status == EINTR else { return value }
            if status == ERANGE { size *= 4 }
        }
        return nil
    }
}
