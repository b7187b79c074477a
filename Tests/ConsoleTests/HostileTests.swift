import Glibc
import Linux
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Console

@Suite("Console: hostile clients", .timeLimit(.minutes(10)))
struct HostileTests {
    @Test("two thousand connections opened and abandoned: the owner still signs in")
    func abandoned() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        for _ in 0..<2000 { await browser.connect()?.close() }
        // Those stay open, as far as they may.
        var open: [ByteEnd] = []
        for _ in 0..<400 { if let end = await browser.connect() { open.append(end) } }
        let owner = try await console.owner()
        #expect(await owner.api("GET", "/state").status == 200)
        #expect(console.listener.connections.count <= 256)
        for end in open { end.close() }
        await turns { console.listener.connections.count < 5 }
        await console.end()
    }

    @Test("heads that trickle in are ended, and don't keep anybody out")
    func slowloris() async throws {
        var limits = ConnectionMachine.Limits()
        limits.head = .seconds(1)
        let console = try await TestConsole(limits: limits)
        let browser = await console.browser
        var slow: [ByteEnd] = []
        for _ in 0..<300 { if let end = await browser.connect() { slow.append(end) } }
        for end in slow { await end.write("GET / HTTP/1.1\r\nHost: 127") }
        let owner = try await console.owner()
        #expect(await owner.api("GET", "/state").status == 200)
        for end in slow { #expect(await end.readToEnd().isEmpty) }
        await console.end()
    }

    @Test("a body that trickles in is ended")
    func bodies() async throws {
        var limits = ConnectionMachine.Limits()
        limits.body = .seconds(1)
        let console = try await TestConsole(limits: limits)
        let owner = try await console.owner()
        let slow = try #require(await owner.connect())
        await slow.write(
            owner.head("POST", "/api/v1/commands", ["Content-Type": "application/json", "Content-Length": "100"]) + "{")
        _ = await slow.readToEnd()
        await console.end()
    }

    @Test("a body that is too long is refused before it is read")
    func longBody() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let long = try #require(await owner.connect())
        await long.write(
            owner.head(
                "POST", "/api/v1/commands", ["Content-Type": "application/json", "Content-Length": "1073741824"]))
        #expect(await long.line(with: "HTTP/1.1")?.contains("413") == true)
        // The gigabyte isn't taken: sooner or later writing fails.
        let chunk = [UInt8](repeating: 0x20, count: 65_536)
        let sent = await Browser.flood(long, chunk, most: 1 << 30)
        #expect(sent < 64 << 20)
        await console.end()
    }

    @Test("a chunked body without an end is bounded, too")
    func chunked() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let end = try #require(await owner.connect())
        await end.write(
            owner.head(
                "POST", "/api/v1/commands", ["Content-Type": "application/json", "Transfer-Encoding": "chunked"]))
        let chunk = Array("8000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x8000) + Array("\r\n".utf8)
        for _ in 0..<3 { await end.write(chunk) }
        #expect(await end.line(with: "HTTP/1.1")?.contains("413") == true)
        end.close()
        await console.end()
    }

    @Test("heads and addresses without an end are bounded")
    func longHeads() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        let path = await browser.ask("GET", "/api/v1/session?" + String(repeating: "a", count: 5000))
        #expect(path.status == 414)
        for start in ["GET /", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"] {
            let end = try #require(await browser.connect())
            let filler = start.hasSuffix("\r\n") ? Array("A: b\r\n".utf8) : [UInt8](repeating: 0x61, count: 6)
            await end.write(start)
            let chunk = (0..<1000).flatMap { _ in filler }
            let sent = await Browser.flood(end, chunk, most: 64 << 20)
            #expect(sent < 16 << 20)
            end.close()
        }
        #expect(await browser.api("GET", "/session").status == 200)
        await console.end()
    }

    @Test("nonsense instead of requests gets an error or a closed connection, and the console goes on")
    func fuzzed() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        var generator = SeededGenerator(seed: 12)
        let seeds = [
            browser.head("GET", "/api/v1/session", [:]),
            browser.head("POST", "/api/v1/session", ["Content-Type": "application/json", "Content-Length": "2"]) + "{}",
            "GET http://evil/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n",
            "GET //api/v1//session?%00=%zz&&&= HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n",
            "GET /assets/%2e%2e%2f HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}\u{1}\u{0}",
            "CONNECT evil:443 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        ]
        for seed in seeds {
            for _ in 0..<60 {
                var bytes = Array(seed.utf8)
                for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
                    }
                }
                guard let end = await browser.connect() else { continue }
                await end.write(bytes)
                end.endSending()
                _ = await end.readToEnd()
                end.close()
            }
        }
        #expect(await browser.api("GET", "/session").status == 200)
        await console.end()
    }

    @Test("bodies that aren't what they should be are told so, and change nothing")
    func bodiesOfNonsense() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let deep = String(repeating: "[", count: 1000)
        for (text, status) in [
            ("", 400), ("{", 400), ("[]", 400), ("null", 400), ("{\"command\":7}", 400), ("{\"command\":\"\"}", 400),
            ("{\"command\":\"torch\",\"command\":\"relay\"}", 400), ("{\"command\":\"torch\",\"x\":\(deep)", 400),
            ("{\"command\":\"\u{202E}\"}", 409),
        ] {
            let head = owner.head(
                "POST", "/api/v1/commands",
                ["Content-Type": "application/json", "Content-Length": "\(text.utf8.count)"])
            let answer = await owner.send(Array((head + text).utf8))
            #expect(answer.status == status, "\(text.prefix(40)): \(answer.message)")
        }
        #expect(
            await owner.api("POST", "/commands", ["command": "torch"], ["Content-Type": "text/plain"]).status == 415)
        #expect(console.station.asked("torch") == 0)
        // A tag of the client's doesn't confuse whose reply it is.
        #expect(await owner.api("POST", "/commands", ["command": "trigger", "tag": 1]).status == 200)
        await console.end()
    }

    @Test("the station's socket may say anything: the console stays, and says what is wrong")
    func hostileStation() async throws {
        for reply in [
            "nonsense\n", "{\"v\":1,\"type\":\"reply\"\n",
            "{\"v\":1,\"type\":\"reply\",\"error\":\"too many clients\"}\n", String(repeating: "x", count: 5 << 20),
        ] {
            let folder = TemporaryFolder()
            let listener = Descriptor(try UnixSocket.listen(folder.file("console.sock")))
            let link = StationLink(path: folder.file("console.sock"), secrets: .withheld, version: "test") { _ in }
            await link.start()
            let end = await ByteEnd(acceptedBy: listener)
            await end.write(reply)
            if reply == "nonsense\n" { end.close() }
            await turns {
                if case .away(let why) = await link.current { !why.contains("has just started") } else { false }
            }
            await link.stop()
        }
    }
}
