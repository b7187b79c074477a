import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("Documents beside the code")
struct DocumentationTests {
    @Test("The YAML in hardware/README.md is a configuration with the wiring of its table")
    func hardware() throws {
        let text = try read(repositoryPath("hardware/README.md"))
        let blocks = text.split(separator: "```yaml\n").dropFirst().map { $0.prefix(upTo: $0.range(of: "```")) }
        #expect(blocks.count == 1)
        for block in blocks {
            #expect(problems(String(block)) == [])
            let settings = try StationConfiguration.parse(yaml: String(block), file: "README.md").settings
            let uses = LineUse.all(in: settings)
            #expect(uses.count == 8)
            for use in uses { #expect(text.contains("| \(use.line.line) |"), "\(use.path) isn't in the table") }
        }
    }
}

extension Substring {
    /// Where `text` begins, or the end.
    fileprivate func range(of text: String) -> Index {
        indices.first { self[$0...].hasPrefix(text) } ?? endIndex
    }
}
