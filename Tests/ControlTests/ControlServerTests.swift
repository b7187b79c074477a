import ControlSupport
import Glibc
import Linux
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control

@Suite("Control server", .timeLimit(.minutes(10)))
struct ControlServerTests {
    private func settings(_ change: (inout ControlSettings) -> Void) -> ControlSettings {
        var settings = ControlSettings()
        change(&settings)
        return settings
    }

    /// A server that carries out every command by recording it.
    private func recordingServer() async throws -> (TestServer, AsyncStream<Command>) {
        let (seen, sink) = AsyncStream<Command>.makeStream()
        let test = try await TestServer { command, _ in
            sink.yield(command)
            return Reply(command: command.name)
        }.started()
        return (test, seen)
    }

    @Test("Two clients see the same events while one of them commands")
    func twoClients() async throws {
        let test = try await TestServer().started()
        let watcher = try #require(RawClient.connect(test.path))
        let commander = try #require(RawClient.connect(test.path))
        #expect(await commander.ask(#"{"command":"torch","mode":"on","tag":7}"#)?["tag"] == 7)
        _ = await watcher.ask(#"{"command":"status"}"#)
        for sequence in 1...3 { test.server.publish(Fixtures.scan(UInt64(sequence))) }
        for client in [watcher, commander] {
            for sequence in 1...3 as ClosedRange<Int64> {
                let event = await client.readJSON()
                #expect(event?["type"] == "scan")
                #expect(event?["seq"] == .integer(sequence))
            }
        }
        await test.server.stop()
    }

    @Test("Commands are answered in order, with their tags, however long each takes")
    func inOrder() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let test = try await TestServer { command, _ in
            // The first one waits until the test releases it; the others could overtake it.
            if command == .pause { for await _ in gate.stream { break } }
            return Reply(command: command.name)
        }.started()
        let client = try #require(RawClient.connect(test.path))
        await client.write(
            #"""
            {"command":"pause","tag":"a"}
            {"command":"resume","tag":"b"}
            {"command":"nonsense","tag":"c"}
            {"command":"subscribe","types":[],"tag":"d"}

            """#)
        let other = try #require(RawClient.connect(test.path))
        #expect(await other.ask(#"{"command":"status"}"#)?["ok"] == true)
        gate.continuation.yield()
        for tag in ["a", "b", "c", "d"] as [JSONValue] { #expect(await client.readJSON()?["tag"] == tag) }
        await test.server.stop()
    }

    @Test("The handler is told which client asks, and who that is is known")
    func credentials() async throws {
        let test = try await TestServer { command, id in
            Reply(command: command.name, fields: ["client": .integer(Int64(id.number))])
        }.started()
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(#"{"command":"status"}"#)?["client"] == 1)
        let notice = await test.notice { if case .connected = $0 { true } else { false } }
        let expected = PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())
        #expect(notice == .connected(ClientID(number: 1), expected))
        await test.server.stop()
    }

    @Test("A subscription filters events by type, and can be widened again")
    func subscription() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(#"{"command":"subscribe","types":["scan"]}"#)?["ok"] == true)
        test.server.publish(Fixtures.state())
        test.server.publish(Fixtures.scan(1))
        #expect(await client.readJSON()?["type"] == "scan")
        #expect(await client.ask(#"{"command":"subscribe","types":[]}"#)?["ok"] == true)
        test.server.publish(Fixtures.state())
        #expect(await client.readJSON()?["type"] == "state")
        #expect(await client.ask(#"{"command":"subscribe","types":["scam"]}"#)?["ok"] == false)
        await test.server.stop()
    }

    @Test(
        "Garbage is answered with an error, and the connection goes on",
        arguments: ["garbage", "{", "[]", "{}", #"{"command":7}"#, #"{"command":"tourch"}"#, "\u{0}\u{1B}[2J"])
    func garbage(line: String) async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.ask(line)
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.isEmpty == false)
        #expect(await client.ask(#"{"command":"status"}"#)?["ok"] == true)
        await test.server.stop()
    }

    @Test("Carriage returns and empty lines are no trouble")
    func lineEnds() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask("\r\n\n{\"command\":\"status\"}\r")?["ok"] == true)
        await test.server.stop()
    }

    @Test("10 MB without a line feed close that client, with the reason, and nobody else")
    func tenMegabytes() async throws {
        let test = try await TestServer().started()
        let flood = try #require(RawClient.connect(test.path))
        let other = try #require(RawClient.connect(test.path))
        async let sent: Void = flood.write([UInt8](repeating: 0x41, count: 10 << 20))
        let reply = await flood.readJSON()
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.contains("longer than 65536 bytes") == true)
        await sent
        #expect(await flood.readLine() == nil)
        #expect(await other.ask(#"{"command":"status"}"#)?["ok"] == true)
        #expect(await test.server.report().clients == 1)
        await test.server.stop()
    }

    @Test("A client that never reads is dropped and counted, and the others miss nothing")
    func slowClient() async throws {
        let test = try await TestServer(settings: settings { $0.clientQueue = 100 }).started()
        let slow = try #require(RawClient.connect(test.path))
        let good = try #require(RawClient.connect(test.path))
        _ = await slow.ask(#"{"command":"status"}"#)
        _ = await good.ask(#"{"command":"status"}"#)
        // Far more than the kernel's buffer and the queue hold; the good client reads each at once.
        for sequence in 1...3000 as ClosedRange<Int64> {
            test.server.publish(Fixtures.scan(UInt64(sequence)))
            try #require(await good.readJSON()?["seq"] == .integer(sequence))
        }
        let notice = await test.notice { if case .slowClientDropped = $0 { true } else { false } }
        #expect(notice == .slowClientDropped(ClientID(number: 1), waiting: 101))
        let report = await test.server.report()
        #expect(report.slowClientsDropped == 1)
        #expect(report.clients == 1)
        await test.server.stop()
    }

    @Test("One client too many hears that and is closed")
    func tooManyClients() async throws {
        let test = try await TestServer(settings: settings { $0.maxClients = 2 }).started()
        let clients = [RawClient.connect(test.path), RawClient.connect(test.path)].compactMap { $0 }
        for client in clients { _ = await client.ask(#"{"command":"status"}"#) }
        let third = try #require(RawClient.connect(test.path))
        let reply = await third.readJSON()
        #expect(reply?["error"]?.stringValue?.contains("serves 2 clients already (maxClients)") == true)
        #expect(await third.readLine() == nil)

        clients[0].close()
        _ = await test.notice { if case .disconnected = $0 { true } else { false } }
        let fourth = try #require(RawClient.connect(test.path))
        #expect(await fourth.ask(#"{"command":"status"}"#)?["ok"] == true)
        await test.server.stop()
    }

    @Test("A client that ends its sending gets its answers and is closed then")
    func halfClosed() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        // The last line needs no line feed.
        await client.write("{\"command\":\"status\",\"tag\":1}\n{\"command\":\"pause\",\"tag\":2}")
        client.endSending()
        #expect(await client.readJSON()?["tag"] == 1)
        #expect(await client.readJSON()?["tag"] == 2)
        #expect(await client.readLine() == nil)
        await test.server.stop()
    }

    @Test("A pure listener that ends its sending goes on hearing events")
    func listener() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        client.endSending()
        _ = await test.notice { if case .connected = $0 { true } else { false } }
        test.server.publish(Fixtures.scan(9))
        #expect(await client.readJSON()?["seq"] == 9)
        await test.server.stop()
    }

    @Test("A command is carried out even if its client leaves at once")
    func goneAtOnce() async throws {
        let (test, seen) = try await recordingServer()
        let client = try #require(RawClient.connect(test.path))
        await client.write("{\"command\":\"trigger\"}\n{\"command\":\"release\"}\n")
        client.close()
        #expect(await seen.next(2) == [.trigger, .release])
        _ = await test.notice { if case .disconnected = $0 { true } else { false } }
        #expect(await test.server.report().clients == 0)
        await test.server.stop()
    }

    @Test("That holds even if it never read the events it got")
    func goneWithUnreadEvents() async throws {
        let (test, seen) = try await recordingServer()
        let client = try #require(RawClient.connect(test.path))
        _ = await client.ask(#"{"command":"status"}"#)
        await test.server.broadcast([Fixtures.scan(1)])
        let last = Array("{\"command\":\"trigger\"}\n".utf8)
        // While the server's thread is busy here, it can't see the command before the connection is reset.
        await test.server.block {
            _ = send(client.number, last, last.count, Int32(MSG_NOSIGNAL))
            client.close()
            test.server.publish(Fixtures.scan(2))
        }
        #expect(await seen.next(2) == [.status, .trigger])
        await test.server.stop()
    }

    @Test("More commands than may wait are all answered, in order")
    func manyCommands() async throws {
        var limits = ControlServer.Limits()
        limits.clientCommands = 4
        let test = try await TestServer(limits: limits).started()
        let client = try #require(RawClient.connect(test.path))
        let commands = (0..<500).map { "{\"command\":\"status\",\"tag\":\($0)}\n" }.joined()
        async let sent: Void = client.write(commands)
        for tag in 0..<500 as Range<Int64> { #expect(await client.readJSON()?["tag"] == .integer(tag)) }
        await sent
        await test.server.stop()
    }

    @Test("A stop delivers what was published before it")
    func farewell() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        _ = await client.ask(#"{"command":"status"}"#)
        for sequence in 1...100 { test.server.publish(Fixtures.scan(UInt64(sequence))) }
        await test.server.stop()
        let lines = await client.readToEnd().split(separator: 0x0A)
        #expect(lines.count == 100)
    }

    @Test("Events are dropped, oldest first and counted, when the server's thread can't keep up")
    func inboxLimit() async throws {
        var limits = ControlServer.Limits()
        limits.inbox = 10
        let test = TestServer(limits: limits)
        // As its thread is busy with this, nothing is taken out meanwhile.
        await test.server.block { for sequence in 1...25 { test.server.publish(Fixtures.scan(UInt64(sequence))) } }
        await test.server.broadcast([Fixtures.scan(26)])
        let report = await test.server.report()
        #expect(report.dropped == 15)
        #expect(report.delivered == 11)
        await test.server.stop()
    }
}

extension ControlServer {
    /// Runs `body` on the server's own thread.
    fileprivate func block(_ body: @Sendable () -> Void) { body() }
}
