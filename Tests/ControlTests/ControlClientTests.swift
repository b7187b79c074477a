import ControlSupport
import Glibc
import Linux
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control

@Suite("Control client", .timeLimit(.minutes(10)))
struct ControlClientTests {
    private let test = TestServer { command, _ in
        switch command {
        case .pause: Reply(command: command.name, error: "paused already")
        case .resume:
            // Never answers: until the test's server is thrown away.
            await withUnsafeContinuation { (never: UnsafeContinuation<Reply, Never>) in
                ControlClientTests.kept(never)
            }
        default: Reply(command: command.name, fields: ["answer": 42])
        }
    }

    /// A continuation that is never resumed.
    private static func kept(_ continuation: UnsafeContinuation<Reply, Never>) {}

    @Test("A command gets its reply, also between events")
    func reply() async throws {
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        test.server.publish(Fixtures.scan(1))
        let reply = try await client.ask(.status)
        #expect(reply["answer"] == 42)
        #expect(reply["ok"] == true)
        await client.close()
        await test.server.stop()
    }

    @Test("Replies find their commands when several are under way")
    func several() async throws {
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        async let status = client.ask(.status)
        async let torch = client.ask(.torch(.on))
        async let pause = client.ask(.pause)
        #expect(try await status["command"] == "status")
        #expect(try await torch["command"] == "torch")
        #expect(try await pause["error"] == "paused already")
        await client.close()
        await test.server.stop()
    }

    @Test("Events come as lines, and end when the station stops")
    func events() async throws {
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        let events = await client.events()
        _ = try await client.ask(.subscribe(types: ["scan"], secrets: nil))
        for sequence in 1...50 { test.server.publish(Fixtures.scan(UInt64(sequence))) }
        await test.server.stop()
        var sequences: [Int64?] = []
        for try await line in events {
            sequences.append(try JSONValue(parsing: Array(line.utf8))["seq"]?.integerValue)
        }
        #expect(sequences == (1...50).map { $0 })
    }

    @Test("A station that doesn't answer is a time-out, said with the command")
    func timeout() async throws {
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        let error = await #expect(throws: ControlError.self) {
            try await client.send(.resume, timeout: .milliseconds(10))
        }
        #expect(error?.code == .timeout)
        #expect(error?.message.contains("didn't answer \"resume\"") == true)
        await client.close()
        await test.server.stop()
    }

    @Test("A station that goes away ends the wait for a reply")
    func stationGone() async throws {
        let (asked, sink) = AsyncStream<Void>.makeStream()
        let test = TestServer { _, _ in
            sink.yield()
            return await withUnsafeContinuation { Self.kept($0) }
        }
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        let reply = Task { try await client.send(.trigger, timeout: .seconds(300)) }
        _ = await asked.next(1)
        await test.server.stop()
        let error = await #expect(throws: ControlError.self) { try await reply.value }
        #expect(error?.code == .closed)
    }

    @Test("Where there is no socket, no station runs, and how to start it is said")
    func noStation() async {
        let error = await #expect(throws: ControlError.self) {
            try await ControlClient.connect(path: test.folder.file("nothing.sock"))
        }
        #expect(error?.code == .noStation)
        #expect(error?.message.contains("Start it with `scanstation run`") == true)
    }

    @Test("A socket on which nobody answers is no running station")
    func staleSocket() async throws {
        do { _ = try SocketListener.open(path: test.path, mode: 0o600, group: nil) }
        let error = await #expect(throws: ControlError.self) { try await ControlClient.connect(path: test.path) }
        #expect(error?.code == .noStation)
        #expect(error?.message.contains("nobody answers") == true)
    }

    @Test("Without permission the group to join is named")
    func permission() throws {
        try test.folder.write("station.sock", "")
        let error = ClientSocket.failed(test.path, SystemError(EACCES))
        #expect(error.code == .noPermission)
        let group = Files.groupName(getegid())
        #expect(error.message.contains("it is for group \"\(group)\""))
        #expect(error.message.contains("sudo usermod -aG \(group) $USER"))
    }

    @Test("One client too many hears why")
    func tooMany() async throws {
        var settings = ControlSettings()
        settings.maxClients = 1
        let test = TestServer(settings: settings)
        try await test.server.start()
        let first = try await ControlClient.connect(path: test.path)
        _ = try await first.ask(.status)
        let second = try await ControlClient.connect(path: test.path)
        let error = await #expect(throws: ControlError.self) { try await second.ask(.status) }
        #expect(error?.message.contains("serves 1 clients already") == true)
        await first.close()
        await test.server.stop()
    }

    @Test("After close, sending fails and events have ended")
    func closed() async throws {
        try await test.server.start()
        let client = try await ControlClient.connect(path: test.path)
        let events = await client.events()
        await client.close()
        await #expect(throws: ControlError.self) { try await client.ask(.status) }
        for try await line in events { Issue.record("unexpected: \(line)") }
        await test.server.stop()
    }
}
