import ConsoleAccess
import Glibc
import Linux
import Synchronization

/// The files of the page, from one folder: `index.html` and what is under `assets`. Each is kept in memory until it changes on disk.
package final class PageFiles: Sendable {
    package struct File: Sendable {
        package var bytes: [UInt8]
        package var type: String
        package var tag: String
    }

    private struct Kept {
        var file: File
        var inode: UInt64
        var modified: Int
        var nanosecond: Int
    }

    private static let maxFileBytes = 2 << 20
    private static let mostFiles = 256
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8",
    ]

    package let folder: String?
    private let kept = Mutex<[String: Kept]>([:])

    /// - Parameter folder: `nil`: there are no pages, only the API.
    package init(folder: String?) { self.folder = folder }

    /// The folder of the pages: beside the program, where `swift build` copies it; else where the package has it.
    package static func standardFolder(program: String? = Files.resolved("/proc/self/exe")) -> String? {
        var places = ["/usr/share/scanstation/console"]
        if let program {
            let folder = program.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            places = ["resources", "bundle"].map { "\(folder)/ScanStation_scanstation-console.\($0)/Web" } + places
        }
        return places.first { !Files.isMissing("\($0)/index.html") }
    }

    /// - Parameter path: of the request, such as `/` or `/assets/main.js`.
    package func file(at path: String) -> File? {
        guard let folder, let name = Self.name(of: path), let dot = name.lastIndex(of: "."),
            let type = Self.types[String(name[name.index(after: dot)...])]
        else { return nil }
        let number = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maxFileBytes
        else { return nil }
        let known = kept.withLock { $0[name] }
        if let known, known.inode == status.st_ino, known.modified == status.st_mtim.tv_sec,
            known.nanosecond == status.st_mtim.tv_nsec, known.file.bytes.count == Int(status.st_size)
        {
            return known.file
        }
        guard case .bytes(let bytes) = descriptor.content(limit: Self.maxFileBytes) else { return nil }
        let tag = "\"" + Secrets.hexadecimal(Secrets.hash(bytes).prefix(12)) + "\""
        let file = File(bytes: bytes, type: type, tag: tag)
        kept.withLock { kept in
            if kept.count >= Self.mostFiles { kept = [:] }
            kept[name] = Kept(
                file: file, inode: UInt64(status.st_ino), modified: status.st_mtim.tv_sec,
                nanosecond: status.st_mtim.tv_nsec)
        }
        return file
    }

    /// Below the folder; `nil` for anything but plain names: no `..`, no hidden file, no encoding.
    static func name(of path: String) -> String? {
        if path == "/" { return "index.html" }
        if path == "/favicon.ico" { return "assets/favicon.ico" }
        guard path.hasPrefix("/assets/"), path.utf8.count <= 200 else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 5,
            parts.allSatisfy({ part in
                !part.isEmpty && part.first != "."
                    && part.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                            || [0x2D, 0x2E, 0x5F].contains(byte)
                    }
            })
        else { return nil }
        return parts.joined(separator: "/")
    }
}
