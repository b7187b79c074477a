import Foundation
import Testing

/// "What to touch" in CONTRIBUTING.md: the table has the numbers of the lists below it.
@Suite struct TouchListTests {
    /// The files of one list.
    private struct Count {
        var existing = 0
        /// Only "if …".
        var perhaps = 0
        var new = 0

        /// As a cell of the table: "6 + 3", "3 to 5".
        var text: String {
            (perhaps == 0 ? "\(existing)" : "\(existing) to \(existing + perhaps)") + (new == 0 ? "" : " + \(new)")
        }
    }

    private let lines: [Substring]

    init() throws { lines = try NamedFiles.lines(ofPage: "CONTRIBUTING.md") }

    @Test(arguments: [
        "configuration key", "section of the configuration", "command", "output", "field of a payload", "symbology",
    ])
    func `the table counts the files of a list`(kind: String) throws {
        // Another table on the page has commands, too.
        let table = try #require(lines.firstIndex { $0.hasPrefix("| for a new") })
        let row = try #require(lines[table...].first { $0.hasPrefix("| \(kind) |") })
        // The last cell may go on: ", and its tests".
        let cells = row.split(separator: "|").map {
            $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)
        }
        var sources = Count()
        var generated = Count()
        var others = Count()
        for item in try items(of: kind) {
            // "`FILE`, `FILE`: what"
            let head = try #require(item.range(of: ": "), "\(item)")
            let what = item[head.upperBound...]
            var named = NamedFiles()
            for path in named.paths(in: item[..<head.lowerBound]) where !NamedFiles.isFolder(path) {
                #expect(NamedFiles.isThere(path), "\(path)")
                let place: WritableKeyPath<Count, Int> =
                    what.hasPrefix("if ") ? \.perhaps : what.hasPrefix("new: ") ? \.new : \.existing
                if what.hasPrefix("generated") {
                    generated[keyPath: place] += 1
                } else if path.hasPrefix("Sources/") {
                    sources[keyPath: place] += 1
                } else {
                    others[keyPath: place] += 1
                }
            }
        }
        #expect(cells.count == 5)
        #expect(Array(cells.suffix(3)) == [sources.text, generated.text, others.text])
    }

    /// The items of the lists under the heading of a kind, each as one line.
    private func items(of kind: String) throws -> [String] {
        let heading = try #require(lines.firstIndex { $0.hasPrefix("### A") && $0.hasSuffix(" \(kind)") })
        var items: [String] = []
        for line in lines[(heading + 1)...].prefix(while: { !$0.hasPrefix("#") }) {
            if line.hasPrefix("- ") {
                items.append(String(line))
            } else if line.hasPrefix("  "), let last = items.indices.last {
                items[last] += " " + String(line.drop { $0 == " " })
            }
        }
        return items
    }
}
