import Foundation
import Testing

/// A document of this repository, in pieces that can be tried.
struct Document {
    /// A fenced block.
    struct Block: Sendable, CustomTestStringConvertible {
        var file: String
        var line: Int
        var text: String
        var testDescription: String { "\(file):\(line)" }
    }

    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Documents with configurations and commands to copy, and links: those in the top folder, all of docs/, and the pages beside the code.
    static let names: [String] = {
        let files = FileManager.default
        let top = (try? files.contentsOfDirectory(atPath: Document.repository.path)) ?? []
        let docs = Document.repository.appendingPathComponent("docs").path
        let pages = (try? files.subpathsOfDirectory(atPath: docs)) ?? []
        let all = top + pages.map { "docs/\($0)" } + Document.besideCode
        return all.filter { $0.hasSuffix(".md") }.sorted()
    }()
    /// Those whose links are checked. The lab's report has the commands and the version of the day on which it was made.
    static let linked = names + ["hardware/lab/report.md"]
    private static let besideCode = [
        "Benchmarks/README.md", "deploy/README.md", "deploy/image/README.md", "deploy/package/README.md",
        "hardware/README.md", "hardware/lab/README.md",
    ]

    let name: String
    let lines: [String]

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.repository.appendingPathComponent(name), encoding: .utf8)
        lines = text.components(separatedBy: "\n")
    }

    /// Blocks of a language, with the indentation of their fence taken off.
    func blocks(_ language: String) -> [Block] {
        var blocks: [Block] = []
        var open: (indent: Int, block: Block, isWanted: Bool)?
        for (index, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(indent)
            if var current = open {
                if rest.hasPrefix("```") {
                    if current.isWanted { blocks.append(current.block) }
                    open = nil
                } else {
                    current.block.text += line.dropFirst(min(indent, current.indent)) + "\n"
                    open = current
                }
            } else if rest.hasPrefix("```") {
                open = (indent, Block(file: name, line: index + 2, text: ""), rest.dropFirst(3) == language)
            }
        }
        return blocks
    }

    /// Headings as links name them: lower case, spaces as hyphens, otherwise only letters and digits.
    var anchors: Set<String> {
        var isCode = false
        var anchors: Set<String> = []
        for line in lines {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("#") else { continue }
            let heading = line.drop { $0 == "#" || $0 == " " }.lowercased()
            anchors.insert(
                String(
                    heading.compactMap { character -> Character? in
                        if character == " " { return "-" }
                        return character.isLetter || character.isNumber || character == "-" ? character : nil
                    }))
        }
        return anchors
    }

    /// What `[…](target)` and `<img src="target">` lead to, with the line they stand in.
    var links: [(line: Int, target: String)] {
        lines.enumerated().flatMap { index, line in
            let texts = line.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
            let pictures = line.matches(of: /<img [^>]*src="([^"]+)"/).map { String($0.output.1) }
            return (texts + pictures).map { (index + 1, $0) }
        }
    }

    static func blocks(_ language: String) -> [Block] {
        names.flatMap { (try? Document($0))?.blocks(language) ?? [] }
    }
}
