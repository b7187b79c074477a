import ControlSupport
import Glibc
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Control
@testable import Delivery

@Suite("Unix socket output", .timeLimit(.minutes(10)))
struct UnixSocketOutputTests {
    private let folder = TemporaryFolder()
    private var settings: UnixSocketSettings { UnixSocketSettings(path: folder.file("scans.sock")) }

    @Test("Its clients get events and may command, as on the control socket")
    func serves() async throws {
        let output = UnixSocketOutput(name: "till", settings: settings, secrets: .asConfigured) { command, _ in
            Reply(command: command.name)
        }
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        _ = await dispatcher.stateChanges.first { $0.state == "ready" }
        let client = try #require(RawClient.connect(settings.path))
        #expect(await client.ask(#"{"command":"trigger"}"#)?["ok"] == true)
        dispatcher.scan(journal)
        #expect(await client.readJSON()?["seq"] == 1)
        #expect(await dispatcher.receipts.next(1).first?.isAccepted == true)
        let report = await dispatcher.reports()[0]
        #expect(report.name == "till")
        #expect(report.kind == "unix")
        #expect(report.clients == 1)
        #expect(report.delivered == 1)
        await dispatcher.stop()
        #expect(await client.readLine() == nil)
        #expect(folder.names.isEmpty)
    }

