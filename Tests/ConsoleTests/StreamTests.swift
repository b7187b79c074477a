import Linux
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Console

@Suite("Console: events and pictures", .timeLimit(.minutes(10)))
struct StreamTests {
    private func open(_ browser: Browser, _ fields: [String: String] = [:]) async throws -> ByteEnd {
        let end = try #require(await browser.connect())
        await end.write(browser.head("GET", "/api/v1/events", fields, isStream: true))
        #expect(await end.line(with: "retry: 2000") != nil)
        return end
    }

    @Test("events come as they happen, with away and back")
    func events() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let stream = try await open(owner)
        #expect(await owner.api("GET", "/state").json["console"]?["viewers"] == 1)
        let told = { console.station.state.value.lines.compactMap { $0["viewers"]?.integerValue } }
        await turns { told() == [1] }
        console.station.scan()
        #expect(await stream.line(with: "id: ") == "id: \(FakeStation.journal):4")
        #expect(await stream.line(with: "event: ") == "event: scan")
        #expect(await stream.line(with: "data: ")?.contains("<b>4</b>") == true)
        console.station.stop()
        #expect(await stream.line(with: "event: ") == "event: away")
        #expect(await stream.line(with: "data: ")?.contains("why") == true)
        try console.station.start()
        await turns { await stream.line(with: "event: ") == "event: back" }
        // The station that came back is announced again; how often isn't the point.
        await turns { told().count >= 2 && told().last == 1 }
        stream.close()
        await turns { told().last == 0 }
        await console.end()
    }

    @Test("a stream that comes back gets what it missed, once, and in order")
    func resumed() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        console.station.state.change { $0.last = 40 }
        let stream = try await open(owner, ["Last-Event-ID": "\(FakeStation.journal):7"])
        for seq in 8...40 { #expect(await stream.line(with: "id: ") == "id: \(FakeStation.journal):\(seq)") }
        console.station.scan()
        #expect(await stream.line(with: "id: ") == "id: \(FakeStation.journal):41")
        stream.close()
        let other = try await open(owner, ["Last-Event-ID": "00000000:7"])
        #expect(await other.line(with: "event: ") == "event: error")
        #expect(await other.line(with: "data: ")?.contains("another journal") == true)
        console.station.scan()
        #expect(await other.line(with: "id: ") == "id: \(FakeStation.journal):42")
        other.close()
        await console.end()
    }

    @Test("signing out ends the streams of that browser, withdrawing a token those of that program")
    func signedOut() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        let other = try await console.owner()
        let stream = try await open(owner)
        let stays = try await open(other)
        let made = try await console.gatekeeper.addToken(name: "x", scopes: [.view], expires: nil)
        let program = try await open(await console.browser, ["Authorization": "Bearer \(made.secret)"])
        #expect(await owner.api("DELETE", "/session").status == 204)
        _ = await stream.readToEnd()
        #expect(await other.api("DELETE", "/tokens/\(made.token.id)").status == 204)
        _ = await program.readToEnd()
        console.station.scan()
        #expect(await stays.line(with: "event: ") == "event: scan")
        await console.end()
    }

    @Test("five hundred streams: a visitor keeps its newest, all together are bounded, and the owner signs in")
    func manyStreams() async throws {
        let console = try await TestConsole()
        let browser = await console.browser
        var ends: [ByteEnd] = []
        for number in 0..<10 {
            let token = try await console.gatekeeper.addToken(name: "\(number)", scopes: [.view], expires: nil)
            for _ in 0..<50 {
                guard let end = await browser.connect() else { continue }
                await end.write(
                    browser.head("GET", "/api/v1/events", ["Authorization": "Bearer \(token.secret)"], isStream: true))
                ends.append(end)
            }
        }
        let owner = try await console.owner()
        #expect(await owner.api("GET", "/state").status == 200)
        #expect(console.desk.viewers <= 64)
        #expect(console.listener.connections.count <= 256)
        for end in ends { end.close() }
        await turns { console.desk.viewers == 0 }
        await console.end()
    }

    @Test("a picture comes with its JSON, and the station is asked only while somebody asks")
    func preview() async throws {
        let console = try await TestConsole()
        let owner = try await console.owner()
        #expect(console.station.asked("preview") == 0)
        let answer = await owner.api("GET", "/preview/next")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/vnd.scanstation.preview")
        let length = answer.body.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let json = try JSONValue(parsing: answer.body[4..<(4 + length)])
        #expect(json["seq"] == 101)
        #expect(answer.body[(4 + length)...].starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(answer.body.suffix(2) == [0xFF, 0xD9])
        #expect(console.station.asked("preview") == 1)
        #expect(await owner.api("GET", "/preview/next?after=x").status == 400)
        await console.end()
    }

    @Test("many who look share one picture, and none waits twice at once")
    func shared() async throws {
        let (waiting, release) = AsyncStream<Void>.makeStream()
        let desk = PreviewDesk(now: { .zero }) { fields in
            for await _ in waiting { break }
            let seq = (fields["after"]?.integerValue ?? 0) + 1
            return StationLink.Reply(
                json: ["ok": true, "preview": ["seq": .integer(seq), "width": 2, "height": 2, "bytes": 4]],
                pixels: [0, 255, 0, 255])
        }
        let viewers = (0..<20).map { number in Task { await desk.next(after: nil, for: .token("\(number)")) } }
        await turns { await desk.waiters == 20 }
        release.yield()
        for viewer in viewers { if case .shot = await viewer.value {} else { Issue.record("no picture") } }
        #expect(await desk.asked == 1)
        #expect(await desk.encoded == 1)
        // The picture that somebody lacks is there already.
        if case .shot = await desk.next(after: 0, for: .token("late")) {} else { Issue.record("no picture") }
        #expect(await desk.asked == 1)
        let greedy = (0..<10).map { _ in Task { await desk.next(after: 1, for: .token("greedy")) } }
        await turns { await desk.waiters == 4 }
        release.yield()
        var busy = 0
        for task in greedy { if case .busy = await task.value { busy += 1 } }
        #expect(busy == 6)
    }

    @Test("no frame, a refusal, a picture that doesn't fit, a station that is away")
    func noPicture() async {
        func answer(_ reply: StationLink.Reply?) async -> String {
            let desk = PreviewDesk { _ in
                guard let reply else { throw StationAway("it is away") }
                return reply
            }
            return switch await desk.next(after: nil, for: .token("x")) {
            case .shot: "shot"
            case .nothing(let camera): "nothing \(camera ?? "")"
            case .away(let why): "away \(why)"
            case .refused(let why): "refused \(why)"
            case .busy: "busy"
            }
        }
        #expect(await answer(nil) == "away it is away")
        #expect(await answer(.init(json: ["ok": true, "preview": .null, "camera": "lost"])) == "nothing lost")
        #expect(await answer(.init(json: ["ok": false, "error": "no camera"])) == "refused no camera")
        for (width, height) in [(0, 0), (-1, 4), (3, 3), (1 << 40, 1)] as [(Int64, Int64)] {
            let preview: JSONValue = ["seq": 1, "width": .integer(width), "height": .integer(height), "bytes": 4]
            #expect(
                await answer(.init(json: ["ok": true, "preview": preview], pixels: [1, 2, 3, 4])).hasPrefix("refused"))
        }
    }
}
