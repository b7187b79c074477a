import Control
import Glibc
import Journal
import Linux
import Settings
import Vocabulary

extension FilePlaces {
    /// This machine, as the station and the command line find it.
    package static let system = FilePlaces(
        journalFolders: [StateFolder.default, StateFolder.default + "/simulated"],
        controlSocket: SocketPath.resolve(ControlSettings()), resolve: { FilePlace(resolving: $0) })
}

extension FilePlace {
    /// After this many links in a row a circle is assumed, as the kernel does.
    private static let maxLinks = 40

    /// Follows links and `..` as far as they exist, even a link that leads to nothing yet: a file would be made there.
    init(resolving path: String, links: Int = 0) {
        if let real = Files.resolved(path) {
            var status = stat()
            let isThere = stat(real, &status) == 0
            self.init(
                path: real,
                file: isThere ? File(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) : nil)
            return
        }
        let trimmed = path.last == "/" && path.count > 1 ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else {
            self = trimmed.isEmpty ? FilePlace(path: "") : FilePlace(resolving: "./" + trimmed, links: links)
            return
        }
        let folder = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
        let name = trimmed[trimmed.index(after: slash)...]
        if links < Self.maxLinks, let target = Self.target(of: trimmed) {
            self.init(resolving: target.hasPrefix("/") ? target : "\(folder)/\(target)", links: links + 1)
            return
        }
        let isEnd = folder == "/" || folder == "." || folder.isEmpty
        let parent = isEnd ? Files.resolved(folder) ?? folder : FilePlace(resolving: folder, links: links).path
        self.init(path: parent == "/" ? "/\(name)" : "\(parent)/\(name)")
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
