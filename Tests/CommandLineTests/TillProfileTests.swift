import Foundation
import Glibc
import StationConfiguration
import TestSupport
import Testing
import Wire

@testable import scanstation

/// The profile `till` as somebody begins with it, with a till at the other end of its serial line.
@Suite("Profile till", .timeLimit(.minutes(10)))
final class TillProfileTests {
    private let folder = NSTemporaryDirectory() + "till-\(UUID().uuidString.prefix(8))"
    /// Two articles, and what the profile doesn't read between them.
    private static let pictures = ["01-ean13", "05-empty", "08-aztec", "02-upc-a", "05-empty"]

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("writes each article's number to the till, which answers it; what no article carries isn't read")
    func serial() async throws {
        let cable = SerialCable()
        var text = StationConfiguration.profile(.till)
        for line in ["outputs:", "  - serial:", "    name: till"] { text = text.replacing("#\(line)", with: line) }
        for key in ["device", "baud", "template", "acknowledgement"] {
            text = text.replacing("#      \(key):", with: "      \(key):")
        }
        let keyboard = try #require(text.range(of: "outputs:\n  - keyboard:"))
        let serial = try #require(text.range(of: "outputs:\n  - serial:"))
        text.removeSubrange(keyboard.lowerBound..<serial.lowerBound)
        let configuration = folder + "/station.yaml"
        let station = text.replacing("/dev/serial0", with: cable.device) + "\n  - stdout: {}\n"
        try Data(station.utf8).write(to: URL(fileURLWithPath: configuration))
        let run = try await Executable.simulate(configuration, pictures: Self.pictures, socket: folder + "/s.sock")
        defer { run.send(SIGKILL) }
        let (ean, upc) = ("2098765000425\r", "412345000179\r")
        // It answers each number, also one that comes again before the other article was read once.
        func takes(_ number: String) async -> Bool {
            while let line = await cable.host.readLine() {
                await cable.host.write("\u{6}")
                if line.contains(number) { return true }
            }
            return false
        }
        #expect(await takes(ean))
        _ = try await run.line(with: #""verdict":"accepted","by":"till""#)
        #expect(await takes(upc))
        run.send(SIGTERM)
        #expect(await !run.end().output.contains("GATE 4"))
    }
}
