import Foundation
import Payloads
import Settings
import Testing

@testable import Wire

/// What is shown of a payload, byte for byte as it has been since the first package: `Golden/payloads.ndjson`, one payload per line.
/// New samples and fields are added by running this with SCANSTATION_UPDATE_GOLDEN=1; the lines that were there must not change.
@Suite("Payloads as JSON")
struct PayloadLineTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Golden/payloads.ndjson")

    private static func line(_ payload: Payload, _ secrets: SecretPolicy) -> String {
        var json = JSONWriter()
        json.object(payload.members(secrets: secrets))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("Every sample is written as it was, whatever becomes of secrets")
    func golden() throws {
        let lines = Samples.payloads().flatMap { payload in
            SecretPolicy.allCases.map { "\($0.rawValue) \(Self.line(payload, $0))" }
        }
        if ProcessInfo.processInfo.environment["SCANSTATION_UPDATE_GOLDEN"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let golden = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count == golden.count)
        for (line, expected) in zip(lines, golden) { #expect(line == expected) }
    }

    @Test("The samples have every field of the tables, and no other")
    func fields() throws {
        var seen: Set<String> = []
        func walk(_ value: JSONValue, _ path: String) {
            switch value {
            case .object(let members):
                for (name, member) in members { walk(member, path.isEmpty ? name : "\(path).\(name)") }
            case .array(let values): for value in values { walk(value, path) }
            default: seen.insert(path)
            }
        }
        for payload in Samples.payloads() { walk(try JSONValue(parsing: Self.line(payload, .revealed).utf8), "") }
        #expect(seen.subtracting(Payload.paths).isEmpty)
        let missing = Set(Payload.paths).subtracting(seen)
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
