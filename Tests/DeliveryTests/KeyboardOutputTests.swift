import ControlSupport
import Glibc
import Linux
import Settings
import TestSupport
import Testing
import Wire

@testable import Delivery

/// The gadget is a pty, whose other end is the computer: reports come out there, and its lights go in.
@Suite("Keyboard output", .timeLimit(.minutes(10)))
struct KeyboardOutputTests {
    private let cable = SerialCable()

    private func settings(_ change: (inout KeyboardSettings) -> Void = { _ in }) -> KeyboardSettings {
        var settings = KeyboardSettings()
        settings.device = cable.device
        settings.keyInterval = .zero
        change(&settings)
        return settings
    }

    /// `isPatient`: for computers that do answer, on a machine that is slow.
    private static func limits(isPatient: Bool = true) -> KeyboardOutput.Limits {
        var limits = KeyboardOutput.Limits()
        limits.typing.fetch = isPatient ? .seconds(30) : .milliseconds(5)
        limits.typing.light = isPatient ? .seconds(30) : .milliseconds(5)
        limits.releaseTime = .milliseconds(5)
        limits.reopen = RetryMachine.Policy(initial: .milliseconds(2), maximum: .milliseconds(10))
        return limits
    }

    private func open(
        _ settings: KeyboardSettings, secrets: SecretPolicy = .withheld, limits: KeyboardOutput.Limits = Self.limits()
    ) async throws -> KeyboardOutput {
        let output = try KeyboardOutput(name: "keyboard", settings: settings, secrets: secrets, limits: limits)
        await output.start()
        return output
    }

