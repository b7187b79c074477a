/// Where a path leads. Tells whether two paths are the same file, whatever links and `..` they contain.
package struct FilePlace: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    /// Absolute, without links as far as it exists.
    package var path: String
    /// What is there now; `nil`: nothing, or something that can't be seen.
    package var file: File?

    package init(path: String, file: File? = nil) {
        self.path = path
        self.file = file
    }

    package func isSame(as other: FilePlace) -> Bool { path == other.path || (file != nil && file == other.file) }

    /// `path` without `.`, `..` and double slashes, by its text alone. For places that can't be looked up.
    package static func asWritten(_ path: String) -> FilePlace {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return FilePlace(path: (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/"))
    }
}

/// What the machine adds to the settings' paths: default places, and where paths lead.
package struct FilePlaces: Sendable {
    /// Folders that may be the journal's if the settings name none.
    package var journalFolders: [String]
    /// The control socket if the settings name none.
    package var controlSocket: String?
    package var resolve: @Sendable (String) -> FilePlace

    package init(
        journalFolders: [String] = [], controlSocket: String? = nil,
        resolve: @escaping @Sendable (String) -> FilePlace = FilePlace.asWritten
    ) {
        self.journalFolders = journalFolders
        self.controlSocket = controlSocket
        self.resolve = resolve
    }

    /// Knows only the text of paths: for a configuration that is read on another machine.
    package static let asWritten = FilePlaces()
}
