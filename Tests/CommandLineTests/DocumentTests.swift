import ArgumentParser
import Configuration
import Delivery
import Foundation
import ScanCore
import Testing

@testable import scanstation

/// What the documents say can be copied: configurations, commands, links.
@Suite("Documents", .timeLimit(.minutes(10)))
final class DocumentTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("every configuration in them is taken without error or warning, and its outputs can be made")
    func configurations() throws {
        let blocks = Document.blocks("yaml")
        #expect(blocks.count >= 15)
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

    @Test("there is one for every kind of output")
    func kinds() throws {
        let text = Document.blocks("yaml").map(\.text).joined()
        for kind in ["serial", "unix", "stdout", "tcp", "mqtt", "webhook", "keyboard", "file"] {
            #expect(text.contains("  - \(kind):\n"), "no configuration for \(kind)")
        }
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

    /// What is given to `scanstation` in a line of shell; `nil`: it isn't run there.
    private static func arguments(of line: Substring) -> [String]? {
        var words = line.prefix { $0 != "#" && $0 != "|" && $0 != ">" && $0 != ";" }.split(separator: " ").map(
            String.init)
        if words.first == "sudo" { words.removeFirst() }
        if words.first == "-u" { words.removeFirst(2) }
        guard words.first == "scanstation" else { return nil }
        return Array(words.dropFirst())
    }

    @Test("every link within the repository leads somewhere", arguments: Document.names)
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

    @Test("a station runs with all the README's outputs at once; those that need nothing from outside get scans")
    func run() async throws {
        var settings = StationSettings()
        settings.outputs = []
        for block in try Document("README.md").blocks("yaml") where block.text.contains("outputs:") {
            // Hosts that aren't there, and folders that aren't this machine's.
            let text = Self.hosts.reduce(block.text) { $0.replacingOccurrences(of: $1, with: "127.0.0.1") }
                .replacingOccurrences(of: "/var/lib/scanstation", with: folder)
                .replacingOccurrences(of: "/run/scanstation", with: folder)
            settings.outputs += try StationConfiguration.parse(yaml: text, file: block.testDescription).settings.outputs
        }
        // Of ports, the system's choice would be no configuration, and these may be taken: that is a state, too.
        settings.journal.folder = folder + "/state"
        settings.reading.symbologies = [.ean13: .standard(for: .ean13)]
        #expect(Set(settings.outputs.map(\.name)).count == settings.outputs.count, "two examples have one name")
        let path = folder + "/station.yaml"
        try StationConfiguration.show(settings).write(toFile: path, atomically: true, encoding: .utf8)

        let socket = folder + "/s.sock"
        let station = try Executable.start(["run", "--simulate", "--plain", "--config", path, "--socket", socket])
        defer { station.send(SIGKILL) }
        _ = try await station.line(with: "2098765000425")
        let listed = try await Executable.run(["outputs", "--socket", socket, "--timeout", "300", "--config", path])
        #expect(listed.status == 0)
        for output in settings.outputs { #expect(listed.output.contains("\n\(output.name) ")) }
        #expect(listed.output.contains("  → "), "what is in the way of those that wait for something")
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
        let archive = try String(contentsOfFile: folder + "/scans.ndjson", encoding: .utf8)
        #expect(archive.contains(#""symbology":"ean_13""#))
        let table = try String(contentsOfFile: folder + "/scans.csv", encoding: .utf8)
        #expect(table.contains(",ean_13,0"))
    }

    private static let hosts = ["stock.example", "homeassistant.local", "broker.example"]
}
