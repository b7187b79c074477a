import ArgumentParser
import Delivery
import Foundation
import Settings
import StationConfiguration
import Testing
import Vocabulary
import Wire

@testable import scanstation

/// What the documents say can be copied: configurations, commands, links.
@Suite("Documents", .timeLimit(.minutes(10)))
struct DocumentTests {
    @Test("every configuration in them is taken without error or warning, and its outputs can be made")
    func configurations() throws {
        let blocks = Document.blocks("yaml")
        #expect(blocks.count >= 18)
        for block in blocks {
            do {
                let loaded = try StationConfiguration.parse(yaml: block.text, file: block.testDescription)
                #expect(loaded.warnings.map(\.description) == [])
                for output in loaded.settings.outputs { _ = try OutputFactory.make(output) }
            } catch {
                Issue.record("\(block.testDescription): \(error)")
            }
        }
    }

    @Test("every kind of output has a page with a configuration for it")
    func kinds() throws {
        for kind in OutputSettings.kinds {
            let name = "docs/outputs/\(kind.page).md"
            #expect(Document.names.contains(name))
            let text = try Document(name).blocks("yaml").map(\.text).joined()
            #expect(text.contains("  - \(kind.key):\n"), "\(name): no configuration for \(kind.key)")
        }
    }

    @Test("every example in JSON is JSON: one value, or one a line")
    func json() throws {
        let blocks = Document.blocks("json")
        #expect(blocks.count >= 10)
        for block in blocks where !Self.isJSON(block.text) {
            for (index, line) in block.text.split(separator: "\n").enumerated() {
                #expect(Self.isJSON(line), "\(block.file):\(block.line + index): \(line)")
            }
        }
    }

    private static func isJSON(_ text: some StringProtocol) -> Bool {
        (try? JSONValue(parsing: Array(text.utf8))) != nil
    }

    @Test("where a page repeats the version, it is the program's")
    func version() throws {
        var count = 0
        for name in Document.names {
            let text = try Document(name).lines.joined(separator: "\n")
            let files = text.matches(of: /scanstation_([0-9][^_]*)_/).map(\.1)
            let panels = text.matches(of: /ScanStation {2}\w+ {2}([0-9]+\.[0-9]+\.[0-9]+)/).map(\.1)
            let said = files + panels
            for version in said { #expect(version == StationVersion.text, "\(name)") }
            count += said.count
        }
        #expect(count >= 4)
    }

    @Test("the README has at most 200 lines")
    func length() throws {
        let lines = try Document("README.md").lines
        // The last one is what follows the last line feed.
        #expect(lines.count <= 201)
    }

    @Test("every command in them is one")
    func commands() throws {
        var count = 0
        for block in Document.blocks("sh") {
            for line in block.text.split(separator: "\n") {
                guard let arguments = Self.arguments(of: line) else { continue }
                count += 1
                do {
                    _ = try ScanStationCommand.parseAsRoot(arguments)
                } catch {
                    let message = ScanStationCommand.message(for: error)
                    Issue.record("\(block.testDescription): \(line): \(message)")
                }
            }
        }
        #expect(count >= 20)
    }

    @Test("the README's first steps work one after the other, as they stand")
    func firstSteps() async throws {
        let folder = NSTemporaryDirectory() + "steps-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let heading = try #require(try Document("README.md").lines.firstIndex(of: "## First steps"))
        let block = try #require(Document.blocks("sh").first { $0.file == "README.md" && $0.line > heading })
        let lines = block.text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("scanstation run ") } == 2)
        // A station runs until it is stopped: the steps before its last start must have led there.
        let steps = lines.filter { !$0.hasPrefix("scanstation run ") }.joined(separator: "\n")
        let program = URL(fileURLWithPath: Executable.path).deletingLastPathComponent().path
        let run = try RunningExecutable(
            path: "/bin/sh", arguments: ["-ec", "cd \(folder); PATH=\(program):$PATH\n\(steps)"])
        let result = await run.end()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("no problems found"), "\(result.output)")
    }

    /// What is given to `scanstation` in a line of shell; `nil`: it isn't run there.
    private static func arguments(of line: Substring) -> [String]? {
        var words = line.prefix { $0 != "#" && $0 != "|" && $0 != ">" && $0 != ";" }.split(separator: " ").map(
            String.init)
        if words.first == "sudo" { words.removeFirst() }
        if words.first == "-u" { words.removeFirst(2) }
        guard words.first == "scanstation" else { return nil }
        return Array(words.dropFirst())
    }

    @Test("every link within the repository leads somewhere", arguments: Document.linked)
    func links(_ name: String) throws {
        let document = try Document(name)
        let base = Document.repository.appendingPathComponent(name).deletingLastPathComponent()
        for (line, target) in document.links where !target.contains("://") {
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file =
                parts[0].isEmpty
                ? Document.repository.appendingPathComponent(name) : base.appendingPathComponent(parts[0])
            #expect(FileManager.default.fileExists(atPath: file.path), "\(name):\(line): \(target)")
            guard parts.count == 2, file.pathExtension == "md" else { continue }
            let path = file.standardizedFileURL.path.dropFirst(Document.repository.standardizedFileURL.path.count + 1)
            #expect(try Document(String(path)).anchors.contains(parts[1]), "\(name):\(line): \(target)")
        }
    }
}
