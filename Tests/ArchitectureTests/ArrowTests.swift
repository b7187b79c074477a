import Foundation
import Testing

/// The arrows between modules: the files' imports, `Package.swift` and docs/architecture.md must agree.
@Suite struct ArrowTests {
    private static let platform: Set<String> = [
        "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Synchronization", "Testing", "PackageDescription",
    ]

    private let manifest: Manifest
    private let page: String

    init() throws {
        manifest = try Manifest.load()
        page = try String(
            contentsOf: Manifest.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
    }

    @Test func `every target's folder is there, and every folder of Swift files is a target's`() throws {
        #expect(manifest.targets.count > 25)
        for target in manifest.targets {
            #expect(FileManager.default.fileExists(atPath: Manifest.root.appendingPathComponent(target.folder).path))
        }
        let declared = Set(manifest.targets.map(\.folder))
        for top in ["Sources", "Tests"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: Manifest.root.appendingPathComponent(top).path)
            for name in names where !Imports(folder: "\(top)/\(name)").files.isEmpty {
                // Its target has two shapes, see `fuzzTarget`; the sanitizers' faults are compiled by deploy/sanitize.
                if ["Tests/FuzzTests", "Tests/Sanitizers"].contains("\(top)/\(name)") { continue }
                #expect(declared.contains("\(top)/\(name)"), "\(top)/\(name) isn't in Package.swift")
            }
        }
    }

    @Test func `a target imports exactly what it declares`() {
        let executables = Set(manifest.targets.filter { $0.kind == .executable }.map(\.name))
        // C targets declare what they link; the compiler checks their includes.
        for target in manifest.targets where target.kind != .c {
            let imports = Imports(folder: target.folder)
            for (module, file) in imports.files where !Self.platform.contains(module) {
                #expect(
                    target.dependencies.contains(module),
                    "\(file) imports \(module), which \(target.name) doesn't declare in Package.swift")
            }
            // Tests start executables and don't import them.
            let idle = target.dependencies.subtracting(imports.files.keys).subtracting(executables)
            #expect(idle.isEmpty, "\(target.name) declares \(idle.sorted()) and imports nothing of it")
        }
    }

    @Test func `the table of modules says what Package.swift declares`() throws {
        #expect(manifest.modules.count > 15)
        for module in manifest.modules {
            let row = try #require(
                page.split(separator: "\n").first { $0.hasPrefix("| `\(module.name)` |") }?
                    .split(separator: "|").dropFirst(2).first,
                "docs/architecture.md has no row for \(module.name)")
            let told = Set(
                row.split(whereSeparator: { ",;".contains($0) })
                    .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "nothing" && !$0.isEmpty })
            #expect(
                told == module.dependencies,
                "docs/architecture.md: \(module.name) may import \(told.sorted()); Package.swift: \(module.dependencies.sorted())"
            )
        }
    }

    @Test func `the graph has the same arrows`() throws {
        let graph = try #require(page.firstMatch(of: /(?s)```mermaid\n(.*?)```/)?.1)
        let names = Set(manifest.targets.map(\.name))
        var drawn: [String: Set<String>] = [:]
        for line in graph.split(separator: "\n") {
            let ends = line.split(separator: " --> ")
            guard ends.count == 2 else { continue }
            let from = ends[0].trimmingCharacters(in: .whitespaces).replacing(/^\w+\[(.+)\]$/) { $0.1 }
            for to in ends[1].split(separator: " & ") { drawn[from, default: []].insert(String(to)) }
        }
        for target in manifest.modules {
            #expect(
                drawn[target.name, default: []] == target.dependencies.intersection(names),
                "the graph of docs/architecture.md and Package.swift differ about \(target.name)")
        }
    }

    @Test func `machines decide without a clock, a thread or a device`() {
        let impure = ["Glibc", "Dispatch", "Foundation", "Synchronization"]
        var count = 0
        for target in manifest.modules {
            let url = Manifest.root.appendingPathComponent(target.folder)
            let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix("Machine.swift") {
                count += 1
                let modules = Imports.modules(in: url.appendingPathComponent(name))
                #expect(
                    modules.allSatisfy { !impure.contains($0) && !$0.hasPrefix("C") || $0 == "Capture" },
                    "\(target.folder)/\(name) imports \(modules): what decides takes instants and events, and knows no device"
                )
            }
        }
        #expect(count > 12)
    }

    @Test func `the modules at the bottom know nothing of the platform, and Foundation stays where it may be`() {
        for target in manifest.modules {
            let imports = Imports(folder: target.folder).files
            if ["Vocabulary", "Settings", "Templates", "ScanCore", "ReaderProtocol", "Payloads"].contains(target.name) {
                #expect(imports.keys.allSatisfy { !Self.platform.contains($0) }, "\(target.name) imports \(imports)")
            }
            if let file = imports["Foundation"] {
                #expect(["Journal", "scanstation"].contains(target.name), "\(file) imports Foundation")
            }
        }
    }

    @Test(arguments: ["docs/architecture.md", "docs/threat-model.md", "CONTRIBUTING.md"])
    func `files that a page names are where it says`(page: String) throws {
        var named = NamedFiles()
        var count = 0
        for (index, line) in try NamedFiles.lines(ofPage: page).enumerated() {
            for path in named.paths(in: line) {
                count += 1
                #expect(NamedFiles.isThere(path), "\(page):\(index + 1) names \(path), which isn't there")
            }
        }
        #expect(count > 50)
    }
}
