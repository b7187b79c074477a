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

    /// What came of reading a small file.
    package enum Content: Hashable {
        case bytes([UInt8])
        /// It has more than the limit; these are the bytes up to there.
        case tooLong([UInt8])
        /// EISDIR: a folder; else a device, or a pipe. Only if nothing but a plain file will do.
        case notAFile(SystemError)
        /// There is no such file, or no such folder.
        case missing(SystemError)
        case failed(SystemError)

        /// The bytes up to the limit; `nil`: it can't be read.
        package var start: [UInt8]? {
            switch self {
            case .bytes(let bytes), .tooLong(let bytes): bytes
            case .notAFile, .missing, .failed: nil
            }
        }
    }

    /// Reads a small file. A pipe or a terminal isn't waited for: what is there counts.
    /// - Parameter isPlain: nothing but a regular file will do.
    package static func read(
        _ path: String, limit: Int, followsLink: Bool = true, isPlain: Bool = false
    ) -> Content {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard number >= 0 else {
            let error = SystemError()
            return error.code == ENOENT || error.code == ENOTDIR ? .missing(error) : .failed(error)
        }
        let file = Descriptor(number)
        guard isPlain else { return file.content(limit: limit) }
        var status = stat()
        guard fstat(number, &status) == 0 else { return .failed(SystemError()) }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFREG ? file.content(limit: limit) : .notAFile(SystemError(kind == S_IFDIR ? EISDIR : EINVAL))
    }

    /// The content of a small file, such as those in `/proc` and `/sys`: at most 64 KiB; `nil` when it can't be read.
    package static func text(of path: String) -> String? {
        read(path, limit: maxText).start.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let maxText = 65_536

    /// The first line without surrounding white space.
    package static func firstLine(of path: String) -> String? {
        guard let text = text(of: path) else { return nil }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        return String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The first part of a folder's path that can't be made.
    package struct NoFolder: Error, Hashable {
        package var path: String
        package var error: SystemError
    }

    /// Makes a folder and those above it, as far as nothing of that name is there.
    package static func makeFolder(_ folder: String, mode: mode_t) throws(NoFolder) {
        var path = folder.hasPrefix("/") ? "" : "."
        for name in folder.split(separator: "/") {
            path += "/" + name
            guard mkdir(path, mode) != 0 else { continue }
            let error = SystemError()
            // EROFS and others come for what is there, too.
            var status = stat()
            guard error.code == EEXIST || stat(path, &status) == 0 else { throw NoFolder(path: path, error: error) }
        }
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
    package static func userName(_ id: uid_t) -> String { Accounts.userName(id) ?? "\(id)" }

    /// The number if there is no name.
    package static func groupName(_ id: gid_t) -> String { Accounts.groupName(id) ?? "\(id)" }

    /// The id of a group by name or number; `nil` if no group has that name.
    package static func groupID(_ name: String) -> gid_t? { gid_t(name) ?? Accounts.groupID(name) }
}
