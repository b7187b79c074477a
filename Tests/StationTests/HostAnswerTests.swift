import Delivery
import Foundation
import Peripherals
import ScanCore
import Testing
import Wire

@testable import Station

/// The second stage: what the host says to a scan, and the door it may open.
@Suite("Host answers", .timeLimit(.minutes(10)))
struct HostAnswerTests {
    private static let qr = "04-qr-url.png"

    private func answer(_ harness: StationHarness) async throws -> AnswerEvent {
        try await harness.next { if case .answer(let answer) = $0 { answer } else { nil } }
    }

    private func relayPulses(_ harness: StationHarness) -> Int {
        harness.panel.trace.count { $0.line == "GPIO26" && $0.what == .level(true) }
    }

    @Test("an acceptance beeps, is told, and pulses the relay if it asks for it")
    func accepted() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        let scan = try await harness.nextScan().scan
        #expect(await harness.station.perform(.accept(id: scan.id, relay: .pulse(.milliseconds(20)))).error == nil)
        let answer = try await answer(harness)
        #expect(answer.verdict == .accepted)
        #expect(answer.by == "control")
        #expect(answer.relay)
        #expect(try await harness.nextState(of: "relay", "pulsed").fields["durationMs"]?.doubleValue == 20)
        #expect(relayPulses(harness) == 1)
        await harness.station.stop()
    }

    @Test("an answer through an output's socket is that output's")
    func outputAnswers() async throws {
        let path = NSTemporaryDirectory() + "till-\(UUID().uuidString.prefix(8)).sock"
        let harness = try await StationHarness.start(pictures: [Self.qr]) {
            $0.outputs = [OutputSettings(name: "till", kind: .unixSocket(UnixSocketSettings(path: path)))]
        }
        let scan = try await harness.nextScan().scan
        let client = try await ControlClient.connect(path: path)
        #expect(try await client.ask(.accept(id: scan.id, relay: .none))["ok"] == true)
        #expect(try await answer(harness).by == "till")
        await client.close()
        await harness.station.stop()
    }

    @Test("an answer that comes too late is told and never moves the relay")
    func late() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr]) {
            $0.host.timeout = .milliseconds(50)
            $0.host.expectsAnswer = true
            $0.host.relayOnAccept = true
        }
        let scan = try await harness.nextScan().scan
        #expect(try await answer(harness).verdict == .none)
        #expect(await harness.station.perform(.accept(id: scan.id, relay: .pulse(nil))).error == nil)
        let late = try await answer(harness)
        #expect(late.isLate)
        #expect(!late.relay)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("the allow-list answers for a host that doesn't, and opens the door")
    func allowList() async throws {
        let list = NSTemporaryDirectory() + "allow-\(UUID().uuidString.prefix(8)).txt"
        defer { try? FileManager.default.removeItem(atPath: list) }
        // The text comes from the code itself: a first station reads it.
        let first = try await StationHarness.start(pictures: [Self.qr])
        let text = try #require(try await first.nextScan().scan.symbol.text)
        await first.station.stop()
        try Data("# staff\n\(text)\n".utf8).write(to: URL(fileURLWithPath: list))
        let harness = try await StationHarness.start(pictures: [Self.qr]) {
            $0.host.timeout = .milliseconds(50)
            $0.host.expectsAnswer = true
            $0.host.relayOnAccept = true
            $0.host.allowList = list
        }
        _ = try await harness.nextScan()
        let answer = try await answer(harness)
        #expect(answer.verdict == .accepted)
        #expect(answer.by == "allowList")
        await harness.station.stop()
    }

    @Test("a relay that isn't there is an error of its own, and the acceptance stands")
    func noRelay() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        harness.panel.setFault(.taken(by: "another"), line: "GPIO26")
        let scan = try await harness.nextScan().scan
        #expect(await harness.station.perform(.accept(id: scan.id, relay: .pulse(nil))).error == nil)
        #expect(try await answer(harness).verdict == .accepted)
        await harness.station.stop()
    }
}
