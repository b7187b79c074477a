import Peripherals
import Settings
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Station

@Suite("The first password, in the station", .timeLimit(.minutes(10)))
struct FirstPasswordTests {
    private let folder = TemporaryFolder()
    private let mine = FirstPasswordCode(digits: String(repeating: "a", count: 32))!

    /// Nothing is read in mode `host` until somebody asks for it.
    private func start(
        pictures: [String] = ["01-ean13.png"], _ change: @escaping (inout StationSettings) -> Void = { _ in }
    ) async throws -> StationHarness {
        try await StationHarness.start(pictures: pictures) { settings in
            settings.trigger.mode = .host
            change(&settings)
        } options: {
            $0.firstPasswordLimits.hold = .zero
            $0.firstPasswordLimits.ask = StationHarness.patience
            $0.firstPasswordLimits.press = StationHarness.patience
        }
    }

    private func ask(_ harness: StationHarness, _ step: FirstPasswordRequest.Step) async -> Reply {
        await harness.station.perform(.firstPassword(FirstPasswordRequest(step: step, code: mine, from: "192.0.2.7")))
    }

    /// What everybody else sees of a frame.
    private func shown(of result: ReadResult, _ station: Station) async -> ReadResult {
        await station.run { $0.desk.firstPassword.withoutCodes(result, in: $0) }
    }

    private func frame(_ texts: String...) -> ReadResult {
        let now = Instant.now
        let symbols = texts.map {
            Symbol(
                symbology: .qrCode, aim: "]Q1", bytes: Array($0.utf8), text: $0,
                corners: Quad(Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1)))
        }
        return ReadResult(
            frame: FrameInfo(sequence: 1, exposedAt: now, deliveredAt: now), outcome: .decoded, symbols: symbols)
    }

    @Test("Held, shown, pressed again: the browser may, once; the presses are no triggers, and the code is no scan")
    func way() async throws {
        // Nothing in view ends the session of the first press before the hold does.
        let harness = try await start(pictures: ["05-empty.png"]) { $0.trigger.mode = .pulse }
        let station = harness.station
        #expect(await ask(harness, .ask).fields["stage"] == "waiting")
        #expect(await ask(harness, .use).error != nil)
        harness.panel.press(.trigger)
        _ = try await harness.nextState(of: "firstPassword", "held")
        // Its session is over, and not because its time was up.
        #expect(try await harness.nextNoRead().reason == .released)
        harness.panel.release(.trigger)
        let rest = await shown(of: frame(mine.text, "BOX-1"), station)
        #expect(rest.symbols.map(\.text) == ["BOX-1"])
        #expect(await ask(harness, .look).fields["stage"] == "read")
        let sessions = await station.counters.sessions
        harness.panel.press(.trigger)
        harness.panel.release(.trigger)
        _ = try await harness.nextState(of: "firstPassword", "open")
        #expect(await ask(harness, .use).fields["why"] == "used")
        #expect(await ask(harness, .use).error != nil)
        #expect(await station.counters.sessions == sessions, "the second press began a session")
        await station.stop()
    }

    @Test("Frames are read for it where nothing else reads, and what they show is no scan")
    func reads() async throws {
        let harness = try await start()
        #expect(await harness.station.machine.isReading == false)
        _ = await ask(harness, .ask)
        harness.panel.press(.trigger)
        _ = try await harness.nextState(of: "firstPassword", "held")
        #expect(await harness.station.machine.isReading)
        _ = await ask(harness, .withdraw)
        #expect(await harness.station.machine.isReading == false)
        #expect(await harness.station.counters.scans == 0)
        await harness.station.stop()
    }

    @Test("Such a code is never a scan, whether anybody has asked or not")
    func neverAScan() async throws {
        let harness = try await start()
        let rest = await shown(of: frame(mine.text), harness.station)
        #expect(rest.symbols.isEmpty)
        for text in [mine.text.lowercased(), mine.text + "0", String(mine.text.dropLast()), "X" + mine.text] {
            #expect(await shown(of: frame(text), harness.station).symbols.count == 1, "\(text)")
        }
        await harness.station.stop()
    }

    @Test(
        "It isn't open with a relay, an allow-list or an answering host, and says what to do"
    )
    func bars() {
        var settings = StationSettings()
        #expect(FirstPasswordRule.bar(settings, isSimulated: false)?.contains("trigger.button") == true)
        settings.trigger.button = ButtonSettings(line: LineSettings(line: "GPIO27"))
        #expect(FirstPasswordRule.bar(settings, isSimulated: false) == nil)
        let changes: [(String, (inout StationSettings) -> Void)] = [
            ("relay.line", { $0.relay = RelaySettings(line: LineSettings(line: "GPIO26")) }),
            ("host.allowList", { $0.host.allowList = "/etc/allowed" }),
            ("host.expectsAnswer", { $0.host.expectsAnswer = true }),
            ("reading.symbologies", { $0.reading.symbologies[.qrCode] = nil }),
            ("capture.source", { $0.capture.source = .replay(ReplaySettings()) }),
        ]
        for (name, change) in changes {
            var barred = settings
            change(&barred)
            let bar = FirstPasswordRule.bar(barred, isSimulated: false)
            #expect(bar?.contains(name) == true && bar?.contains("scanstation console password") == true, "\(name)")
        }
        settings.relay = RelaySettings(line: LineSettings(line: "GPIO26"))
        #expect(FirstPasswordRule.bar(settings, isSimulated: true) == nil, "a panel's relay opens nothing")
    }

    @Test("A station that waits for a host's answers refuses to begin")
    func refuses() async throws {
        let harness = try await start { $0.host.expectsAnswer = true }
        #expect(await ask(harness, .ask).error?.contains("host.expectsAnswer") == true)
        #expect(await ask(harness, .look).fields["why"] == "unknown")
        await harness.station.stop()
    }
}
