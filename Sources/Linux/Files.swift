import Glibc
import Vocabulary

/// Small questions about files, without Foundation.
package enum Files {
    /// The path behind symbolic links; `nil` if there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Whether nothing is there. A file that can't be looked at isn't missing.
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOENT
    }

    /// The content of a small file, such as those in `/proc` and `/sys`: at most 64 KiB; `nil` when it can't be read.
    package static func text(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var bytes: [UInt8] = []
        while bytes.count < maxText, case .bytes(let more) = file.read(limit: maxText - bytes.count) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let maxText = 65_536

    /// The first line without surrounding white space.
    package static func firstLine(of path: String) -> String? {
        guard let text = text(of: path) else { return nil }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        return String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The entries of a folder, sorted, without `.` and `..`.
    package static func entries(of folder: FileName) throws(SystemError) -> [FileName] {
        guard let handle = folder.withCString({ opendir($0) }) else { throw SystemError() }
        defer { closedir(handle) }
        var names: [FileName] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { FileName(cString: $0) }
                })
        }
        return names.filter { $0 != FileName(".") && $0 != FileName("..") }.sorted()
    }

    /// The same as text; empty if the folder can't be read.
    package static func names(in folder: String) -> [String] {
        ((try? entries(of: FileName(folder))) ?? []).map(\.description)
    }

    /// The name of the group that owns a file, or its number.
    package static func owningGroup(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return groupName(status.st_gid)
    }

    /// The number if there is no name.
    package static func userName(_ id: uid_t) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"
    }

    /// `nil`: there is no such user.
    package static func userID(_ name: String) -> uid_t? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }

    package static func groupName(_ id: gid_t) -> String {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name else {
            return "\(id)"
        }
        return String(cString: name)
    }

    /// The id of a group by name or number; `nil` if no group has that name.
    package static func groupID(_ name: String) -> gid_t? {
        if let number = gid_t(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }
}
