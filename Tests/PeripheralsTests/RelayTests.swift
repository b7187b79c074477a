import Settings
import Testing

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct RelayTests {
    let clock = ManualClock()

    func panelAndRelay() -> (SimulatedPanel, Relay) {
        let panel = SimulatedPanel(clock: clock)
        return (panel, Relay(settings: RelaySettings(line: .relay), lines: panel, clock: clock))
    }

    @Test func withoutSettingsAPulseSaysWhatToConfigure() async {
        let relay = Relay(settings: nil, lines: SimulatedPanel(clock: clock), clock: clock)
        await relay.start()
        await #expect(throws: RelayError.notConfigured) { try await relay.pulse() }
        #expect(await relay.status().line == nil)
    }

    @Test func isOffAtTheStart() async {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        #expect(panel.story(of: "GPIO26") == ["taken"])
        #expect(await relay.status().line?.isActive == false)
    }

    @Test func aPulseEndsByItself() async throws {
        let (panel, relay) = panelAndRelay()
        let changes = panel.changes()
        await relay.start()
        #expect(try await relay.pulse() == .milliseconds(500))
        #expect(panel.isActive(line: "GPIO26"))
        clock.advance(by: .milliseconds(500))
        for await change in changes where change.what == .level(false) { break }
        #expect(!panel.isActive(line: "GPIO26"))
    }

    @Test func aPulseThatRunsIsExtended() async throws {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        try await relay.pulse()
        clock.advance(by: .milliseconds(400))
        #expect(try await relay.pulse(.milliseconds(9800)) == .milliseconds(9600), "ten seconds after it closed")
        clock.advance(by: .milliseconds(9599))
        await relay.tick()
        #expect(panel.isActive(line: "GPIO26"))
        clock.advance(by: .milliseconds(1))
        await relay.tick()
        #expect(!panel.isActive(line: "GPIO26"))
    }

    @Test func aPulseThatNobodyWantsAnyMoreDoesNotCloseTheContact() async {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        await #expect(throws: RelayError.tooLate) { try await relay.pulse(nil, if: { false }) }
        #expect(!panel.isActive(line: "GPIO26"))
    }

    @Test func lengthsBeyondTheLimitsAreRefusedWithTheLimit() async {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        let error = await #expect(throws: RelayError.self) { try await relay.pulse(.seconds(60)) }
        #expect(error?.message == "a relay pulse of 60s is too long: relay.maxPulse allows 10s")
        await #expect(throws: RelayError.self) { try await relay.pulse(.milliseconds(1)) }
        #expect(!panel.isActive(line: "GPIO26"))
    }

    @Test func aPulseWithoutItsLineFailsAndIsNotMadeUpFor() async throws {
        let (panel, relay) = panelAndRelay()
        panel.setFault(.taken(by: "door"), line: "GPIO26")
        await relay.start()
        let error = await #expect(throws: RelayError.self) { try await relay.pulse() }
        #expect(error?.message.contains("in use by \"door\"") == true)
        panel.setFault(nil, line: "GPIO26")
        clock.advance(by: .milliseconds(500))
        await relay.tick()
        #expect(panel.story(of: "GPIO26") == ["fault", "fault", "taken"])
        try await relay.pulse()
        #expect(panel.isActive(line: "GPIO26"))
    }

    @Test func aPulseWhoseLineVanishesIsOffWhenItComesBack() async throws {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        try await relay.pulse(.seconds(10))
        panel.setFault(.vanished, line: "GPIO26")
        clock.advance(by: .seconds(5))
        await relay.tick()
        #expect(await relay.status().activeUntil == nil)
        panel.setFault(nil, line: "GPIO26")
        clock.advance(by: .seconds(1))
        await relay.tick()
        #expect(!panel.isActive(line: "GPIO26"))
        #expect(await relay.status().line?.isHeld == true)
    }

    @Test func shutdownOpensTheContactBeforeTheLineIsGivenBack() async throws {
        let (panel, relay) = panelAndRelay()
        await relay.start()
        try await relay.pulse()
        await relay.shutdown()
        #expect(panel.story(of: "GPIO26") == ["taken", "on", "off", "given back"])
        await #expect(throws: RelayError.shutDown) { try await relay.pulse() }
    }

    @Test func itsStatesAreTold() async throws {
        let (_, relay) = panelAndRelay()
        await relay.start()
        let states = await relay.states()
        try await relay.pulse()
        clock.advance(by: .milliseconds(500))
        await relay.tick()
        #expect(await first(3, of: states).map { $0.line?.isActive } == [false, true, false])
    }
}
