import ControlSupport
import Glibc
import Linux
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control

@Suite("Whom a socket lets in, and what it takes", .timeLimit(.minutes(10)))
struct SocketDoorTests {
    private let console = CommandAccess.console(movesDoor: false)

    @Test("A user who isn't named is told so and turned away; nobody else is disturbed")
    func stranger() async throws {
        let test = try await TestServer(door: SocketDoor(access: console, users: [geteuid() + 1], secretsLimit: nil))
            .started()
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.readJSON()
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.contains("may not use it (console.user)") == true)
        #expect(await client.readLine() == nil)
        let notice = await test.notice { if case .strangerTurnedAway = $0 { true } else { false } }
        #expect(
            notice == .strangerTurnedAway(PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())))
        await test.server.stop()
    }

    @Test("The console's socket is for root, the station's own user, and the one that is configured")
    func users() {
        var settings = ConsoleSettings()
        settings.user = "daemon"
        #expect(SocketDoor.console(settings, userID: 1234, pictures: nil).users == [0, 1, 1234])
        settings.user = "no such user"
        #expect(SocketDoor.console(settings, userID: 1234, pictures: nil).users == [0, 1234])
        settings.door = true
        #expect(SocketDoor.console(settings, pictures: nil).access == .console(movesDoor: true))
    }

    @Test("A command that the door doesn't take never reaches the station")
    func refused() async throws {
        let test = try await TestServer(door: SocketDoor(access: console, secretsLimit: nil)) { command, _ in
            Reply(command: command.name, fields: ["reached": true])
        }.started()
        let client = try #require(RawClient.connect(test.path))
        let relay = await client.ask(#"{"command":"relay","tag":1}"#)
        #expect(relay?["ok"] == false)
        #expect(relay?["tag"] == 1)
        #expect(relay?["reached"] == nil)
        #expect(await client.ask(#"{"command":"identify"}"#)?["reached"] == true)
        await test.server.stop()
    }

    @Test("Secrets are shown to a client that asks for them where it may, and to no other")
    func secrets() async throws {
        let test = try await TestServer(
            secrets: .withheld, door: SocketDoor(access: console, secretsLimit: .revealed)
        ).started()
        let curious = try #require(RawClient.connect(test.path))
        let plain = try #require(RawClient.connect(test.path))
        #expect(await curious.ask(#"{"command":"subscribe","secrets":"revealed"}"#)?["ok"] == true)
        #expect(await plain.ask(#"{"command":"subscribe"}"#)?["ok"] == true)
        test.server.publish(Fixtures.secretScan())
        #expect(await curious.readLine()?.contains("swordfish1") == true)
        #expect(await plain.readLine()?.contains("swordfish1") == false)
        await test.server.stop()

        let strict = try await TestServer(secrets: .withheld).started()
        let client = try #require(RawClient.connect(strict.path))
        let reply = await client.ask(#"{"command":"subscribe","secrets":"asConfigured"}"#)
        #expect(
            reply?["error"]?.stringValue == "subscribe: this socket shows secrets at most withheld, not asConfigured")
        await strict.server.stop()
    }

    // MARK: Pictures

    @Test("A picture's bytes follow its reply, and commands behind it don't wait for it")
    func picture() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let pictures: PreviewHandler = { request, secrets in
            for await _ in gate.stream { break }
            let fields: [String: JSONValue] = [
                "preview": [
                    "seq": .integer(Int64(request.after ?? 0) + 1), "bytes": 3, "secrets": .string(secrets.rawValue),
                ]
            ]
            return PreviewReply(Reply(command: "preview", fields: fields), pixels: [7, 10, 13])
        }
        let test = try await TestServer(secrets: .withheld, door: SocketDoor(secretsLimit: nil, pictures: pictures))
            .started()
        let client = try #require(RawClient.connect(test.path))
        await client.write(
            #"""
            {"command":"preview","after":41,"tag":"p"}
            {"command":"pause","tag":"c"}
            {"command":"preview","tag":"second"}

            """#)
        #expect(await client.readJSON()?["tag"] == "c")
        let second = await client.readJSON()
        #expect(second?["tag"] == "second")
        #expect(second?["error"]?.stringValue?.contains("on its way on this connection already") == true)
        gate.continuation.yield()
        let reply = await client.readJSON()
        #expect(reply?["tag"] == "p")
        #expect(reply?["preview"]?["seq"] == 42)
        #expect(reply?["preview"]?["secrets"] == "withheld")
        #expect(await client.read(3) == [7, 10, 13])
        // The line after the picture is whole.
        #expect(await client.ask(#"{"command":"resume"}"#)?["ok"] == true)
        await test.server.stop()
    }

    @Test("A client that shuts down its sending side still gets the picture")
    func lastPicture() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let pictures: PreviewHandler = { _, _ in
            for await _ in gate.stream { break }
            return PreviewReply(Reply(command: "preview", fields: ["preview": ["bytes": 1]]), pixels: [9])
        }
        let test = try await TestServer(door: SocketDoor(secretsLimit: nil, pictures: pictures)).started()
        let client = try #require(RawClient.connect(test.path))
        await client.write(#"{"command":"preview"}"# + "\n")
        client.endSending()
        // Another client's answer shows that the end was seen.
        let other = try #require(RawClient.connect(test.path))
        #expect(await other.ask(#"{"command":"pause"}"#)?["ok"] == true)
        gate.continuation.yield()
        #expect(await client.readJSON()?["preview"]?["bytes"] == 1)
        #expect(await client.read(2) == [9])
        await test.server.stop()
    }

    @Test("A socket without pictures says so")
    func noPictures() async throws {
        let test = try await TestServer().started()
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.ask(#"{"command":"preview"}"#)
        #expect(reply?["error"]?.stringValue?.contains("no pictures") == true)
        await test.server.stop()
    }
}
