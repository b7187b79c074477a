import Control
import ControlSupport
import Foundation
import Glibc
import Peripherals
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Station

/// Faults that a station in a shop meets: it goes on.
@Suite("Faults", .timeLimit(.minutes(10)))
struct FaultTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures").path

    private func replaying(_ name: String) -> (inout StationSettings) -> Void {
        { settings in
            settings.capture.source = .replay(ReplaySettings(paths: [Self.fixtures + "/" + name]))
            settings.capture.preset = .medium
        }
    }

    @Test("a reader that is killed or stopped costs frames, not the station")
    func readersLost() async throws {
        let harness = try await StationHarness.start(pictures: ["01-ean13.png", "05-empty.png"]) {
            $0.trigger.sameSymbolTimeout = .milliseconds(100)
            // What a stopped reader costs here; more than a frame takes on a busy machine.
            $0.reading.deadline = .seconds(5)
        }
        for signal in [SIGKILL, SIGSTOP, SIGKILL] {
            _ = try await harness.nextScan()
            for reader in await harness.station.readerProcesses { kill(reader, signal) }
        }
        _ = try await harness.nextScan()
        #expect(await harness.station.figures().readers.workerRestarts > 0)
        await harness.station.stop()
    }

    @Test("a password that waits for its confirmation is shown by no state and no status")
    func waitingPassword() async throws {
        let harness = try await StationHarness(
            pictures: [],
            {
                replaying("wifi-qr.png")(&$0)
                $0.confirmation.policy = .always
            })
        try await harness.station.start()
        let waiting = try await harness.nextState(of: "confirmation", "waiting")
        #expect(waiting.fields["text"] == "(redacted)")
        #expect(await harness.station.perform(.status).fields["awaitingConfirmation"] == "(redacted)")
        #expect(await harness.station.perform(.confirm).error == nil)
        #expect(try await harness.nextScan().payload.kind == "wifi")
        await harness.station.stop()
    }

    @Test("a QR code with 2,900 bytes of every value arrives whole at a client of the socket")
    func binaryCode() async throws {
        let harness = try await StationHarness(pictures: [], replaying("binary-qr.png"))
        try await harness.station.start()
        let client = try await ControlClient.connect(path: harness.socket)
        let expected = (0..<2900).map { UInt8($0 % 256) }
        var bytes: [UInt8]?
        // A still picture may have been scanned before the client listens: ask for a fresh session then.
        let lines = await client.events()
        _ = await harness.station.perform(.set(["trigger.mode": "host"]))
        _ = await harness.station.perform(.trigger)
        for try await line in lines {
            #expect(!line.utf8.contains { $0 < 0x20 }, "control characters must be escaped on the line")
            let event = try JSONValue(parsing: line.utf8)
            guard event["type"]?.stringValue == "scan" else { continue }
            bytes = event["bytes"]?.stringValue.flatMap(Base64.decode)
            break
        }
        #expect(bytes == expected)
        await client.close()
        await harness.station.stop()
    }

    /// Live, ZXing-C++ 1.4 finds some sixteen of them in a frame; `scan` finds all.
    @Test("eighty codes in one frame do no harm: what is read of them is read once")
    func manyCodes() async throws {
        let harness = try await StationHarness(pictures: [], replaying("many-qr.png"))
        try await harness.station.start()
        var texts: [String] = []
        while texts.count < 10 { texts.append(try await harness.nextScan().scan.symbol.text ?? "") }
        #expect(Set(texts).count == texts.count)
        #expect(texts.allSatisfy { $0.hasPrefix("CODE ") })
        await harness.station.stop()
    }

    @Test("two clients see the same scans while one of them toggles the torch")
    func twoClients() async throws {
        let harness = try await StationHarness.start(pictures: ["01-ean13.png"]) { $0.trigger.mode = .host }
        let first = try await ControlClient.connect(path: harness.socket)
        let second = try await ControlClient.connect(path: harness.socket)
        // Both listen before there is anything to hear.
        let (heardByFirst, heardBySecond) = (await first.events(), await second.events())
        _ = try await harness.nextState(of: "camera", "running")
        var scanned: [String] = []
        for round in 0..<5 {
            let reply = try await second.ask(.torch(round.isMultiple(of: 2) ? .on : .off))
            #expect(reply["ok"] == true)
            #expect(try await first.ask(.trigger)["ok"] == true)
            scanned.append(try await harness.nextScan().scan.id)
        }
        #expect(try await ids(5, in: heardByFirst) == scanned)
        #expect(try await ids(5, in: heardBySecond) == scanned)
        await first.close()
        await second.close()
        await harness.station.stop()
    }

    private func ids(_ count: Int, in lines: AsyncThrowingStream<String, any Error>) async throws -> [String] {
        var ids: [String] = []
        for try await line in lines {
            let event = try JSONValue(parsing: line.utf8)
            guard event["type"]?.stringValue == "scan", let id = event["id"]?.stringValue else { continue }
            ids.append(id)
            if ids.count == count { break }
        }
        return ids
    }

    @Test("garbage and ten megabytes without a newline end one connection, not the station")
    func hostileClients() async throws {
        let harness = try await StationHarness.start(pictures: ["05-empty.png"])
        let garbage = try #require(RawClient.connect(harness.socket))
        await garbage.write(Array(repeating: 0xFF, count: 1000) + [0x0A])
        let endless = try #require(RawClient.connect(harness.socket))
        await endless.write([UInt8](repeating: 0x41, count: 10 << 20))
        let client = try await ControlClient.connect(path: harness.socket)
        #expect(try await client.ask(.status)["ok"] == true)
        await client.close()
        await harness.station.stop()
    }

    @Test("a line that is taken is reported, and used again when it is free")
    func lineTaken() async throws {
        let harness = try await StationHarness(pictures: ["05-empty.png"])
        harness.panel.setFault(.taken(by: "lirc"), line: "GPIO17")
        try await harness.station.start()
        let lost = try await harness.nextState(of: "line.torch", "lost")
        #expect(lost.detail?.contains("lirc") == true)
        #expect(await harness.station.perform(.torch(.on)).error?.contains("lirc") == true)
        harness.panel.setFault(nil, line: "GPIO17")
        _ = try await harness.nextState(of: "line.torch", "held")
        #expect(await harness.station.perform(.torch(.on)).error == nil)
        await harness.station.stop()
    }
}
