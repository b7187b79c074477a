import Glibc
import Linux
import Reading
import Vocabulary

/// The given pictures; a folder is replaced by the pictures in and below it, sorted by name. What is left out is counted.
struct PictureFiles {
    /// Deeper folders aren't searched; no picture collection has them.
    static let deepest = 64

    private(set) var pictures: [PictureSource] = []
    /// Other files in folders, by file name extension ("" for none).
    private(set) var others: [String: Int] = [:]
    /// Files whose names begin with a dot: previews, caches, bins.
    private(set) var hidden = 0
    /// Folders that can't be opened or are too deep, with the reason.
    private(set) var unreadable: [(folder: FileName, reason: String)] = []
    /// Named folders that have no picture in or below them.
    private(set) var empty: [FileName] = []
    private(set) var hasFolder = false
    /// Folders by device and inode: one that a link leads back to is searched only once.
    private var seen: Set<[UInt64]> = []

    /// Adds a file, all of a folder, or (as `-`) standard input.
    mutating func add(_ name: FileName) {
        if name == FileName("-") { return pictures.append(.standardInput) }
        guard let kind = Self.kind(of: name), kind.isFolder else { return pictures.append(.file(name)) }
        hasFolder = true
        let before = pictures.count
        search(name, kind.identity, depth: 0)
        if pictures.count == before { empty.append(name) }
    }

    private mutating func search(_ folder: FileName, _ identity: [UInt64], depth: Int) {
        guard seen.insert(identity).inserted else { return }
        guard depth <= Self.deepest else {
            return unreadable.append((folder, "more than \(Self.deepest) folders deep"))
        }
        let names: [FileName]
        do throws(SystemError) { names = try Files.entries(of: folder) } catch {
            return unreadable.append((folder, error.text))
        }
        for name in names {
            let path = folder.appending(name)
            if name.isHidden {
                hidden += 1
            } else if let kind = Self.kind(of: path), kind.isFolder {
                search(path, kind.identity, depth: depth + 1)
            } else if PictureKinds.isPicture(name) {
                pictures.append(.file(path))
            } else {
                others[name.ending ?? "", default: 0] += 1
            }
        }
    }

    /// What was left out, in words; `nil` for nothing.
    var skipped: String? {
        var parts: [String] = []
        let count = others.values.reduce(0, +)
        if count > 0 {
            let named = others.map { (name: $0.key.isEmpty ? "without ending" : $0.key, count: $0.value) }
            let most = named.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
            let names = most.prefix(5).map { "\($0.name) \($0.count)" }
            let more = most.count > 5 ? ", …" : ""
            parts.append(
                "\(count.counted("file")) of other kinds (\(names.joined(separator: ", "))\(more))")
        }
        if hidden > 0 { parts.append("\(hidden) hidden") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func kind(of name: FileName) -> (isFolder: Bool, identity: [UInt64])? {
        var status = stat()
        guard name.withCString({ stat($0, &status) }) == 0 else { return nil }
        return (status.st_mode & S_IFMT == S_IFDIR, [UInt64(status.st_dev), UInt64(status.st_ino)])
    }
}
