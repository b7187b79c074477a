import ControlSupport
import TestPeers
import Testing
import Wire

@testable import Control

@Suite("Control client: subscribe", .timeLimit(.minutes(10)))
struct ControlClientSubscribeTests {
    @Test("events after the reply are kept even before anybody reads them; earlier ones aren't")
    func keeps() async throws {
        let test = TestServer()
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        // Reaches the client: the reply to the next command comes behind it.
        test.server.publish(Fixtures.scan(1))
        _ = try await client.ask(.status)
        let reply = try await client.subscribe(types: ["scan"], timeout: .seconds(300))
        #expect(reply["ok"] == true)
        for sequence in 2...50 { test.server.publish(Fixtures.scan(UInt64(sequence))) }
        // Behind all of them.
        _ = try await client.ask(.status)
        await test.server.stop()
        var sequences: [Int64?] = []
        for try await line in await client.events() {
            sequences.append(try JSONValue(parsing: line.utf8)["seq"]?.integerValue)
        }
        #expect(sequences == Array(2...50))
        await client.close()
    }

    @Test("a subscription that is refused keeps nothing")
    func refused() async throws {
        let test = TestServer()
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        let reply = try await client.subscribe(types: [], after: 7, timeout: .seconds(300))
        #expect(reply["error"]?.stringValue?.contains("no journal") == true)
        test.server.publish(Fixtures.scan(8))
        _ = try await client.ask(.status)
        await test.server.stop()
        var lines: [String] = []
        for try await line in await client.events() { lines.append(line) }
        #expect(lines.isEmpty)
        await client.close()
    }
}
