import Foundation
import Glibc
import StationConfiguration
import Testing
import Wire

@testable import scanstation

/// The profile `door` as somebody begins with it: a list of texts, or the program in deploy/examples, opens it for one code and not for
/// another.
@Suite("Profile door", .timeLimit(.minutes(10)))
final class DoorProfileTests {
    private let folder = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8))"
    /// What the Aztec code of the scene says; the QR code isn't allowed.
    private static let allowed = "GATE 4 SEAT 17C 2026-11-21"
    /// Linear codes in between, which the profile doesn't read, so that each code is away for long enough to be read again.
    private static let pictures = ["01-ean13", "02-upc-a", "04-qr-url", "03-code128", "05-empty", "08-aztec"]

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("# members\n\(Self.allowed)\n".utf8).write(to: URL(fileURLWithPath: folder + "/allowed.txt"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The profile with its list in the test's folder, and standard output to watch it by.
    private func write(_ change: (String) -> String) throws -> String {
        let profile = StationConfiguration.profile(.door)
            .replacing("/etc/scanstation/allowed.txt", with: folder + "/allowed.txt")
        let path = folder + "/station.yaml"
        try Data(change(profile).utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func start(_ configuration: String) async throws -> RunningExecutable {
        try await Executable.simulate(configuration, pictures: Self.pictures, socket: folder + "/s.sock")
    }

    /// Stops the station, and compares every accepted scan with the one allowed text.
    private func expectOnlyAllowed(_ station: RunningExecutable) async throws {
        station.send(SIGTERM)
        let events = await station.end().output.split(separator: "\n").compactMap { try? JSONValue(parsing: $0.utf8) }
        var texts: [String: String] = [:]
        var pulses = 0
        for event in events {
            if event["type"] == "scan", let id = event["id"]?.stringValue { texts[id] = event["text"]?.stringValue }
            guard event["type"] == "answer", let scan = event["scan"]?.stringValue else { continue }
            let isAllowed = texts[scan] == Self.allowed
            #expect((event["verdict"] == "accepted") == isAllowed)
            if event["relay"] == true {
                pulses += 1
                #expect(isAllowed)
            }
        }
        #expect(pulses > 0)
    }

    @Test("the allow-list opens it for a text that is on it, and not for another")
    func list() async throws {
        let station = try await start(write { $0.replacing("outputs: []", with: "outputs: [{stdout: {}}]") })
        defer { station.send(SIGKILL) }
        _ = try await station.line(with: #""verdict":"accepted","by":"allowList","late":false,"relay":true"#)
        _ = try await station.line(with: #""verdict":"none""#)
        try await expectOnlyAllowed(station)
    }

    @Test("the program in deploy/examples opens it for a text in its file, and refuses another, by the scan's id")
    func program() async throws {
        let socket = folder + "/door.sock"
        let configuration = try write { profile in
            var text = profile.replacing("outputs: []\n", with: "")
            for line in [
                "outputs:", "  - unix:", "      path:", "      receipt:", "    name:", "    delivery:", "    required:",
            ] {
                text = text.replacing("#\(line)", with: line)
            }
            // The program is what answers, however slow the machine: the list comes after it.
            return text.replacing("/run/scanstation/door.sock", with: socket).replacing(
                "timeout: 1s", with: "timeout: 30s"
            )
            .replacing("    required: off\n", with: "    required: off\n  - stdout: {}\n")
        }
        let station = try await start(configuration)
        defer { station.send(SIGKILL) }
        let script = Document.repository.appendingPathComponent("deploy/examples/answer-door.py").path
        let program = try RunningExecutable(
            path: "/usr/bin/python3", arguments: [script, socket, folder + "/allowed.txt"])
        defer { program.send(SIGKILL) }
        _ = try await station.line(with: #""verdict":"accepted","by":"door","late":false,"relay":true"#)
        _ = try await station.line(with: #""verdict":"refused","by":"door""#)
        try await expectOnlyAllowed(station)
    }
}
