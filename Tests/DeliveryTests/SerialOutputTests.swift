import ControlSupport
import Glibc
import Linux
import ScanCore
import Settings
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

@Suite("Serial output", .timeLimit(.minutes(10)))
struct SerialOutputTests {
    private let cable = SerialCable()
    private let state = TemporaryFolder()

    private func settings(_ change: (inout SerialSettings) -> Void = { _ in }) -> SerialSettings {
        var settings = SerialSettings(device: cable.device)
        change(&settings)
        return settings
    }

    private func open(
        _ settings: SerialSettings, limits: SerialOutput.Limits = Self.quick,
        diagnosis: SerialDiagnosis = SerialDiagnosis()
    ) async throws -> SerialOutput {
        let output = try SerialOutput(
            name: "serial", settings: settings, secrets: .asConfigured, context: context(), limits: limits,
            diagnosis: diagnosis)
        await output.start()
        return output
    }

    /// The state folder remembers what was sent before; here nothing was.
    private func context(_ answers: AsyncStream<HostAnswer>.Continuation? = nil) -> OutputContext {
        OutputContext(answer: { answers?.yield($0) }, stateFolder: state.path)
    }

    private static let quick: SerialOutput.Limits = {
        var limits = SerialOutput.Limits()
        limits.reopen = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(10))
        limits.drainTimeout = .milliseconds(20)
        return limits
    }()

    @Test("A scan is written as the template says")
    func writes() async throws {
        let output = try await open(settings { $0.format.template = "<STX>{aim}{text}<ETX>" })
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        #expect(await cable.host.read(10) == [0x02] + Array("]Q1hello".utf8) + [0x03])
        let report = await output.report()
        #expect(report.delivered == 1)
        #expect(report.bytes == 10)
        await output.stop()
    }

    @Test("Every byte arrives as it is, in raw mode")
    func everyByte() async throws {
        let output = try await open(settings { $0.format.template = "{bytes|raw}" })
        let bytes = (0...255 as ClosedRange<UInt8>).map { $0 }
        #expect(await output.deliver(Fixtures.scan(text: nil, bytes: bytes)) == .accepted)
        #expect(await cable.host.read(256) == bytes)
        await output.stop()
    }

    @Test("A record larger than the line's buffer is written in parts")
    func partialWrites() async throws {
        let output = try await open(settings { $0.format.template = "{bytes|raw}" })
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        async let receipt = output.deliver(Fixtures.scan(text: nil, bytes: bytes))
        #expect(await cable.host.read(bytes.count) == bytes)
        #expect(await receipt == .accepted)
        await output.stop()
    }

    @Test("The speed is set", arguments: BaudRate.supported)
    func speeds(baud: Int) throws {
        let port = try SerialPort.open(settings { $0.baud = baud }, diagnosis: SerialDiagnosis())
        var granted = termios()
        tcgetattr(port.descriptor.number, &granted)
        #expect(cfgetospeed(&granted) == BaudRate.table[baud])
    }

    @Test("Flow control and stop bits are set, the rest is raw")
    func lineSettings() throws {
        let settings = settings {
            $0.flowControl = .xonxoff
            $0.stopBits = 2
        }
        let port = try SerialPort.open(settings, diagnosis: SerialDiagnosis())
        var granted = termios()
        tcgetattr(port.descriptor.number, &granted)
        #expect(granted.c_iflag & tcflag_t(IXON | IXOFF) == tcflag_t(IXON | IXOFF))
        #expect(granted.c_cflag & tcflag_t(CSTOPB | CLOCAL | CREAD) == tcflag_t(CSTOPB | CLOCAL | CREAD))
        #expect(granted.c_oflag & tcflag_t(OPOST) == 0)
        #expect(granted.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
    }

    @Test("Settings that the device doesn't apply are reported")
    func ignoredSettings() async throws {
        // A pty knows no parity.
        let output = try await open(settings { $0.parity = .even })
        let status = await output.states.first { $0.state == .ready }
        #expect(status?.detail?.contains("ignores: parity even") == true)
        await output.stop()
    }

    // MARK: Acknowledgement

    private func acknowledged() -> SerialSettings {
        settings {
            $0.acknowledgement = .ackNak
            $0.ackTimeout = .seconds(30)
        }
    }

    @Test("With acknowledgement the receipt is the host's ACK")
    func ack() async throws {
        let output = try await open(acknowledged())
        async let receipt = output.deliver(Fixtures.scan())
        #expect(await cable.host.readText(7) == "hello\r\n")
        await cable.host.write([0x06])
        #expect(await receipt == .accepted)
        await output.stop()
    }

    @Test("A NAK brings the record again; three of them refuse it")
    func nak() async throws {
        let output = try await open(acknowledged())
        async let receipt = output.deliver(Fixtures.scan())
        for _ in 0..<3 {
            #expect(await cable.host.readText(7) == "hello\r\n")
            await cable.host.write([0x15])
        }
        #expect(await receipt == .refused(reason: "the host answered NAK, 3 times"))
        #expect(await output.report().refused == 1)
        await output.stop()
    }

    @Test("ACK and NAK are the host's answer to the scan, too", arguments: [true, false])
    func answers(isAccepted: Bool) async throws {
        let (answers, sink) = AsyncStream<HostAnswer>.makeStream()
        let context = context(sink)
        var settings = OutputSettings(name: "till", kind: .serial(acknowledged()))
        settings.secrets = .withheld
        let output = try OutputFactory.make(settings, context: context)
        await output.start()
        async let receipt = output.deliver(Fixtures.scan(7))
        for _ in 0..<(isAccepted ? 1 : 3) {
            #expect(await cable.host.readText(7) == "hello\r\n")
            await cable.host.write([isAccepted ? 0x06 : 0x15])
        }
        let reason = isAccepted ? nil : "the host answered NAK, 3 times"
        let answer = await answers.first { _ in true }
        #expect(answer == HostAnswer(output: "till", scan: "scan-7", isAccepted: isAccepted, reason: reason))
        #expect(await receipt == reason.map { .refused(reason: $0) } ?? .accepted)
        await output.stop()
    }

    @Test("A withheld secret doesn't go over the line")
    func secret() async throws {
        var settings = OutputSettings(name: "serial", kind: .serial(settings()))
        settings.secrets = .withheld
        let output = try OutputFactory.make(settings)
        await output.start()
        #expect(await output.deliver(Fixtures.interpreted("WIFI:T:WPA;S:net;P:verysecret;;")) == .accepted)
        #expect(await cable.host.readLine() == "(redacted)\r")
        await output.stop()
    }

    @Test("A silent host makes the delivery fail, worth a retry, after all transmissions")
    func silence() async throws {
        let output = try await open(
            settings {
                $0.acknowledgement = .ackNak
                $0.ackTimeout = .milliseconds(5)
                $0.retries = 1
            })
        let receipt = await output.deliver(Fixtures.scan())
        guard case .failed(let reason, retry: true) = receipt else { return #expect(Bool(false), "\(receipt)") }
        #expect(reason.contains("answered none of 2 transmissions"))
        #expect(await cable.host.readText(14) == "hello\r\nhello\r\n")
        #expect(await output.report().status.state == .stalled)
        await output.stop()
    }

    @Test("The host's second answer to a scan that was sent twice is not taken for the next scan's")
    func slip() async throws {
        let (answers, sink) = AsyncStream<HostAnswer>.makeStream()
        let settings = settings {
            $0.acknowledgement = .ackNak
            $0.ackTimeout = .milliseconds(5)
            $0.retries = 1
            // For a machine that stands still while the host answers: answers that are read together pay for one.
            $0.answerLimit = .seconds(20)
        }
        let output = try SerialOutput(
            name: "door", settings: settings, secrets: .asConfigured, context: context(sink), limits: Self.quick)
        await output.start()
        // The host is slow: the scan is given up, and comes again, until it answers for the first time.
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan(1, text: "one")) else {
            Issue.record("nobody answered")
            return
        }
        #expect(await cable.host.readText(10) == "one\r\none\r\n")
        await cable.host.write([0x06])
        while await output.deliver(Fixtures.scan(1, text: "one")) != .accepted {}
        #expect(await answers.first { _ in true } == HostAnswer(output: "door", scan: "scan-1", isAccepted: true))
        // It has yet to answer the repeat, and until then nothing else is sent.
        async let second = output.deliver(Fixtures.scan(2, text: "two"))
        let status = await output.states.first { $0.detail?.contains("owes answers to an earlier scan") == true }
        #expect(status?.state == .stalled)
        // It answers each transmission by itself, late: what it answers together may be one answer said twice.
        func answer() async {
            _ = await callback { done in
                output.loop.execute {
                    _ = output.loop.setTimer(at: Instant.now.advanced(by: OfferLedger.turnaround)) { done(true) }
                }
            }
            await cable.host.write([0x06])
        }
        await answer()
        var line = await cable.host.readLine()
        while line == "one\r" {
            await answer()
            line = await cable.host.readLine()
        }
        #expect(line == "two\r")
        // To the second scan it says nothing.
        guard case .failed(_, retry: true) = await second else {
            Issue.record("an answer to the first scan was taken for the second one's")
            return
        }
        await output.stop()
    }

    @Test("A station that was killed between a scan and its answer doesn't take that answer for another scan's")
    func restarted() async throws {
        let settings = settings {
            $0.acknowledgement = .ackNak
            $0.ackTimeout = .milliseconds(5)
            $0.retries = 0
            $0.answerLimit = .seconds(600)
        }
        let first = try SerialOutput(
            name: "door", settings: settings, secrets: .asConfigured, context: context(), limits: Self.quick)
        await first.start()
        guard case .failed(_, retry: true) = await first.deliver(Fixtures.scan(1, text: "one")) else {
            Issue.record("nobody answered")
            return
        }
        #expect(await cable.host.readText(5) == "one\r\n")
        // As if it had been killed: it can't tell anybody, and the device is free again.
        await first.stop()
        let second = try SerialOutput(
            name: "door", settings: settings, secrets: .asConfigured, context: context(), limits: Self.quick)
        await second.start()
        async let receipt = second.deliver(Fixtures.scan(2, text: "two"))
        let status = await second.states.first { $0.state == .stalled }
        #expect(status?.detail?.contains("what was sent before the station started") == true)
        // Late, for "one".
        await cable.host.write([0x06])
        await second.stop()
        #expect(await receipt == .failed(reason: "door is stopped", retry: true))
    }

    // MARK: Trouble

    @Test("A device that is missing is a state, and found when it comes")
    func missing() async throws {
        cable.unplug()
        let output = try await open(settings())
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("no such serial device: \(cable.device)") == true)
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan()) else {
            return #expect(Bool(false), "a missing device takes nothing")
        }
        cable.plugIn()
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        #expect(await cable.host.readText(7) == "hello\r\n")
        await output.stop()
    }

    @Test("Unplugging is noticed without a scan, and the device is opened again when it is back")
    func unplugged() async throws {
        let output = try await open(settings())
        _ = await output.states.first { $0.state == .ready }
        cable.unplug()
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("was unplugged") == true)
        cable.plugIn()
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(Fixtures.scan(2, text: "again")) == .accepted)
        #expect(await cable.host.readText(7) == "again\r\n")
        await output.stop()
    }

    @Test("A scan that waits for its ACK when the device is unplugged fails, worth a retry")
    func unpluggedWhileWaiting() async throws {
        let output = try await open(acknowledged())
        async let receipt = output.deliver(Fixtures.scan())
        #expect(await cable.host.readText(7) == "hello\r\n")
        cable.unplug()
        guard case .failed(_, retry: true) = await receipt else { return #expect(Bool(false), "it can't be accepted") }
        await output.stop()
    }

    @Test("Through the dispatcher nothing is lost or reordered over an unplug")
    func survivesUnplug() async throws {
        var settings = acknowledged()
        // "one" is sent twice, and the host could still answer the first time.
        settings.answerLimit = .milliseconds(20)
        let output = try SerialOutput(
            name: "serial", settings: settings, secrets: .asConfigured, context: context(), limits: Self.quick)
        let journal = TestJournal()
        let dispatcher = Dispatcher(outputs: [(output, DeliveryPolicy())], journal: journal)
        await dispatcher.start()
        await dispatcher.untilRegistered()
        dispatcher.scan(journal) { $0 = Fixtures.scan(text: "one") }
        #expect(await cable.host.readText(5) == "one\r\n")
        cable.unplug()
        dispatcher.scan(journal) { $0 = Fixtures.scan(text: "two") }
        dispatcher.scan(journal) { $0 = Fixtures.scan(text: "three") }
        cable.plugIn()
        for text in ["one", "two", "three"] {
            #expect(await cable.host.readLine() == text + "\r")
            await cable.host.write([0x06])
        }
        #expect(await dispatcher.receipts.next(3).map(\.isAccepted) == [true, true, true])
        await dispatcher.stop()
    }

    @Test("Flow control that blocks the line ends the attempt, says so, and is over with the next success")
    func blocked() async throws {
        var limits = Self.quick
        limits.writeTimeout = .milliseconds(20)
        let blockable = settings {
            $0.format.template = "{bytes|raw}"
            $0.flowControl = .xonxoff
        }
        let output = try await open(blockable, limits: limits)
        let bytes = [UInt8](repeating: 0x41, count: 200_000)
        let receipt = await output.deliver(Fixtures.scan(text: nil, bytes: bytes))
        guard case .failed(let reason, retry: true) = receipt else { return #expect(Bool(false), "\(receipt)") }
        #expect(reason.contains("flow control (xonxoff) holds it back"))
        #expect(await output.report().status.state == .stalled)
        // The host reads again; what it gets first may be the rest of the record before.
        let host = cable.host
        async let line = host.readLine()
        while await output.deliver(Fixtures.scan(2, text: nil, bytes: Array("again\n".utf8))) != .accepted {}
        #expect(await line?.hasSuffix("again") == true)
        #expect(await output.report().status.state == .ready)
        await output.stop()
    }

    @Test("Stopping ends a delivery under way")
    func stopping() async throws {
        let output = try await open(acknowledged())
        async let receipt = output.deliver(Fixtures.scan())
        _ = await cable.host.readText(7)
        await output.stop()
        #expect(await receipt == .failed(reason: "serial is stopped", retry: true))
        #expect(await output.report().status.state == .stopped)
    }

    @Test("A device that another program holds is said to be in use")
    func inUse() async throws {
        let first = try SerialPort.open(settings(), diagnosis: SerialDiagnosis())
        let error = #expect(throws: DeliveryError.self) {
            try SerialPort.open(settings(), diagnosis: SerialDiagnosis())
        }
        #expect(error?.code == .inUse)
        withExtendedLifetime(first) {}
    }

    @Test("The system's console is refused with the way out")
    func console() throws {
        let folder = TemporaryFolder()
        let consoles = folder.file("active")
        let target = try #require(Files.resolved(cable.device)?.split(separator: "/").last.map(String.init))
        try folder.write("active", "tty0 \(target)\n")
        let error = #expect(throws: DeliveryError.self) {
            try SerialPort.open(settings(), diagnosis: SerialDiagnosis(activeConsoles: consoles))
        }
        #expect(error?.code == .isConsole)
        #expect(error?.message.contains("console=\(target)") == true)
    }

    @Test("A file that isn't a serial device is refused", arguments: ["/dev/null", "/etc/hostname", "/tmp"])
    func noTerminal(device: String) {
        let error = #expect(throws: DeliveryError.self) {
            try SerialPort.open(SerialSettings(device: device), diagnosis: SerialDiagnosis())
        }
        #expect(error?.code == .notASerialDevice)
    }

    @Test("Without permission the group to join is named")
    func permission() {
        let error = SerialDiagnosis().openFailed("/dev/null", SystemError(EACCES))
        #expect(error.code == .noPermission)
        #expect(error.message.contains("usermod -aG root"))
    }

    @Test("A missing device is reported with those that are there")
    func others() throws {
        let folder = TemporaryFolder()
        for name in ["ttyUSB0", "ttyACM3", "tty7", "null"] { try folder.write(name, "") }
        let error = SerialDiagnosis(devices: folder.path).openFailed("/dev/ttyUSB9", SystemError(ENOENT))
        #expect(error.message.contains("this machine has: \(folder.path)/ttyACM3, \(folder.path)/ttyUSB0)"))
    }

    @Test("A speed that doesn't exist is refused with those that do")
    func badBaud() {
        let error = #expect(throws: DeliveryError.self) {
            try SerialOutput(name: "till", settings: settings { $0.baud = 12_345 }, secrets: .asConfigured)
        }
        #expect(
            error?.message.hasPrefix("outputs.serial.baud: 12345 baud is not a serial speed; the speeds are 1200, 2400")
                == true)
    }
}