    /// The report with which the device is proven.
    private func readProof() async { #expect(await cable.host.read(8) == KeyStroke.release) }

    @Test("Whatever a layout has arrives at the computer", arguments: KeyboardLayoutTests.kinds)
    func everyCharacter(layout: KeyboardSettings.Layout, host: KeyboardSettings.Host) async throws {
        let output = try await open(
            settings {
                $0.layout = layout
                $0.host = host
            })
        await readProof()
        let table = KeyboardLayout(layout, host: host)
        let text = String(table.characters.sorted())
        let strokes = table.characters.reduce(0) { $0 + (table.strokes(for: $1)?.count ?? 0) }
        async let receipt = output.deliver(Fixtures.scan(text: text))
        // One report before, one behind, and Enter.
        let reports = await cable.host.read((strokes * 2 + 2 + 2) * 8)
        #expect(await receipt == .accepted)
        var reader = KeyReader(layout, host: host)
        try reader.read(reports)
        #expect(reader.text == text + "\r")
        #expect(reader.isAtRest)
        #expect(Array(reports.suffix(8)) == KeyStroke.release)
        #expect(await output.report().delivered == 1)
        await output.stop()
    }

    @Test("With a pause between reports the text is the same")
    func paced() async throws {
        let output = try await open(settings { $0.keyInterval = .milliseconds(1) })
        await readProof()
        async let receipt = output.deliver(Fixtures.scan(text: "Ab"))
        var reader = KeyReader(.us, host: .windows)
        try reader.read(await cable.host.read(8 * 8))
        #expect(reader.text == "Ab\r")
        #expect(await receipt == .accepted)
        await output.stop()
    }

    @Test("A scan that can't be typed is refused before the first key")
    func refused() async throws {
        let output = try await open(settings())
        await readProof()
        let receipt = await output.deliver(Fixtures.scan(1, text: "abc\u{1D}d"))
        guard case .refused(let reason) = receipt else { return #expect(Bool(false), "\(receipt)") }
        #expect(reason.contains("a GS (character 4)"))
        #expect(await output.report().refused == 1)
        #expect(await output.deliver(Fixtures.scan(2, text: "z")) == .accepted)
        var reader = KeyReader(.us, host: .windows)
        try reader.read(await cable.host.read(6 * 8))
        #expect(reader.text == "z\r")
        await output.stop()
    }

    @Test("A code with a secret is refused, unless secrets are revealed")
    func secret() async throws {
        let event = Fixtures.interpreted("WIFI:T:WPA;S:net;P:verysecret;;")
        for (policy, isTyped) in [(SecretPolicy.withheld, false), (.asConfigured, true), (.revealed, true)] {
            let output = try await open(settings(), secrets: policy)
            let receipt = await output.deliver(event)
            #expect((receipt == .accepted) == isTyped)
            if case .refused(let reason) = receipt { #expect(!reason.contains("verysecret")) }
            await output.stop()
        }
    }

    @Test("Only scans are typed")
    func otherEvents() async throws {
        let output = try await open(settings())
        #expect(output.wants(Fixtures.scan()))
        #expect(!output.wants(Fixtures.state()))
        await output.stop()
    }

    @Test("Caps Lock at the computer is switched off for the text, and on again after it")
    func capsLock() async throws {
        await cable.host.write([0x02])
        let device = ByteEnd(Glibc.open(cable.device, O_RDONLY | O_NONBLOCK | O_NOCTTY))
        #expect(await device.isReadable())
        let output = try await open(settings { $0.format.template = "{text}" })
        await readProof()
        let host = cable.host
        async let receipt = output.deliver(Fixtures.scan(text: "aB"))
        var isOn = true
        var reports: [UInt8] = []
        // The release at the start, two taps of three reports around the text's two keys, and the release behind it.
        for _ in 0..<(1 + 3 + 4 + 1 + 3) {
            let report = await host.read(8)
            reports += report
            guard report == KeyStroke.capsLock.report else { continue }
            isOn.toggle()
            await host.write([isOn ? 0x02 : 0x00])
        }
        #expect(await receipt == .accepted)
        #expect(isOn)
        await output.stop()
        var reader = KeyReader(.us, host: .windows)
        let keys = stride(from: 0, to: reports.count, by: 8).map { Array(reports[$0..<($0 + 8)]) }
        for report in keys where report != KeyStroke.capsLock.report { try reader.read(report) }
        #expect(reader.text == "aB")
    }

    // MARK: Trouble

    @Test("A gadget that is missing is a state, and found when it comes")
    func missing() async throws {
        cable.unplug()
        let output = try await open(settings())
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("there is no USB keyboard gadget at \(cable.device)") == true)
        #expect(status?.detail?.contains("hid-gadget setup") == true)
        guard case .failed(_, retry: true) = await output.deliver(Fixtures.scan()) else {
            return #expect(Bool(false), "a missing keyboard types nothing")
        }
        cable.plugIn()
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }

    @Test("A computer that fetches nothing is a state; nothing was typed, and all is well when it wakes")
    func asleep() async throws {
        // The pty is full, as the kernel's one report is.
        let filler = Descriptor(Glibc.open(cable.device, O_RDWR | O_NONBLOCK | O_NOCTTY))
        var filled = 0
        var room = pollfd(fd: filler.number, events: Int16(POLLOUT), revents: 0)
        // It finds room for more for a while, as the kernel moves what it has to the other end in the background: on a busy machine after a
        // pause, too.
        var quiet = 0
        while quiet < 5 {
            quiet = poll(&room, 1, 200) > 0 ? 0 : quiet + 1
            while case .written(let count) = filler.write(KeyStroke.release, from: 0) { filled += count }
        }
        let output = try await open(settings(), limits: Self.limits(isPatient: false))
        let status = await output.states.first { $0.state == .waiting }
        #expect(status?.detail?.contains("fetches no keys") == true)
        guard case .failed(let reason, retry: true) = await output.deliver(Fixtures.scan()) else {
            return #expect(Bool(false), "nobody fetched it")
        }
        #expect(reason.contains("it sleeps"))
        _ = await cable.host.read(filled)
        _ = await output.states.first { $0.state == .ready }
        await output.stop()
    }

    @Test("A text that breaks off is not typed again, and says how much may have arrived")
    func broken() async throws {
        let output = try await open(settings { $0.keyInterval = .seconds(3600) })
        await readProof()
        async let receipt = output.deliver(Fixtures.scan(text: "hello"))
        _ = await cable.host.read(8)
        await output.stop()
        // Before the first key, it is as if it had not begun.
        let first = await receipt
        guard case .failed(let before, retry: true) = first else { return #expect(Bool(false), "\(first)") }
        #expect(before.contains("typed 0 of 6 characters"))

        let again = try await open(settings { $0.keyInterval = .milliseconds(20) })
        _ = await cable.host.read(8)
        async let second = again.deliver(Fixtures.scan(text: String(repeating: "h", count: 1000)))
        // The release at the start, and a first key.
        while await cable.host.read(8)[2] == 0 {}
        await again.stop()
        let last = await second
        guard case .failed(let reason, retry: false) = last else { return #expect(Bool(false), "\(last)") }
        #expect(reason.hasPrefix("typed "))
        #expect(reason.hasSuffix("of 1001 characters, then: the station stopped"))
        // The last thing that the computer hears is that no key is down.
        cable.closeDevice()
        let rest = await cable.host.readToEnd()
        #expect(rest.suffix(8) == KeyStroke.release[...])
    }

    @Test("Unplugging is noticed, and the device is opened again when it is back")
    func unplugged() async throws {
        let output = try await open(settings())
        _ = await output.states.first { $0.state == .ready }
        cable.unplug()
        _ = await output.states.first { $0.state == .waiting }
        cable.plugIn()
        _ = await output.states.first { $0.state == .ready }
        #expect(await output.deliver(Fixtures.scan(text: "a")) == .accepted)
        await output.stop()
        #expect(await output.report().status.state == .stopped)
    }

    @Test("Two stations don't type into one keyboard")
    func inUse() throws {
        let first = try KeyboardDevice.open(cable.device)
        let error = #expect(throws: DeliveryError.self) { try KeyboardDevice.open(cable.device) }
        #expect(error?.code == .inUse)
        withExtendedLifetime(first) {}
    }

    @Test("A file that isn't a device is refused", arguments: ["/etc/hostname", "/tmp"])
    func noDevice(path: String) {
        let error = #expect(throws: DeliveryError.self) { try KeyboardDevice.open(path) }
        #expect(error?.message.contains("is not a HID gadget's device") == true)
    }

    @Test(
        "Each trouble has words of its own",
        arguments: [
            (ENOENT, "hid-gadget setup"), (ESHUTDOWN, "no computer is attached"), (EACCES, "no permission"),
            (EIO, "Input/output error"),
        ])
    func words(code: Int32, says: String) {
        #expect(KeyboardDevice.failed("/dev/hidg0", SystemError(code)).message.contains(says))
    }

    @Test(
        "Settings that can't work are refused when the station starts",
        arguments: [
            ("{txt}", [], "unknown field {txt}, did you mean {text}?"),
            ("{text}é<CR>", [], "the keyboard layout us can't type \"é\" (U+00E9), character 1"),
            ("<STX>{text}", [], "no key for the template's <STX>"),
            ("{text}", ["VT"], "there is no key for VT"),
        ])
    func badSettings(template: String, allowed: [String], says: String) {
        var settings = settings { $0.format.template = template }
        settings.allowControls = allowed
        let output = OutputSettings(name: "till", kind: .keyboard(settings))
        let error = #expect(throws: DeliveryError.self) { try OutputFactory.make(output) }
        #expect(error?.code == .badSetting)
        #expect(error?.message.hasPrefix("outputs.keyboard.") == true)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test("A keyboard is live by default")
    func live() {
        #expect(OutputSettings(name: "k", kind: .keyboard(KeyboardSettings())).deliveryMode == .live)
    }
}