    @Test("Without a handler commands are answered with where to send them")
    func noHandler() async throws {
        let output = UnixSocketOutput(name: "till", settings: settings, secrets: .asConfigured)
        await output.start()
        let client = try #require(RawClient.connect(settings.path))
        let reply = await client.ask(#"{"command":"trigger"}"#)
        #expect(reply?["error"]?.stringValue?.contains("send commands to the control socket") == true)
        await output.stop()
    }

    @Test("A place that is taken is a state; the socket is made when it is free")
    func taken() async throws {
        let other = try SocketListener.open(path: settings.path, mode: 0o600, group: nil)
        let retry = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(10))
        let output = UnixSocketOutput(name: "till", settings: settings, secrets: .asConfigured, retry: retry)
        await output.start()
        let waiting = await output.states.first { $0.state == .waiting }
        #expect(waiting?.detail?.contains("another station answers") == true)
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan()) else {
            Issue.record("there is no socket to deliver to")
            return
        }
        other.removeFile()
        _ = await output.states.first { $0.state == .ready }
        #expect(RawClient.connect(settings.path) != nil)
        await output.stop()
    }

    @Test("A path that doesn't fit is refused when the output is made")
    func longPath() {
        let path = folder.file(String(repeating: "x", count: 120))
        let output = OutputSettings(name: "till", kind: .unixSocket(UnixSocketSettings(path: path)))
        let error = #expect(throws: DeliveryError.self) { try OutputFactory.make(output) }
        #expect(error?.code == .badSetting)
        #expect(error?.message.hasPrefix("outputs.unix.path: ") == true)
    }

    // MARK: Acknowledged

    private let quick = RetryMachine.Policy(initial: .milliseconds(1), maximum: .milliseconds(5))

    private func acknowledged(_ journal: TestJournal, timeout: Duration = .seconds(600)) async throws -> Dispatcher {
        var settings = settings
        settings.receipt = .ack
        settings.ackTimeout = timeout
        let output = UnixSocketOutput(name: "till", settings: settings, secrets: .asConfigured, journal: journal) {
            command, _ in
            Reply(command: command.name, fields: ["handled": true])
        }
        if journal.cursor(of: "till") == nil { journal.setCursor(0, of: "till") }
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal, retry: quick)
        await dispatcher.start()
        _ = await dispatcher.stateChanges.first { $0.state == "waiting" }
        return dispatcher
    }

    @Test("A scan waits in the journal until there is a client, and is settled by its acknowledgement")
    func acknowledgement() async throws {
        let journal = TestJournal()
        let dispatcher = try await acknowledged(journal)
        dispatcher.scan(journal)
        await turns { await dispatcher.reports()[0].lastError != nil }
        let waiting = await dispatcher.reports()[0]
        #expect(waiting.status.state == .waiting)
        #expect(waiting.lastError?.contains("no client that wants scans is connected") == true)
        #expect(waiting.lag == 1)

        let client = try #require(RawClient.connect(settings.path))
        #expect(await client.readJSON()?["id"] == "scan-1")
        #expect(journal.cursor(of: "till") == 0)
        #expect(await client.ask(#"{"command":"ack","id":"scan-1"}"#)?["ok"] == true)
        #expect(await dispatcher.receipts.next(1).map(\.isAccepted) == [true])
        #expect(journal.cursor(of: "till") == 1)
        let report = await dispatcher.reports()[0]
        #expect(report.status.state == .ready)
        #expect(report.delivered == 1)
        await dispatcher.stop()
    }

    @Test("A client's refusal settles a scan, and the station hears of it; so does an acceptance")
    func verdicts() async throws {
        let journal = TestJournal()
        let dispatcher = try await acknowledged(journal)
        let client = try #require(RawClient.connect(settings.path))
        dispatcher.scan(journal)
        #expect(await client.readJSON()?["seq"] == 1)
        let reply = await client.ask(#"{"command":"refuse","reason":"sold out"}"#)
        #expect(reply?["handled"] == true)
        dispatcher.scan(journal)
        #expect(await client.readJSON()?["seq"] == 2)
        #expect(await client.ask(#"{"command":"accept","id":"scan-2"}"#)?["handled"] == true)
        let receipts = await dispatcher.receipts.next(2)
        #expect(receipts.map(\.isAccepted) == [false, true])
        #expect(receipts[0].reason == "sold out")
        #expect(await client.ask(#"{"command":"torch","mode":"on"}"#)?["handled"] == true)
        #expect(await dispatcher.reports()[0].refused == 1)
        await dispatcher.stop()
    }

    @Test("A host that was away and answers its backlog without ids doesn't answer for somebody who stands there now")
    func backlog() async throws {
        let journal = TestJournal(scans: 3)
        let dispatcher = try await acknowledged(journal)
        let client = try #require(RawClient.connect(settings.path))
        for sequence in 1...3 { #expect(await client.readJSON()?["seq"] == .integer(Int64(sequence))) }
        let ambiguous = await client.ask(#"{"command":"accept"}"#)
        #expect(ambiguous?["ok"] == false)
        #expect(
            ambiguous?["error"]?.stringValue?.contains("3 scans that were sent here still wait for an answer") == true)
        // It didn't count as any scan's receipt.
        for id in ["scan-1", "scan-2", "scan-3"] {
            #expect(await client.ask(#"{"command":"refuse","id":"\#(id)"}"#)?["handled"] == true)
        }
        #expect(await dispatcher.receipts.next(3).map(\.isAccepted) == [false, false, false])
        #expect(await client.ask(#"{"command":"accept"}"#)?["ok"] == false)
        // That was one more than it had been asked for.
        dispatcher.scan(journal)
        #expect(await client.readJSON()?["seq"] == 4)
        let reply = await client.ask(#"{"command":"accept"}"#)
        #expect(reply?["ok"] == false, "\(String(describing: reply))")
        #expect(await client.ask(#"{"command":"accept","id":"scan-4"}"#)?["handled"] == true)
        await dispatcher.stop()
    }

    @Test("A scan that no client acknowledges in time is sent again, also to one that asked for what it missed")
    func silence() async throws {
        let journal = TestJournal(scans: 1)
        let dispatcher = try await acknowledged(journal, timeout: .milliseconds(20))
        let client = try #require(RawClient.connect(settings.path))
        await client.write(#"{"command":"subscribe","types":["scan"],"after":0}"# + "\n")
        var times = 0
        while times < 3, let line = await client.readJSON() { if line["seq"] == 1 { times += 1 } }
        #expect(times == 3)
        await client.write(#"{"command":"ack","id":"scan-1"}"# + "\n")
        #expect(await dispatcher.receipts.next(1).map(\.isAccepted) == [true])
        await dispatcher.stop()
    }

    @Test("A client that leaves without an acknowledgement leaves the scan to the next one")
    func leaves() async throws {
        let journal = TestJournal(scans: 1)
        journal.setCursor(0, of: "till")
        let dispatcher = try await acknowledged(journal)
        let first = try #require(RawClient.connect(settings.path))
        #expect(await first.readJSON()?["seq"] == 1)
        first.close()
        _ = await dispatcher.stateChanges.first { $0.state == "waiting" }
        let second = try #require(RawClient.connect(settings.path))
        #expect(await second.readJSON()?["seq"] == 1)
        await second.write(#"{"command":"ack","id":"scan-1"}"# + "\n")
        #expect(await dispatcher.receipts.next(1).map(\.isAccepted) == [true])
        await dispatcher.stop()
    }

    @Test("A client that comes after hundreds of scans acknowledges them all, some before their turn comes")
    func catchesUp() async throws {
        let count = 500
        let journal = TestJournal(scans: count)
        journal.setCursor(0, of: "till")
        let dispatcher = try await acknowledged(journal, timeout: .milliseconds(200))
        let client = try #require(RawClient.connect(settings.path))
        await client.write(#"{"command":"subscribe","types":["scan"],"after":0}"# + "\n")
        let reader = Task {
            while let line = await client.readJSON() {
                guard let id = line["id"]?.stringValue else { continue }
                await client.write(#"{"command":"ack","id":"\#(id)"}"# + "\n")
            }
        }
        let receipts = await dispatcher.receipts.next(count)
        #expect(receipts.map(\.sequence) == Array(1...UInt64(count)))
        #expect(receipts.allSatisfy { $0.isAccepted })
        await dispatcher.stop()
        await reader.value
    }

    @Test("Secrets are withheld from its clients if it is set so")
    func secrets() async throws {
        let output = UnixSocketOutput(name: "till", settings: settings, secrets: .withheld)
        await output.start()
        let client = try #require(RawClient.connect(settings.path))
        _ = await client.ask(#"{"command":"subscribe"}"#)
        let event = Fixtures.secretScan()
        _ = await output.deliver(event)
        let line = await client.readJSON()
        #expect(line?["text"] == .null)
        #expect(line?["payload"]?["password"] == "(redacted)")
        await output.stop()
    }
}
