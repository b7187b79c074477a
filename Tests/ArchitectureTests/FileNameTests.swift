import Foundation
import Testing

/// What a file's name promises: `A+B.swift` is what a module adds to a type of another one.
@Suite struct FileNameTests {
    @Test func `a file named A+B extends what another module owns`() throws {
        var count = 0
        for folder in try Self.modules() {
            let sources = try Self.sources(of: folder)
            count += sources.keys.count { $0.contains("+") }
            for file in Self.extendingOwnTypes(sources) {
                Issue.record(
                    """
                    \(folder)/\(file) extends a type of its own module: move it into that type's file, or give it a type of its own
                    """)
            }
        }
        #expect(count > 10)
    }

    @Test(arguments: [
        "package struct Line: Sendable {", "enum Line {", "    @MainActor private final class Line<Value> {",
        "typealias Line = Int",
    ])
    func `an extension of the module's own type is found`(declaration: String) {
        let sources = [
            "Shapes/Shapes.swift": "import Glibc\n\n\(declaration)\n", "Text/Line+Text.swift": "extension Line {}",
        ]
        #expect(Self.extendingOwnTypes(sources) == ["Text/Line+Text.swift"])
    }

    @Test func `a second file about what a file of the module is named after is found`() {
        let sources = ["Lines.swift": "extension Shape {}", "Lines+Text.swift": "extension Shape {}"]
        #expect(Self.extendingOwnTypes(sources) == ["Lines+Text.swift"])
    }

    @Test(arguments: [
        "struct Lines {", "/// A struct Line {", "let line: Line", "extension Line {", "func actor() -> Line",
    ])
    func `an extension of another module's type is none of them`(text: String) {
        #expect(Self.extendingOwnTypes(["Shapes.swift": text, "Line+Text.swift": "extension Line {}"]).isEmpty)
    }

    /// Those named `A+B.swift` where the module declares an `A`, or has a file `A.swift`.
    /// - Parameter sources: of one module: paths and texts.
    private static func extendingOwnTypes(_ sources: [String: String]) -> [String] {
        func name(_ path: String) -> Substring { path.split(separator: "/").last?.dropLast(".swift".count) ?? "" }
        let extensions = sources.keys.filter { name($0).contains("+") }
        guard !extensions.isEmpty else { return [] }
        let owned = Set(sources.values.flatMap(declaredTypes)).union(sources.keys.map { String(name($0)) })
        return extensions.filter { owned.contains(String(name($0).prefix { $0 != "+" })) }.sorted()
    }

    private static let modifiers: Set<Substring> = [
        "package", "public", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]
    private static let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    private static func declaredTypes(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard let keyword = words.first, keywords.contains(keyword) else { return nil }
            return words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
        }
    }

    /// Folders of one module each.
    private static func modules() throws -> [String] {
        try ["Sources", "Tests"].flatMap { top in
            try FileManager.default.contentsOfDirectory(atPath: Manifest.root.appendingPathComponent(top).path)
                .map { "\(top)/\($0)" }
        } + ["Benchmarks/Sources"]
    }

    private static func sources(of folder: String) throws -> [String: String] {
        let url = Manifest.root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        var sources: [String: String] = [:]
        for name in names where name.hasSuffix(".swift") {
            sources[name] = try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
        }
        return sources
    }
}
