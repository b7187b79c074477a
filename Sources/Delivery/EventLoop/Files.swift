import Glibc

/// Small questions about files, without Foundation.
enum Files {
    /// The path behind symbolic links; `nil` if there is nothing.
    static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Nothing is there; what can't be looked at isn't missing.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOENT
    }

    /// The first line of a small file (at most 4 KB are read).
    static func firstLine(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        guard case .bytes(let bytes) = Descriptor(number).read(limit: 4096) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Names of a folder's entries; empty if it can't be read.
    static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }

    /// The name of the group that owns a file, or its number.
    static func owningGroup(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return groupName(status.st_gid)
    }

    /// Its number where there is none.
    static func userName(_ id: uid_t) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"
    }

    static func groupName(_ id: gid_t) -> String {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name else {
            return "\(id)"
        }
        return String(cString: name)
    }

    /// The id of a group by name or number; `nil` if there is none of that name.
    static func groupID(_ name: String) -> gid_t? {
        if let number = gid_t(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }
}
