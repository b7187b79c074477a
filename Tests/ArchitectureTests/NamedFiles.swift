import Foundation

/// The files and folders that a page names in backquotes, by the page's own rule: one without a folder is in the folder that was named
/// before it, in the same paragraph or list item; one with a folder but without `Sources/` is in the module named before it.
struct NamedFiles {
    private static let tops = ["Sources", "Tests", "Benchmarks", "deploy", "docs", "hardware"]
    private static let endings: Set<String> = ["swift", "c", "cpp", "h", "hpp", "js", "md", "tsv"]

    /// Folder and module of what was named last; empty: nothing was, in this paragraph.
    private var folder = ""
    private var module = ""

    /// What is named there, in order, as paths from the repository's top.
    /// - Parameter line: the next line of a page.
    mutating func paths(in line: Substring) -> [String] {
        let text = line.drop { $0 == " " }
        // Another paragraph, item, row or heading.
        if text.isEmpty || text.prefixMatch(of: /- |[0-9]+\. |[|#]/) != nil { self = NamedFiles() }
        return text.matches(of: /`([\w+\/.-]+)`/).compactMap { path(String($0.1)) }
    }

    /// `nil`: no file or folder of the repository.
    private mutating func path(_ name: String) -> String? {
        let parts = name.split(separator: "/").map(String.init)
        let isWhole = parts.count > 1 && Self.tops.contains(parts[0])
        let isFile = Self.endings.contains(String(name.split(separator: ".").last ?? "")) && name.contains(".")
        guard isWhole || isFile else { return nil }
        let before = parts.count > 1 ? module : folder
        let path = isWhole || before.isEmpty ? name : "\(before)/\(name)"
        let all = path.split(separator: "/")
        folder = (Self.isFolder(path) ? all : all.dropLast()).joined(separator: "/")
        module = all.prefix(2).joined(separator: "/")
        return path
    }

    static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Manifest.root.appendingPathComponent(path).path)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(
            atPath: Manifest.root.appendingPathComponent(path).path, isDirectory: &isFolder) && isFolder.boolValue
    }

    static func lines(ofPage name: String) throws -> [Substring] {
        try String(contentsOf: Manifest.root.appendingPathComponent(name), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }
}
