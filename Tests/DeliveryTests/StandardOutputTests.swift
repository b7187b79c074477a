import ControlSupport
import Glibc
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

@Suite("Standard output", .timeLimit(.minutes(10)))
struct StandardOutputTests {
    private let pipe = Pipe()

    private func open(
        _ descriptor: Int32? = nil, format: StandardOutputSettings.Format = .json, scansOnly: Bool = false
    ) async -> StandardOutput {
        var settings = StandardOutputSettings()
        settings.format = format
        settings.scansOnly = scansOnly
        let output = StandardOutput(
            name: "stdout", settings: settings, secrets: .asConfigured, descriptor: descriptor ?? pipe.writeEnd.number,
            stallTime: .milliseconds(5))
        await output.start()
        return output
    }

    @Test("As JSON, every event is its line")
    func json() async {
        let output = await open()
        for event in [Fixtures.scan(1), Fixtures.state()] {
            #expect(await output.deliver(event) == .accepted)
            let line = await pipe.reader.readLine()
            #expect(line.map { Array(($0 + "\n").utf8) } == event.line(secrets: .asConfigured))
        }
        await output.stop()
    }

    @Test(
        "As text, a scan is its text, with control characters by name",
        arguments: [
            ("plain", "plain"),
            ("a\u{1D}b\u{1B}[2J", "a<GS>b<ESC>[2J"),
            ("two\nlines", "two<LF>lines"),
            ("\u{202E}gpj", "<U+202E>gpj"),
            (String(repeating: "long ", count: 500), String(repeating: "long ", count: 500)),
        ])
    func text(text: String, expected: String) async {
        let output = await open(format: .text)
        #expect(await output.deliver(Fixtures.scan(1, text: text)) == .accepted)
        #expect(await pipe.reader.readLine() == expected)
        await output.stop()
    }

    @Test("As text, bytes that aren't text are shown by value, and other events are comments")
    func otherText() async {
        let output = await open(format: .text)
        _ = await output.deliver(Fixtures.scan(1, text: nil, bytes: [0x41, 0x00, 0xFF]))
        _ = await output.deliver(Fixtures.state("running", part: "camera"))
        #expect(await pipe.reader.readLine() == "A<0x00><0xFF>")
        let line = await pipe.reader.readLine()
        #expect(line?.hasPrefix("# ") == true)
        #expect(line?.contains("camera: running") == true)
        await output.stop()
    }

    @Test("With scansOnly nothing else is wanted")
    func scansOnly() async {
        let output = await open(scansOnly: true)
        #expect(output.wants(Fixtures.scan()))
        #expect(!output.wants(Fixtures.state()))
        await output.stop()
    }

    @Test("A pipe that nobody reads makes the output stalled, and the queue drops its oldest events, but no scans")
    func unread() async {
        let output = StandardOutput(
            name: "stdout", settings: StandardOutputSettings(), secrets: .asConfigured,
            descriptor: pipe.writeEnd.number,
            stallTime: .milliseconds(5))
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy(queueLimit: 10))], journal: journal)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        // Larger than the pipe's buffer: it stays in hand.
        dispatcher.scan(journal) { $0 = Fixtures.scan(text: String(repeating: "x", count: 300_000)) }
        let stalled = await dispatcher.stateChanges.first { $0.state == "stalled" }
        #expect(stalled?.detail == "nobody reads standard output at the moment")
        for number in 1...25 { dispatcher.submit(Fixtures.state("\(number)")) }
        dispatcher.scan(journal)
        #expect(await dispatcher.reports()[0].dropped == 15)

        // The reader comes back: whole lines, every scan, and what else didn't have to give way.
        #expect(await pipe.reader.readJSON()?["seq"] == 1)
        for number in 16...25 { #expect(await pipe.reader.readJSON()?["state"] == .string("\(number)")) }
        #expect(await pipe.reader.readJSON()?["seq"] == 2)
        await dispatcher.stop()
    }

    @Test("The descriptor that others share stays as it was: blocking")
    func sharedDescriptor() async {
        let output = await open()
        _ = await output.deliver(Fixtures.scan())
        #expect(fcntl(pipe.writeEnd.number, F_GETFL) & O_NONBLOCK == 0)
        await output.stop()
    }

    @Test("A reader that closes is noticed without a write; the output has failed for good")
    func closedReader() async {
        let output = await open()
        pipe.reader.close()
        let status = await output.states.first { $0.state == .failed }
        #expect(status?.detail?.contains("has exited") == true)
        guard case .failed(_, retry: false) = await output.deliver(Fixtures.scan()) else {
            Issue.record("nobody can have read it")
            return
        }
        await output.stop()
    }

    @Test("A reader that closes while a write waits ends the write")
    func closedWhileWaiting() async {
        let output = await open()
        let big = Fixtures.scan(1, text: String(repeating: "x", count: 300_000))
        async let receipt = output.deliver(big)
        _ = await output.states.first { $0.state == .stalled }
        pipe.reader.close()
        guard case .failed(_, retry: false) = await receipt else {
            Issue.record("nobody can have read it")
            return
        }
        await output.stop()
    }

    @Test("A descriptor that isn't open is a failed output, not a crash")
    func notOpen() async {
        // Above every limit: with hundreds of tests at once, any other may be one of theirs.
        let output = await open(.max)
        #expect(await output.report().status.state == .failed)
        await output.stop()
    }

    @Test("A file takes events too, after what is in it")
    func file() async throws {
        let folder = TemporaryFolder()
        let descriptor = Glibc.open(folder.file("log"), O_WRONLY | O_CREAT, 0o600)
        let end = ByteEnd(descriptor)
        await end.write("before\n")
        let output = await open(descriptor, format: .text)
        for text in ["one", "two"] { #expect(await output.deliver(Fixtures.scan(1, text: text)) == .accepted) }
        await output.stop()
        let reader = ByteEnd(Glibc.open(folder.file("log"), O_RDONLY))
        #expect(String(decoding: await reader.readToEnd(), as: UTF8.self) == "before\none\ntwo\n")
    }

    @Test("A socket and a terminal take events too")
    func socketAndTerminal() async {
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        var host: Int32 = -1
        var terminal: Int32 = -1
        openpty(&host, &terminal, nil, nil, nil)
        for ends in [pair, [host, terminal]] {
            let reader = ByteEnd(ends[0])
            let writer = ByteEnd(ends[1])
            let output = await open(writer.number, format: .text)
            #expect(await output.deliver(Fixtures.scan()) == .accepted)
            #expect(await reader.readLine()?.hasPrefix("hello") == true)
            await output.stop()
        }
    }

    @Test("Secrets are withheld if it is set so", arguments: [StandardOutputSettings.Format.json, .text])
    func secrets(format: StandardOutputSettings.Format) async {
        var settings = StandardOutputSettings()
        settings.format = format
        let output = StandardOutput(
            name: "stdout", settings: settings, secrets: .withheld, descriptor: pipe.writeEnd.number)
        await output.start()
        _ = await output.deliver(Fixtures.secretScan())
        let line = await pipe.reader.readLine()
        #expect(line?.contains("swordfish1") == false)
        #expect(line?.contains("(redacted)") == true)
        await output.stop()
    }
}
