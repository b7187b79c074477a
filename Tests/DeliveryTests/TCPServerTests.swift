import ControlSupport
import Glibc
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

@Suite("TCP output that listens", .timeLimit(.minutes(10)))
struct TCPServerTests {
    private let state = TemporaryFolder()
    private static let quick = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(20))

    private func output(_ port: Int = 0, _ change: (inout TCPSettings) -> Void = { _ in }) throws -> TCPOutput {
        var settings = TCPSettings(port: port)
        settings.role = .server
        settings.ackTimeout = .seconds(600)
        change(&settings)
        var context = OutputContext()
        context.place = "outputs[0]"
        context.stateFolder = state.path
        return try TCPOutput(
            name: "till", settings: settings, secrets: .asConfigured, context: context,
            limits: TCPOutput.Limits(reopen: Self.quick))
    }

    /// Starts it, and returns its port.
    private func listening(_ output: TCPOutput) async throws -> Int {
        await output.start()
        let status = await output.states.first { $0.detail?.hasPrefix("listening on") == true }
        #expect(status?.detail?.hasSuffix("nobody is connected: scans wait") == true)
        return try #require(await output.addresses.first?.port)
    }

    private func connect(_ port: Int, receiveBuffer: Int32? = nil, _ output: TCPOutput, count: Int) async throws
        -> ByteEnd
    {
        let end = try #require(TCPHost.connect(port, receiveBuffer: receiveBuffer))
        // The kernel has taken the connection; the output may not have.
        await turns { await output.report().clients == count }
        return end
    }

    @Test(
        "What a program may mean that it was sent on an older connection isn't taken for an answer to what it was sent on this one"
    )
    func olderConnection() async throws {
        let output = try output { $0.lines = .json }
        let port = try await listening(output)
        let older = try await connect(port, output, count: 1)
        #expect(await output.deliver(Fixtures.scan(1)) == .accepted)
        #expect(await older.readJSON()?["seq"] == 1)
        // Its end was lost on the way: it seems to be there still.
        let newer = try await connect(port, output, count: 2)
        #expect(await output.deliver(Fixtures.scan(2)) == .accepted)
        #expect(await newer.readJSON()?["seq"] == 2)
        let reply = await newer.ask(#"{"command":"accept"}"#)
        #expect(reply?["error"]?.stringValue?.contains("2 scans that were sent here still wait for an answer") == true)
        await output.stop()
    }

    @Test("Every client gets every scan; without one, scans wait")
    func serves() async throws {
        let place = try LoopbackSocket()
        let output = try output(place.port)
        let port = try await listening(output)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan()) else {
            Issue.record("nobody is there to take it")
            return
        }
        #expect(reason.contains("nobody is connected"))
        let first = try await connect(port, output, count: 1)
        _ = await output.states.first { $0.state == .ready }
        let second = try await connect(port, output, count: 2)
        for sequence in 1...3 { #expect(await output.deliver(Fixtures.scan(UInt64(sequence))) == .accepted) }
        for end in [first, second] {
            for sequence in 1...3 { #expect(await end.readJSON()?["seq"] == .integer(Int64(sequence))) }
        }
        first.close()
        second.close()
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("nobody is connected") == true)
        await output.stop()
        #expect(TCPHost.connect(port) == nil)
    }

    @Test("A client that never reads is closed when its queue is full; the others get everything")
    func slowClient() async throws {
        let output = try output {
            $0.clientQueue = 3
            $0.lines = .template
        }
        let port = try await listening(output)
        let reader = try await connect(port, output, count: 1)
        let sleeper = try await connect(port, receiveBuffer: 4096, output, count: 2)
        let text = String(repeating: "x", count: 200_000)
        var sequence: UInt64 = 0
        while await output.report().slowClientsDropped == 0 {
            sequence += 1
            let event = Fixtures.scan(sequence, text: text)
            async let receipt = output.deliver(event)
            #expect(await reader.read(text.utf8.count + 2).count == text.utf8.count + 2)
            #expect(await receipt == .accepted)
            try #require(sequence < 100)
        }
        let report = await output.report()
        #expect(report.clients == 1)
        #expect(report.lastError?.contains("lines waited for it (clientQueue)") == true)
        withExtendedLifetime(sleeper) {}
        await output.stop()
    }

    @Test("A client that comes while the only other one doesn't read gets the scan, and settles it")
    func newcomer() async throws {
        let output = try output { $0.lines = .template }
        let port = try await listening(output)
        let sleeper = try await connect(port, receiveBuffer: 4096, output, count: 1)
        let text = String(repeating: "x", count: 1_000_000)
        let event = Fixtures.scan(1, text: text)
        async let receipt = output.deliver(event)
        // The sleeper was offered it before the newcomer comes.
        #expect(await sleeper.readText(4) == "xxxx")
        let newcomer = try await connect(port, output, count: 2)
        #expect(await newcomer.read(text.utf8.count + 2).count == text.utf8.count + 2)
        #expect(await receipt == .accepted)
        await output.stop()
    }

    @Test("The first client that answers settles a scan")
    func firstAnswer() async throws {
        let output = try output { $0.receipt = .ack }
        let port = try await listening(output)
        let quiet = try await connect(port, output, count: 1)
        let loud = try await connect(port, output, count: 2)
        async let receipt = output.deliver(Fixtures.scan(1))
        #expect(await quiet.readJSON()?["seq"] == 1)
        #expect(await loud.readJSON()?["seq"] == 1)
        #expect(await loud.ask(#"{"command":"ack","id":"scan-1"}"#)?["ok"] == true)
        #expect(await receipt == .accepted)
        #expect(await quiet.ask(#"{"command":"ack","id":"scan-1"}"#)?["ok"] == false)
        await output.stop()
    }

    @Test("An ACK byte that a second client owes for the scan before doesn't settle this one")
    func owedBytes() async throws {
        let output = try output {
            $0.lines = .template
            $0.receipt = .ack
        }
        let port = try await listening(output)
        let quick = try await connect(port, output, count: 1)
        let late = try await connect(port, output, count: 2)
        async let first = output.deliver(Fixtures.scan(1, text: "one"))
        #expect(await quick.readText(5) == "one\r\n")
        await quick.write([0x06])
        #expect(await first == .accepted)
        async let second = output.deliver(Fixtures.scan(2, text: "two"))
        #expect(await late.readText(10) == "one\r\ntwo\r\n")
        #expect(await quick.readText(5) == "two\r\n")
        // For "one", and then the other one's no to "two".
        await late.write([0x06])
        await quick.write([0x15])
        guard case .refused = await second else {
            Issue.record("the answer to the first scan was taken for the second one's")
            return
        }
        await output.stop()
    }

    @Test("If the last client goes before it answers, the delivery fails, worth a retry")
    func gone() async throws {
        let output = try output { $0.receipt = .ack }
        let port = try await listening(output)
        let client = try await connect(port, output, count: 1)
        async let receipt = output.deliver(Fixtures.scan(1))
        _ = await client.readLine()
        client.close()
        guard case .failed(let reason, retry: true) = await receipt else {
            Issue.record("nobody answered")
            return
        }
        #expect(reason.contains("the other side closed it"))
        await output.stop()
    }

    @Test("A client chooses what it hears")
    func subscribes() async throws {
        let output = try output { $0.scansOnly = false }
        let port = try await listening(output)
        let client = try await connect(port, output, count: 1)
        #expect(await client.ask(#"{"command":"subscribe","types":["state"]}"#)?["ok"] == true)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan()) else {
            Issue.record("nobody wanted it")
            return
        }
        #expect(reason == "no client has subscribed to scan")
        #expect(await output.deliver(Fixtures.state()) == .accepted)
        #expect(await client.readJSON()?["type"] == "state")
        await output.stop()
    }

    @Test("One client too many hears that")
    func tooMany() async throws {
        let output = try output { $0.maxClients = 1 }
        let port = try await listening(output)
        let first = try await connect(port, output, count: 1)
        let second = try #require(TCPHost.connect(port))
        #expect(await second.readJSON()?["error"]?.stringValue?.contains("(maxClients)") == true)
        #expect(await second.readLine() == nil)
        withExtendedLifetime(first) {}
        await output.stop()
    }

    @Test("A port that is taken is a state; it is listened on when it is free")
    func taken() async throws {
        let place = try LoopbackSocket()
        var other: TCPHost? = try TCPHost(at: place)
        let port = try #require(other).port
        let output = try output(port)
        await output.start()
        let status = await output.states.first { $0.detail?.contains("cannot listen") == true }
        #expect(status?.state == .waiting)
        #expect(status?.detail?.hasPrefix("cannot listen on 127.0.0.1:\(port): another program has the port") == true)
        other = nil
        _ = await output.states.first { $0.detail?.hasPrefix("listening on") == true }
        #expect(TCPHost.connect(port) != nil)
        await output.stop()
    }

    @Test("An address that this machine doesn't have is reported")
    func foreignAddress() async throws {
        // TEST-NET-1 (RFC 5737): nobody's.
        let output = try output(9100) { $0.host = "192.0.2.1" }
        await output.start()
        let status = await output.states.first { $0.detail?.contains("cannot listen") == true }
        #expect(status?.detail?.contains("this machine has no such address (yet): correct outputs[0].tcp.host") == true)
        await output.stop()
    }

    @Test("Clients that send megabytes of nonsense at once do no harm")
    func flood() async throws {
        let output = try output()
        let port = try await listening(output)
        let listener = try await connect(port, output, count: 1)
        let flooder = try await connect(port, output, count: 2)
        await flooder.write([UInt8](repeating: 0x0A, count: 1_000_000) + [UInt8](repeating: 0x00, count: 200_000))
        await turns { await output.report().clients == 1 }
        #expect(await output.deliver(Fixtures.scan(1)) == .accepted)
        #expect(await listener.readJSON()?["seq"] == 1)
        await output.stop()
    }
}
