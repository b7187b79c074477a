import ControlSupport
import Journal
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control

@Suite("Subscribe after a scan", .timeLimit(.minutes(10)))
struct SubscribeTests {
    private func server(_ journal: TestJournal?, queue: Int = 1024) async throws -> TestServer {
        var settings = ControlSettings()
        settings.clientQueue = queue
        return try await TestServer(settings: settings, journal: journal).started()
    }

    private func subscribe(_ after: Int, journal: String? = nil) -> String {
        let journal = journal.map { #","journal":"\#($0)""# } ?? ""
        return #"{"command":"subscribe","types":["scan"],"after":\#(after)\#(journal)}"#
    }

    @Test("What was missed comes first, then what happens")
    func missed() async throws {
        let journal = TestJournal(scans: 5)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.ask(subscribe(2, journal: "journal-1"))
        #expect(reply?["ok"] == true)
        #expect(reply?["journal"] == "journal-1")
        #expect(reply?["first"] == 1)
        #expect(reply?["last"] == 5)
        #expect(reply?["missed"] == 0)
        for sequence in 3...5 as ClosedRange<Int64> { #expect(await client.readJSON()?["seq"] == .integer(sequence)) }
        test.server.publish(journal.keep())
        #expect(await client.readJSON()?["seq"] == 6)
        await test.server.stop()
    }

    @Test("A client that has everything gets only what comes")
    func nothingMissed() async throws {
        let journal = TestJournal(scans: 5)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(subscribe(5))?["ok"] == true)
        test.server.publish(journal.keep())
        #expect(await client.readJSON()?["seq"] == 6)
        await test.server.stop()
    }

    @Test("Without \"after\" the reply says where the journal stands, and scans come as they happen")
    func plain() async throws {
        let journal = TestJournal(scans: 5)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.ask(#"{"command":"subscribe","types":["scan"]}"#)
        #expect(reply?["journal"] == "journal-1")
        #expect(reply?["last"] == 5)
        #expect(reply?["missed"] == nil)
        test.server.publish(journal.keep())
        #expect(await client.readJSON()?["seq"] == 6)
        await test.server.stop()
    }

    @Test("A client that counts scans by the journal's id hears what becomes of it, whatever types it wants")
    func journalChanges() async throws {
        let test = try await server(TestJournal(scans: 5))
        let follower = try #require(RawClient.connect(test.path))
        #expect(await follower.ask(subscribe(5))?["ok"] == true)
        let other = try #require(RawClient.connect(test.path))
        #expect(await other.ask(#"{"command":"subscribe","types":["scan"]}"#)?["ok"] == true)
        for part in ["camera", "journal"] {
            let state = StateEvent(part: part, state: "ready", fields: ["journal": "journal-2"])
            test.server.publish(Event(stamp: Fixtures.stamp, body: .state(state)))
        }
        test.server.publish(Fixtures.scan(6))
        let told = await follower.readJSON()
        #expect(told?["part"] == "journal" && told?["journal"] == "journal-2")
        #expect(await follower.readJSON()?["seq"] == 6)
        #expect(await other.readJSON()?["seq"] == 6)
        await test.server.stop()
    }

    @Test("Scans that the journal dropped are counted in the reply")
    func dropped() async throws {
        let journal = TestJournal(scans: 10)
        journal.drop(6)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        let reply = await client.ask(subscribe(2))
        #expect(reply?["missed"] == 4)
        #expect(reply?["first"] == 7)
        for sequence in 7...10 as ClosedRange<Int64> { #expect(await client.readJSON()?["seq"] == .integer(sequence)) }
        await test.server.stop()
    }

    @Test("What can't be answered is an error that says what to do, and changes nothing")
    func errors() async throws {
        let journal = TestJournal(scans: 3)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        let other = await client.ask(subscribe(2, journal: "journal-0"))?["error"]?.stringValue
        #expect(
            other?.contains(
                #"the journal is "journal-1" now, not "journal-0", whose sequences mean nothing in it: subscribe with "journal":"journal-1" and "after":0"#
            ) == true)
        let beyond = await client.ask(subscribe(4))?["error"]?.stringValue
        #expect(beyond?.contains(#""after" is 4, but the journal "journal-1" goes only up to 3"#) == true)
        journal.setOpen(false)
        let closed = await client.ask(subscribe(1))?["error"]?.stringValue
        #expect(closed?.contains("the journal isn't open (no folder)") == true)
        #expect(await client.ask(#"{"command":"subscribe","after":-1}"#)?["ok"] == false)
        // Still subscribed to everything.
        test.server.publish(Fixtures.state())
        #expect(await client.readJSON()?["type"] == "state")
        await test.server.stop()

        let without = try await server(nil)
        let lost = try #require(RawClient.connect(without.path))
        #expect(await lost.ask(subscribe(0))?["error"]?.stringValue?.contains("there is no journal") == true)
        #expect(await lost.ask(#"{"command":"subscribe"}"#)?["ok"] == true)
        await without.server.stop()
    }

    @Test("A client that says nothing more gets what it asked for before it is closed")
    func oneShot() async throws {
        let test = try await server(TestJournal(scans: 500))
        let client = try #require(RawClient.connect(test.path))
        await client.write(subscribe(0) + "\n")
        client.endSending()
        var lines = 0
        while await client.readLine() != nil { lines += 1 }
        #expect(lines == 501)
        await test.server.stop()
    }

    @Test("A slow reader isn't dropped for what it asked for, while live scans go on")
    func slowReader() async throws {
        let journal = TestJournal(scans: 4000)
        let test = try await server(journal, queue: 20)
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(subscribe(0))?["ok"] == true)
        // The kernel's buffer and the queue hold a tenth of the journal: it can't have been read to its end.
        for _ in 1...200 { test.server.publish(journal.keep()) }
        _ = await test.server.report()
        for sequence in 1...4200 as ClosedRange<Int64> {
            try #require(await client.readJSON()?["seq"] == .integer(sequence))
        }
        #expect(await test.server.report().slowClientsDropped == 0)
        await test.server.stop()
    }

    @Test("A scan that comes while the journal's end is being read isn't missed")
    func raceAtTheEnd() async throws {
        let journal = TestJournal()
        journal.delayReading(2000)
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(subscribe(0))?["ok"] == true)
        await turns { journal.readings > 0 }
        test.server.publish(journal.keep())
        test.server.publish(journal.keep())
        for sequence in 1...2 as ClosedRange<Int64> { #expect(await client.readJSON()?["seq"] == .integer(sequence)) }
        test.server.publish(journal.keep())
        #expect(await client.readJSON()?["seq"] == 3)
        await test.server.stop()
    }

    @Test("A scan that was read from the journal before it was published isn't repeated")
    func raceAhead() async throws {
        let journal = TestJournal()
        let ahead = [journal.keep(), journal.keep()]
        let test = try await server(journal)
        let client = try #require(RawClient.connect(test.path))
        #expect(await client.ask(subscribe(0))?["ok"] == true)
        for sequence in 1...2 as ClosedRange<Int64> { #expect(await client.readJSON()?["seq"] == .integer(sequence)) }
        await turns { await test.server.clientsReadingUp == 0 }
        for event in ahead { test.server.publish(event) }
        test.server.publish(journal.keep())
        #expect(await client.readJSON()?["seq"] == 3)
        await test.server.stop()
    }

    @Test(
        "Scans published while clients read up: no gap, no repeat, no other order",
        arguments: 1...8 as ClosedRange<UInt64>)
    func races(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let early = Int.random(in: 0...150, using: &random)
        let batches = (0..<Int.random(in: 30...100, using: &random)).map { _ in Int.random(in: 1...3, using: &random) }
        let total = Int64(early + batches.reduce(0, +))
        let journal = TestJournal(scans: early)
        journal.delayReading(Int.random(in: 0...60, using: &random))
        let test = try await server(journal)
        let clients = (0..<4).compactMap { _ in RawClient.connect(test.path) }
        let starts = clients.map { _ in Int.random(in: 0...early, using: &random) }
        let pauses = clients.map { _ in Int.random(in: 0...3000, using: &random) }
        let publisherSeed = random.next()
        await withTaskGroup { group in
            group.addTask {
                var random = SeededGenerator(seed: publisherSeed)
                for batch in batches {
                    // Kept first, then told, some time later: several may be in the journal before the first is reported.
                    let kept = (0..<batch).map { _ in journal.keep() }
                    for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
                    for event in kept {
                        test.server.publish(event)
                        if Bool.random(using: &random) { test.server.publish(Fixtures.state()) }
                    }
                }
                _ = await test.server.report()
            }
            for (index, client) in clients.enumerated() {
                let start = starts[index]
                let pause = pauses[index]
                let subscribe = subscribe(start)
                group.addTask {
                    for _ in 0..<pause { await Task.yield() }
                    await client.write(subscribe + "\n")
                    // Scans before the reply are not of this subscription.
                    while let line = await client.readJSON(), line["type"] != "reply" {}
                    var expected = Int64(start)
                    while expected < total, let line = await client.readJSON() {
                        guard line["type"] == "scan" else { continue }
                        expected += 1
                        guard line["seq"] == .integer(expected) else {
                            Issue.record("\(line["seq"] ?? .null) instead of \(expected), after \(start)")
                            return
                        }
                    }
                    #expect(expected == total)
                }
            }
        }
        await test.server.stop()
    }
}
