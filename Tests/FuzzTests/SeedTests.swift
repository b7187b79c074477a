import Foundation
import Testing

/// The fuzzers' promises, checked with their seeds: what was once found stays fixed even without a fuzzer.
@Suite("Seeds of the fuzzers", .timeLimit(.minutes(5)))
struct SeedTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/Targets")

    private static func seeds(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = folder.appendingPathComponent(target.name).appendingPathComponent("seeds")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
            ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
        }
    }

    @Test("Every seed, and every beginning of it", arguments: FuzzTarget.all.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try Self.seeds(of: target)
        #expect(!seeds.isEmpty)
        for (name, bytes) in seeds {
            // Not every beginning of long ones: the work would grow with the square.
            for length in stride(from: bytes.count, through: 0, by: -max(1, bytes.count / 256)) {
                do {
                    var input = FuzzInput(bytes.prefix(length))
                    try target.check(&input)
                } catch {
                    Issue.record("\(target.name)/seeds/\(name), the first \(length) bytes: \(error)")
                }
            }
        }
    }

    @Test("Each target has its folder, with a build that makes this very target", arguments: FuzzTarget.all.map(\.name))
    func folders(name: String) throws {
        let build = Self.folder.appendingPathComponent(name).appendingPathComponent("build")
        #expect(FileManager.default.isExecutableFile(atPath: build.path))
        #expect(try String(contentsOf: build, encoding: .utf8).contains("build-swift\" \(name) "))
    }
}
