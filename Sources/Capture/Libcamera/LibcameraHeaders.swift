import Glibc

/// The libcamera that programs on this machine are built with.
struct LibcameraHeaders: Hashable, Sendable {
    /// For the compiler's `-I`.
    var folder: String
    var version: [Int]

    static let systemFolders = ["/usr/local/include/libcamera", "/usr/include/libcamera"]

    /// The first folder with `libcamera/version.h`; `nil`: libcamera-dev isn't installed.
    static func find(in folders: [String] = systemFolders) -> LibcameraHeaders? {
        for folder in folders {
            guard let text = read("\(folder)/libcamera/version.h") else { continue }
            let numbers = ["MAJOR", "MINOR", "PATCH"].compactMap { number(of: "LIBCAMERA_VERSION_\($0)", in: text) }
            if numbers.count == 3 { return LibcameraHeaders(folder: folder, version: numbers) }
        }
        return nil
    }

    /// "0.4.0".
    var versionText: String { version.map(String.init).joined(separator: ".") }

    /// Decides whether a plugin fits: the first two numbers; before 0.1 also the third, which was part of the soname.
    var pluginVersion: String {
        let count = version[0] > 0 || version[1] > 0 ? 2 : 3
        return version.prefix(count).map(String.init).joined(separator: ".")
    }

    private static func number(of name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count >= 3, words[0] == "#define", words[1] == name { return Int(words[2]) }
        }
        return nil
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
