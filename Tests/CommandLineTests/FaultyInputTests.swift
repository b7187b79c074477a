import Foundation
import Glibc
import Testing

/// Configurations and pictures of nonsense, and signals, given to the built executable.
@Suite("Command line, with faulty input", .timeLimit(.minutes(10)))
final class FaultyInputTests {
    private static let scene = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Capture/Scene").path

    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What a configuration file can be instead of a configuration.
    enum Nonsense: String, CaseIterable {
        case binary, tenMegabytes, manyKeys, repeatedKeys, deepNesting, aliasBomb, aliasBombWithRepeatedKey,
            aliasOfItself
        case wrongTypes, utf16, nul, twoDocuments, folder, device, missing

        /// Bytes of a file; `nil`: it is none.
        var bytes: [UInt8]? {
            switch self {
            case .binary: return (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            case .tenMegabytes: return [UInt8](repeating: UInt8(ascii: "a"), count: 10 << 20)
            case .manyKeys: return text((0..<20_000).map { "x\($0): 1\n" }.joined())
            case .repeatedKeys: return text(String(repeating: "name: a\n", count: 20_000))
            case .deepNesting: return [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
            case .aliasBomb: return text(bomb)
            case .aliasBombWithRepeatedKey: return text(bomb + "name: a\nname: b\n")
            case .aliasOfItself: return text("capture: &a\n  exposure: *a\n")
            case .wrongTypes: return text("capture: 5\ntrigger: [1]\noutputs: {a: b}\nname: {x: y}\ntorch: \"on\"\n")
            case .utf16: return [0xFF, 0xFE] + "capture:\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case .nul: return text("capture:\0\n")
            case .twoDocuments: return text("---\nname: a\n---\nname: b\n")
            case .folder, .device, .missing: return nil
            }
        }

        /// What the message says.
        var reason: String {
            switch self {
            case .binary, .utf16: "not UTF-8 text"
            case .tenMegabytes: "longer than 1MiB"
            case .manyKeys: "more are not shown"
            case .repeatedKeys: "given twice"
            case .deepNesting: "Maximum nesting level reached"
            case .aliasBomb: "unknown key"
            case .aliasBombWithRepeatedKey: "aliases unfold"
            case .aliasOfItself: "undefined alias"
            case .wrongTypes: "must be a mapping"
            case .nul: "control characters are not allowed"
            case .twoDocuments: "a second document"
            case .folder: "is a directory"
            case .device: "not a regular file"
            case .missing: "no such file"
            }
        }

        /// Ten levels of nine aliases each: some three billion words.
        private var bomb: String {
            var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
            for (name, last) in zip("bcdefghij", "abcdefghi") {
                let items = Array(repeating: "*\(last)", count: 9).joined(separator: ", ")
                text += "\(name): &\(name) [\(items)]\n"
            }
            return text
        }

        private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    }

    @Test(
        "a configuration of nonsense is refused with the reason, its name and exit code 78",
        arguments: Nonsense.allCases)
    func nonsense(_ nonsense: Nonsense) async throws {
        let path: String
        switch nonsense {
        case .folder: path = folder
        case .device: path = "/dev/zero"
        case .missing: path = folder + "/none.yaml"
        default: path = try write("\(nonsense).yaml", nonsense.bytes ?? [])
        }
        let result = try await Executable.run(["run", "--plain", "--simulate", "--config", path])
        #expect(result.status == 78)
        #expect(result.errors.contains(path))
        #expect(result.errors.contains(nonsense.reason), "\(result.errors.prefix(300))")
        #expect(result.errors.split(separator: "\n").count <= 101)
        #expect(result.output.isEmpty)
    }

    @Test("an empty configuration is the defaults")
    func empty() async throws {
        let path = try write("empty.yaml", [])
        #expect(try await Executable.run(["config", "show", path]).status == 0)
    }

    @Test("a symbology that no linked library reads is refused with exit code 78, by run as by config check")
    func unreadable() async throws {
        // Newer libraries may read all of them; the station's own test doesn't depend on that.
        for symbology in ["databar_limited", "rmqr_code"] {
            let path = try write("station.yaml", Array("reading: {symbologies: [\(symbology)]}\n".utf8))
            let check = try await Executable.run(["config", "check", path])
            guard check.status != 0 else { continue }
            let reason = "no linked library reads \(symbology): take it out of reading.symbologies"
            let run = try await Executable.run(["run", "--plain", "--simulate", "--config", path])
            for result in [check, run] {
                #expect(result.status == 78)
                #expect(result.errors.contains(reason), "\(result.errors)")
            }
        }
    }

    @Test("pictures that can't be read are named with the reason, and the others are read; exit 0, or 1 if none was")
    func pictures() async throws {
        let good = Self.scene + "/01-ean13.png"
        let whole = try Data(contentsOf: URL(fileURLWithPath: good))
        let faulty = [
            try write("empty.png", []), try write("truncated.png", whole.prefix(whole.count / 2)),
            try write("nonsense.jpg", Array("no picture at all, whatever its name says".utf8)),
            try write("huge.pgm", Array("P5\n20000 20000\n255\n".utf8)),
            folder + "/missing.png",
        ]
        mkfifo(folder + "/pipe.png", 0o600)
        let files = [good] + faulty + [folder + "/pipe.png", Self.scene + "/04-qr-url.png"]
        let result = try await Executable.run(["scan"] + files)
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == files.count)
        for (file, line) in zip(files, lines) {
            // The JSON of a path has its slashes as they are.
            #expect(line.contains("\"\(file)\""))
            let isFaulty = file.hasPrefix(folder)
            #expect(line.contains("\"error\":\"") == isFaulty, "\(line)")
            #expect(result.errors.contains(file) == isFaulty)
        }
        #expect(result.output.contains("2098765000425"))
        #expect(lines.last?.contains("qr_code") == true)
        #expect(result.errors.contains("20000"))
        #expect(try await Executable.run(["scan"] + faulty).status == 1)
    }

    @Test("SIGHUP rereads the configuration; a bad one is refused and the old one kept; SIGTERM ends in good order")
    func signals() async throws {
        let socket = folder + "/s.sock"
        let path = try write("station.yaml", Array("trigger: {mode: host}\nreading: {symbologies: [qr_code]}\n".utf8))
        let station = try Executable.start(["run", "--plain", "--simulate", "--config", path, "--socket", socket])
        defer { station.send(SIGKILL) }
        _ = try await station.errorLine(with: "the station runs")
        func mode() async throws -> String {
            let status = try await Executable.run(["ctl", "status", "--json", "--socket", socket, "--timeout", "300"])
            return status.output
        }
        #expect(try await mode().contains(#""mode":"host""#))

        try write("station.yaml", Array("trigger: {mode: level}\ntriger: 1\n".utf8))
        station.send(SIGHUP)
        _ = try await station.errorLine(with: "the old one stays in force")
        #expect(station.isRunning)
        #expect(try await mode().contains(#""mode":"host""#))

        try write("station.yaml", Array("trigger: {mode: pulse}\nreading: {symbologies: [qr_code]}\n".utf8))
        station.send(SIGHUP)
        _ = try await station.line(with: #""state":"reloaded""#)
        #expect(try await mode().contains(#""mode":"pulse""#))
        // A torch that is lit doesn't keep the end from coming; that it is dark then: StationTests, and the lab.
        #expect(
            try await Executable.run(["ctl", "torch", "on", "--socket", socket, "--timeout", "300"]).status == 0)
        station.send(SIGTERM)
        let result = await station.end()
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").last?.contains(#""state":"stopped""#) == true)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }
}
