import ControlSupport
import Glibc
import Linux
import ScanCore
import Settings
import Synchronization
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("TCP output that connects", .timeLimit(.minutes(10)))
struct TCPClientTests {
    private let state = TemporaryFolder()
    private static let quick = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(20))

    private func output(
        _ port: Int, context: OutputContext = OutputContext(),
        limits: TCPOutput.Limits = TCPOutput.Limits(reopen: TCPClientTests.quick),
        _ change: (inout TCPSettings) -> Void = { _ in }
    ) throws -> TCPOutput {
        var settings = TCPSettings(port: port)
        // Only a broken program reaches them.
        settings.ackTimeout = .seconds(600)
        settings.connectTimeout = .seconds(600)
        change(&settings)
        var context = context
        context.place = "outputs[2]"
        context.stateFolder = state.path
        return try TCPOutput(name: "host", settings: settings, secrets: .asConfigured, context: context, limits: limits)
    }

    private func ready(_ output: TCPOutput) async { _ = await output.states.first { $0.state == .ready } }

    /// Starts it; returns the host's end once the output is ready.
    private func begin(_ output: TCPOutput, _ host: TCPHost) async -> ByteEnd {
        await output.start()
        let end = await host.accept()
        await ready(output)
        return end
    }

    private func problem(_ receipt: Receipt) -> String {
        if case .failed(let reason, retry: true) = receipt { reason } else { "\(receipt)" }
    }

    // MARK: What is sent

    @Test("Scans are lines of JSON, or what the template makes of them")
    func records() async throws {
        for lines in LineFormat.allCases {
            let host = try TCPHost()
            let output = try output(host.port) { $0.lines = lines }
            #expect(!output.wants(Fixtures.state()))
            await output.start()
            let end = await host.accept()
            await ready(output)
            #expect(await output.deliver(Fixtures.scan(1)) == .accepted)
            let expected =
                lines == .json
                ? String(decoding: Fixtures.scan(1).line(secrets: .asConfigured), as: UTF8.self) : "hello\r\n"
            #expect(await end.readText(expected.utf8.count) == expected)
            #expect(await output.report().delivered == 1)
            await output.stop()
            #expect(await end.readToEnd().isEmpty)
        }
    }

    @Test("With scansOnly off every event goes out")
    func everyEvent() async throws {
        let host = try TCPHost()
        let output = try output(host.port) {
            $0.scansOnly = false
            $0.receipt = .ack
        }
        let end = await begin(output, host)
        #expect(await output.deliver(Fixtures.state()) == .accepted, "only scans wait for an answer")
        #expect(await end.readJSON()?["type"] == "state")
        await output.stop()
    }

    // MARK: Connecting

    @Test("A host that is away is a state with its reason, and connected to when it comes")
    func missing() async throws {
        let place = try LoopbackSocket()
        let port = place.port
        let output = try output(port)
        await output.start()
        let status = await output.states.first { $0.detail?.contains("refused") == true }
        #expect(
            status
                == OutputStatus(
                    .waiting, detail: "cannot connect to 127.0.0.1:\(port): Connection refused"))
        #expect(problem(await output.deliver(Fixtures.scan())).contains("Connection refused"))
        let host = try TCPHost(at: place)
        let end = await host.accept()
        await ready(output)
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        #expect(await end.readJSON()?["seq"] == 1)
        await output.stop()
    }

    @Test("An unknown name is reported")
    func unknownName() async throws {
        let output = try output(9) { $0.host = "no-such-host.invalid" }
        await output.start()
        let status = await output.states.first { $0.detail?.contains("cannot resolve") == true }
        #expect(status?.state == .waiting)
        #expect(status?.detail?.contains("check outputs[2].tcp.host") == true)
        await output.stop()
    }

    @Test("Of several addresses the first that answers is taken")
    func race() async throws {
        let dead = try LoopbackSocket()
        let host = try TCPHost()
        let loop = EventLoop()
        let connected: Descriptor? =
            await callback { done in
                loop.execute {
                    let addresses = [TCPHost.loopback(dead.port), TCPHost.loopback(host.port)]
                    let race = TCPRace(loop: loop, addresses: addresses, target: "host:9", timeout: .seconds(600)) {
                        done(try? $0.get())
                    }
                    race.start()
                }
            } ?? nil
        #expect(connected.flatMap { SocketAddress(of: $0.number, getpeername) } == TCPHost.loopback(host.port))
    }

    @Test("Address families take turns")
    func interleaving() throws {
        func addresses(_ family: Int32, _ ports: [Int]) -> [SocketAddress] {
            ports.map { port in TCPHost.loopback(port).withPointer { SocketAddress(family: family, $0, length: $1) } }
        }
        let six = addresses(AF_INET6, [1, 2, 3])
        let four = addresses(AF_INET, [4])
        #expect(AddressResolver.interleaved(six + four) == [six[0], four[0], six[1], six[2]])
        #expect(AddressResolver.interleaved(four + six) == [four[0], six[0], six[1], six[2]])
        #expect(AddressResolver.interleaved([]).isEmpty)
    }

    @Test("A connection that is pulled in the middle of a line fails the delivery; the whole line comes again")
    func pulled() async throws {
        let host = try TCPHost(receiveBuffer: 4096)
        let output = try output(host.port) { $0.lines = .template }
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal, retry: Self.quick)
        await dispatcher.start()
        let first = await host.accept()
        // More than both kernels' buffers take.
        let long = "begin" + String(repeating: "x", count: 1_000_000)
        dispatcher.submit(journal.keep { $0 = Fixtures.scan(1, text: long) })
        dispatcher.submit(journal.keep { $0 = Fixtures.scan(2, text: "two") })
        dispatcher.submit(journal.keep { $0 = Fixtures.scan(3, text: "three") })
        #expect(await first.readText(10) == "beginxxxxx")
        first.close()
        let second = await host.accept()
        #expect(await second.read(long.utf8.count + 2) == Array((long + "\r\n").utf8))
        #expect(await second.readText(12) == "two\r\nthree\r\n")
        #expect(await dispatcher.receipts.next(3).map(\.isAccepted) == [true, true, true])
        await dispatcher.stop()
    }

    @Test("Through the dispatcher nothing is lost or reordered while the host comes and goes, if it answers")
    func comesAndGoes() async throws {
        let host = try TCPHost()
        let output = try output(host.port) { $0.receipt = .ack }
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal, retry: Self.quick)
        await dispatcher.start()
        for _ in 1...6 { dispatcher.submit(journal.keep()) }
        var seen: [Int64] = []
        for turn in 0..<6 {
            let end = await host.accept()
            let scan = try #require(await end.readJSON()?["seq"]?.integerValue)
            #expect(scan == Int64(turn + 1))
            let reply = await end.ask(#"{"command":"ack","id":"scan-\#(scan)"}"#)
            #expect(reply?["ok"] == true || reply?["type"] == "scan")
            seen.append(scan)
            end.close()
        }
        #expect(await dispatcher.receipts.next(6).map(\.sequence) == [1, 2, 3, 4, 5, 6])
        await dispatcher.stop()
    }

    // MARK: Answers

    @Test("An ack accepts; accept and refuse do what they say, and speak for the host")
    func answers() async throws {
        let host = try TCPHost()
        let (answers, sink) = AsyncStream<Command>.makeStream()
        let context = OutputContext(commands: { command, _ in
            sink.yield(command)
            return Reply(command: command.name)
        })
        let output = try output(host.port, context: context) { $0.receipt = .ack }
        let end = await begin(output, host)
        for (sequence, command, expected) in [
            (1, #"{"command":"ack","id":"scan-1"}"#, Receipt.accepted),
            (2, #"{"command":"accept","id":"scan-2","relay":500}"#, .accepted),
            (3, #"{"command":"refuse","id":"scan-3","reason":"unknown"}"#, .refused(reason: "unknown")),
        ] {
            async let receipt = output.deliver(Fixtures.scan(UInt64(sequence)))
            #expect(await end.readJSON()?["seq"] == .integer(Int64(sequence)))
            #expect(
                await end.ask(#"{"command":"ack","id":"scan-9"}"#)?["error"]?.stringValue?.contains("scan-9") == true)
            #expect(await end.ask(command)?["ok"] == true)
            #expect(await receipt == expected)
        }
        #expect(
            await answers.next(2) == [
                .accept(id: "scan-2", relay: .pulse(.milliseconds(500))), .refuse(id: "scan-3", reason: "unknown"),
            ])
        let report = await output.report()
        #expect(report.delivered == 2)
        #expect(report.refused == 1)
        // An ack is no verdict: that to scan 1 may still come, and this may be it.
        async let receipt = output.deliver(Fixtures.scan(4))
        #expect(await end.readJSON()?["seq"] == 4)
        let late = await end.ask(#"{"command":"accept"}"#)
        #expect(late?["error"]?.stringValue?.contains("2 scans that were sent here still wait for an answer") == true)
        #expect(await end.ask(#"{"command":"ack","id":"scan-4"}"#)?["ok"] == true)
        #expect(await receipt == .accepted)
        await output.stop()
    }

    @Test("A host that doesn't answer makes the delivery fail, worth a retry; its late answer is taken for the retry")
    func silence() async throws {
        let host = try TCPHost()
        let output = try output(host.port) {
            $0.receipt = .ack
            $0.ackTimeout = .milliseconds(100)
        }
        let end = await begin(output, host)
        #expect(
            problem(await output.deliver(Fixtures.scan())).contains("nobody answered within 100ms (ackTimeout)"))
        #expect(await output.report().status.state == .stalled)
        #expect(await end.readJSON()?["seq"] == 1)
        await output.stop()
    }

    @Test("After a template, ACK accepts and NAK refuses; other bytes are nothing")
    func bytes() async throws {
        let host = try TCPHost()
        let output = try output(host.port) {
            $0.lines = .template
            $0.receipt = .ack
        }
        let end = await begin(output, host)
        for (byte, isAccepted) in [(UInt8(0x06), true), (0x15, false), (0x06, true)] {
            async let receipt = output.deliver(Fixtures.scan())
            #expect(await end.readText(7) == "hello\r\n")
            await end.write(Array("garbage {}\n\u{FF}".utf8) + [byte])
            #expect(await (receipt == .accepted) == isAccepted)
        }
        await output.stop()
    }

    @Test("An answer that names no scan doesn't count while another scan is owed one; the host is told")
    func ambiguous() async throws {
        let host = try TCPHost()
        let (commands, sink) = AsyncStream<Command>.makeStream()
        var context = OutputContext(commands: { command, _ in
            sink.yield(command)
            return Reply(command: command.name)
        })
        let (objections, objectionSink) = AsyncStream<HostObjection>.makeStream()
        context.object = { objectionSink.yield($0) }
        let now = Mutex(Instant(nanoseconds: 0))
        context.answerClock = { now.withLock { $0 } }
        func rest() { now.withLock { $0 = $0.advanced(by: OfferLedger.turnaround) } }
        let output = try output(host.port, context: context) { $0.receipt = .written }
        let end = await begin(output, host)
        for sequence in 1...2 as ClosedRange<UInt64> {
            #expect(await output.deliver(Fixtures.scan(sequence)) == .accepted)
            #expect(await end.readJSON()?["seq"] == .integer(Int64(sequence)))
        }
        let reply = await end.ask(#"{"command":"accept","relay":true}"#)
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.contains("2 scans that were sent here still wait for an answer") == true)
        // Right behind it, that may be the same answer again.
        #expect(await end.ask(#"{"command":"refuse"}"#)?["ok"] == false)
        #expect(await objections.first { _ in true } == HostObjection(output: "host"))
        let again = await end.ask(#"{"command":"accept"}"#)
        #expect(again?["error"]?.stringValue?.contains("2 scans that were sent here still wait for an answer") == true)
        // Only scan 2 is left, and the first answer may have been to it.
        rest()
        let doubted = await end.ask(#"{"command":"accept"}"#)
        #expect(doubted?["error"]?.stringValue?.contains("may have been to the one that waits now") == true)
        #expect(await end.ask(#"{"id":"scan-2","accept":true}"#)?["ok"] == true)
        #expect(await commands.first { _ in true } == .accept(id: "scan-2"))
        rest()
        let unasked = await end.ask(#"{"command":"accept"}"#)
        #expect(unasked?["error"]?.stringValue?.contains("no scan that was sent here waits") == true)
        await output.stop()
    }

    @Test("A host that answers a scan twice loses its connection, not the next person's turn")
    func doubled() async throws {
        let host = try TCPHost()
        let (answers, sink) = AsyncStream<HostAnswer>.makeStream()
        let output = try output(host.port, context: OutputContext(answer: { sink.yield($0) })) {
            $0.lines = .template
            $0.receipt = .ack
        }
        let end = await begin(output, host)
        async let first = output.deliver(Fixtures.scan(1))
        #expect(await end.readText(7) == "hello\r\n")
        await end.write([0x06, 0x06])
        #expect(await first == .accepted)
        #expect(await answers.first { _ in true } == HostAnswer(output: "host", scan: "scan-1", isAccepted: true))
        #expect(await end.readToEnd().isEmpty)
        let again = await host.accept()
        await ready(output)
        async let second = output.deliver(Fixtures.scan(2))
        #expect(await again.readText(7) == "hello\r\n")
        await again.write([0x15])
        guard case .refused = await second else {
            Issue.record("the second scan was refused, and nothing else may count for it")
            return
        }
        #expect(await answers.first { _ in true }?.isAccepted == false)
        await output.stop()
    }

    @Test("Behind a serial device server, the ACK that an earlier connection owes isn't taken for the next scan's")
    func deviceServer() async throws {
        let host = try TCPHost()
        let (answers, sink) = AsyncStream<HostAnswer>.makeStream()
        let (objections, objectionSink) = AsyncStream<HostObjection>.makeStream()
        let context = OutputContext(answer: { sink.yield($0) }, object: { objectionSink.yield($0) })
        let output = try output(host.port, context: context) {
            $0.lines = .template
            $0.receipt = .ack
        }
        let end = await begin(output, host)
        async let first = output.deliver(Fixtures.scan(1))
        #expect(await end.readText(7) == "hello\r\n")
        end.close()
        #expect(!problem(await first).isEmpty)
        let again = await host.accept()
        await ready(output)
        async let repeated = output.deliver(Fixtures.scan(1))
        #expect(await again.readText(7) == "hello\r\n")
        await again.write([0x06])
        #expect(await repeated == .accepted)
        #expect(
            problem(await output.deliver(Fixtures.scan(2))).contains("may still answer what it was sent on an earlier"))
        #expect(await output.report().status.state == .stalled)
        // That one, which counts for nothing; then nothing is owed any more, and the scan is wanted at once.
        await again.write([0x15])
        await ready(output)
        #expect(await objections.first { _ in true } == HostObjection(output: "host", scans: ["scan-1"]))
        async let second = output.deliver(Fixtures.scan(2))
        #expect(await again.readText(7) == "hello\r\n")
        await again.write([0x15])
        guard case .refused = await second else {
            Issue.record("its host refused the second scan")
            return
        }
        #expect(await answers.first { _ in true } == HostAnswer(output: "host", scan: "scan-1", isAccepted: true))
        #expect(await answers.first { _ in true }?.isAccepted == false)
        await output.stop()
    }

    @Test(
        "What a station that was killed has left owed holds its next scans back until the host was silent; one that stopped leaves nothing"
    )
    func killed() async throws {
        let host = try TCPHost()
        func bytes(_ settings: inout TCPSettings) {
            settings.lines = .template
            settings.receipt = .ack
        }
        let killed = try output(host.port, bytes)
        let end = await begin(killed, host)
        async let lost = killed.deliver(Fixtures.scan(1))
        #expect(await end.readText(7) == "hello\r\n")
        // As another process, the first being gone.
        let next = try output(host.port, bytes)
        let again = await begin(next, host)
        for sequence in 1...2 as ClosedRange<UInt64> {
            #expect(problem(await next.deliver(Fixtures.scan(sequence))).contains("may still answer what it was sent"))
        }
        await again.write([0x06])
        #expect(problem(await next.deliver(Fixtures.scan(2))).contains("may still answer what it was sent"))
        await next.stop()
        await end.write([0x06])
        #expect(await lost == .accepted)
        await killed.stop()
        #expect(state.names.isEmpty, "nothing is owed any more")
        let last = try output(host.port, bytes)
        let fresh = await begin(last, host)
        async let third = last.deliver(Fixtures.scan(3))
        #expect(await fresh.readText(7) == "hello\r\n")
        await fresh.write([0x06])
        #expect(await third == .accepted)
        await last.stop()
    }

    @Test("A host that doesn't ACK is disconnected: its late ACK can't be taken for the next scan's")
    func silentBytes() async throws {
        let host = try TCPHost()
        let output = try output(host.port) {
            $0.lines = .template
            $0.receipt = .ack
            $0.ackTimeout = .milliseconds(20)
        }
        let end = await begin(output, host)
        #expect(problem(await output.deliver(Fixtures.scan())).contains("no ACK within 20ms (ackTimeout)"))
        #expect(await end.readText(7) == "hello\r\n")
        #expect(await end.readToEnd().isEmpty)
        _ = await host.accept()
        await output.stop()
    }

    // MARK: Trouble

    @Test("A host that doesn't read stalls this output, which says so; stopping ends the delivery")
    func neverReads() async throws {
        let host = try TCPHost(receiveBuffer: 4096)
        let limits = TCPOutput.Limits(reopen: Self.quick, stallAfter: .milliseconds(20))
        let output = try output(host.port, limits: limits) { $0.lines = .template }
        let end = await begin(output, host)
        async let receipt = output.deliver(Fixtures.scan(1, text: String(repeating: "x", count: 1_000_000)))
        let status = await output.states.first { $0.state == .stalled }
        #expect(status?.detail?.contains("the program there doesn't read") == true)
        await output.stop()
        #expect(await receipt == .failed(reason: "host is stopped", retry: true))
        withExtendedLifetime(end) {}
    }

    @Test("Lines that aren't commands are answered; too many of them, or an endless line, close the connection")
    func garbage() async throws {
        let host = try TCPHost()
        let output = try output(host.port)
        await output.start()
        let talker = await host.accept()
        for _ in 1..<16 {
            #expect(
                await talker.ask("GET / HTTP/1.1")?["error"]?.stringValue?.contains("send one JSON object per line")
                    == true)
        }
        #expect(await talker.ask("GET / HTTP/1.1")?["error"]?.stringValue?.contains("(maxBadLines)") == true)
        #expect(await talker.readLine() == nil)
        let endless = await host.accept()
        await endless.write([UInt8](repeating: 0x7B, count: 70_000))
        #expect(await endless.readJSON()?["error"]?.stringValue?.contains("65536 bytes (maxLineBytes)") == true)
        #expect(await endless.readLine() == nil)
        await output.stop()
    }

    @Test("Commands are turned away unless they are allowed", arguments: [false, true])
    func commands(isAllowed: Bool) async throws {
        let host = try TCPHost()
        let context = OutputContext(commands: { command, _ in Reply(command: command.name) })
        let output = try output(host.port, context: context) { $0.commands = isAllowed }
        await output.start()
        let end = await host.accept()
        let reply = await end.ask(#"{"command":"trigger","tag":7}"#)
        #expect(reply?["ok"] == .bool(isAllowed))
        #expect(reply?["tag"] == 7)
        #expect(isAllowed || reply?["error"]?.stringValue?.contains("outputs[2].tcp.commands") == true)
        await output.stop()
    }

    @Test("Settings that can't work are refused when the output is made")
    func badSettings() {
        for (change, expected) in [
            ({ $0.host = "http://host" }, "outputs[2].tcp.host: \"http://host\" is neither a name nor an address"),
            ({ $0.host = "" }, "outputs[2].tcp.host"),
            ({ $0.host = "host:9100" }, "outputs[2].tcp.host: \"host:9100\": the port goes into outputs[2].tcp.port"),
            ({ $0.port = 0 }, "outputs[2].tcp.port: 0 is not"),
            ({ $0.format.template = "{nothing}" }, "outputs[2].tcp.template, character 1: "),
        ] as [((inout TCPSettings) -> Void, String)] {
            let error = #expect(throws: DeliveryError.self) { try output(9100, change) }
            #expect(error?.message.hasPrefix(expected) == true, "\(error?.message ?? "")")
        }
    }
}
