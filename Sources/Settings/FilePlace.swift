/// Where a path leads: what tells whether two paths are one file, whatever links and `..` they go by.
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
    /// What is there now; `nil`: nothing, or it can't be seen.
    package var file: File?

    package init(path: String, file: File? = nil) {
        self.path = path
        self.file = file
    }

    package func isSame(as other: FilePlace) -> Bool { path == other.path || (file != nil && file == other.file) }

    /// `path` without `.`, `..` and double slashes, as it reads. For places of which nothing can be asked.
    package static func asWritten(_ path: String) -> FilePlace {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return FilePlace(path: (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/"))
    }
}

/// What the machine adds to the settings' paths: places that have a default, and where paths lead.
package struct FilePlaces: Sendable {
    /// Folders that may be the journal's when the settings name none.
    package var journalFolders: [String]
    /// The control socket when the settings name none.
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

    /// Knows only what is written: for a configuration that is read on another machine.
    package static let asWritten = FilePlaces()
}
