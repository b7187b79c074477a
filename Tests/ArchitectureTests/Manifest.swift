import Foundation

/// `Package.swift` as text: the targets and their declared dependencies. It isn't `swift package describe`, because that waits for the
/// build that runs the tests.
struct Manifest {
    struct Target {
        var name: String
        var folder: String
        var dependencies: Set<String>
        var kind: Kind

        enum Kind { case swift, executable, c, tests }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let targets: [Target]

    /// - Parameter text: of `Package.swift`, as `make format` leaves it.
    init(_ text: String) {
        var products: [String: String] = [:]
        for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/) {
            products[String(match.1)] = String(match.2)
        }
        let calls = /(?m)^        (module|cModule|tests|\.target|\.executableTarget)\(/
        targets = text.matches(of: calls).compactMap { call in
            let arguments = Self.untilClosed(text[call.range.upperBound...])
            guard let name = arguments.firstMatch(of: /"([^"]+)"/)?.1 else { return nil }
            let list = arguments.firstMatch(of: /\[([^\]]*)\]/)?.1 ?? ""
            var dependencies: Set<String> = []
            for item in list.split(separator: ",") {
                let word = item.trimmingCharacters(in: .whitespacesAndNewlines)
                guard !word.isEmpty else { continue }
                dependencies.insert(products[word] ?? word.trimmingCharacters(in: ["\""]))
            }
            let kind: Target.Kind =
                switch call.1 {
                case "tests": .tests
                case "cModule": .c
                case ".executableTarget": .executable
                default: .swift
                }
            let path = arguments.firstMatch(of: /path: "([^"]+)"/)?.1
            return Target(
                name: String(name), folder: path.map(String.init) ?? (kind == .tests ? "Tests/" : "Sources/") + name,
                dependencies: dependencies, kind: kind)
        }
    }

    /// Swift modules and executables of the product.
    var modules: [Target] {
        targets.filter { [.swift, .executable].contains($0.kind) && $0.folder.hasPrefix("Sources/") }
    }

    static func load() throws -> Manifest {
        Manifest(try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8))
    }

    private static func untilClosed(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }
}

/// The modules that the Swift files of a folder import.
struct Imports {
    /// Module to one of the files that import it.
    private(set) var files: [String: String] = [:]

    init(folder: String) {
        let url = Manifest.root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        for name in names.sorted() where name.hasSuffix(".swift") {
            for module in Self.modules(in: url.appendingPathComponent(name)) { files[module] = "\(folder)/\(name)" }
        }
    }

    static func modules(in file: URL) -> [String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.matches(of: /(?m)^(?:@\w+ )*(?:\w+ )?import (?:struct |class |enum |protocol |func )?(\w+)/).map {
            String($0.1)
        }
    }
}
