import Control
import ControlSupport
import Foundation
import Peripherals
import Settings
import TestPeers
import Testing
import Vocabulary
import Wire

@testable import Station

/// The second stage: what the host says about a scan, and the door that it may open.
@Suite("Host answers", .timeLimit(.minutes(10)))
struct HostAnswerTests {
    private static let qr = "04-qr-url.png"

    private func answer(_ harness: StationHarness) async throws -> AnswerEvent {
        try await harness.next { if case .answer(let answer) = $0 { answer } else { nil } }
    }

    private func relayPulses(_ harness: StationHarness) -> Int {
        harness.panel.trace.count { $0.line == "GPIO26" && $0.what == .level(true) }
    }

    @Test("an acceptance beeps, is reported, and pulses the relay if it asks for it")
    func accepted() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        let scan = try await harness.nextScan().scan
        #expect(await harness.station.perform(.accept(id: scan.id, relay: .pulse(.milliseconds(20)))).error == nil)
        // In this order: the answer tells whether the relay moved.
        #expect(try await harness.nextState(of: "relay", "pulsed").fields["durationMs"]?.doubleValue == 20)
        let answer = try await answer(harness)
        #expect(answer.verdict == .accepted)
        #expect(answer.by == "control")
        #expect(answer.relay)
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

    @Test("an answer that comes too late is reported and never moves the relay")
    func late() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr]) {
            $0.host.timeout = .milliseconds(50)
            $0.host.expectsAnswer = true
            $0.host.relayOnAccept = true
        }
        let scan = try await harness.nextScan().scan
        #expect(try await answer(harness).verdict == .none)
        let reply = await harness.station.perform(.accept(id: scan.id, relay: .pulse(nil)))
        #expect(reply.error?.contains("too late") == true)
        let late = try await answer(harness)
        #expect(late.isLate)
        #expect(!late.relay)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("an answer that contradicts the first one is told so; one that repeats it isn't")
    func contradiction() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        let scan = try await harness.nextScan().scan
        let first = await harness.station.perform(.refuse(id: scan.id, reason: nil))
        #expect(first.error == nil)
        let second = await harness.station.perform(.accept(id: scan.id, relay: .pulse(nil)), from: "till")
        #expect(second.error == "control refused it before: the first answer counts")
        #expect(await harness.station.perform(.refuse(id: scan.id, reason: nil)).error == nil)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("an answer that names no scan is for none, unless its connection was sent just one")
    func withoutID() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        _ = try await harness.nextScan()
        #expect(await harness.station.perform(.accept(id: nil, relay: .pulse(nil))).error?.contains("\"id\"") == true)
        #expect(relayPulses(harness) == 0)
        await harness.station.stop()
    }

    @Test("an answer doesn't say that the relay moved when the relay refused")
    func refusedPulse() async throws {
        let harness = try await StationHarness.start(pictures: [Self.qr])
        let scan = try await harness.nextScan().scan
        let reply = await harness.station.perform(.accept(id: scan.id, relay: .pulse(.seconds(3600))))
        #expect(reply.error?.contains("the relay didn't move") == true)
        let answer = try await answer(harness)
        #expect(answer.verdict == .accepted)
        #expect(!answer.relay)
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
