import Settings
import Synchronization
import Testing
import Vocabulary

@testable import Peripherals

@Suite(.timeLimit(.minutes(10))) struct TorchTests {
    let clock = ManualClock()
    let notices = PeripheralNotices()

    func panelAndTorch(configure: (inout TorchSettings) -> Void = { _ in }) -> (SimulatedPanel, Torch) {
        let panel = SimulatedPanel(clock: clock)
        var settings = TorchSettings(line: .torch)
        configure(&settings)
        return (panel, Torch(settings: settings, lines: panel, clock: clock, notices: notices))
    }

    @Test func withoutSettingsThereIsNoTorchAndSettingItsModeSaysSo() async {
        let torch = Torch(settings: nil, lines: SimulatedPanel(clock: clock), clock: clock)
        await torch.start()
        #expect(!torch.hasTorch)
        #expect(!torch.isTorchAvailable)
        #expect(!torch.isTorchActive)
        #expect(torch.status == .none)
        await #expect(throws: TorchError.notConfigured) { try await torch.setMode(.on) }
        #expect(TorchError.notConfigured.message.contains("torch.line"))
    }

    @Test func isThereAndOffAfterTheStart() async {
        let (panel, torch) = panelAndTorch { $0.mode = .on }
        #expect(!torch.hasTorch, "nobody has looked yet")
        await torch.start()
        #expect(torch.hasTorch)
        #expect(torch.isTorchAvailable)
        #expect(!torch.isTorchActive)
        #expect(panel.story(of: "GPIO17") == ["taken"])
    }

    @Test func settingTheModeHasDrivenTheLineWhenItReturns() async throws {
        let (panel, torch) = panelAndTorch()
        await torch.start()
        try await torch.setMode(.on)
        #expect(torch.isTorchActive)
        #expect(torch.mode == .on)
        #expect(panel.isActive(line: "GPIO17"))
        try await torch.setMode(.off)
        #expect(!torch.isTorchActive)
        #expect(!panel.isActive(line: "GPIO17"))
    }

    @Test func followsSessionsWithinACaptureRun() async throws {
        let (panel, torch) = panelAndTorch { $0.mode = .session }
        await torch.start()
        await torch.captureRunChanged(isRunning: true)
        await torch.sessionStarted()
        #expect(panel.isActive(line: "GPIO17"))
        await torch.sessionEnded()
        #expect(!panel.isActive(line: "GPIO17"))
        await torch.sessionStarted()
        await torch.captureRunChanged(isRunning: false)
        #expect(!panel.isActive(line: "GPIO17"))
    }

    @Test func followsTheLight() async {
        let (panel, torch) = panelAndTorch { $0.mode = .auto }
        await torch.start()
        await torch.captureRunChanged(isRunning: true)
        await torch.light(lux: 3, meanLuma: nil, at: clock.now)
        #expect(panel.isActive(line: "GPIO17"))
    }

    @Test func itsTimerPutsItOutAtTheMaximumAndLightsItAfterTheCoolDown() async throws {
        let (_, torch) = panelAndTorch()
        await torch.start()
        let states = await torch.states()
        try await torch.setMode(.on)
        clock.advance(by: .seconds(60))
        // Waits for the timer to arrive; nothing else calls the torch.
        var seen: [Bool] = []
        for await state in states {
            if seen.last != state.isActive { seen.append(state.isActive) }
            if case .coolingDown = state.unavailability { break }
        }
        #expect(seen == [false, true, false])
        await #expect(throws: TorchError.self) { try await torch.setMode(.on) }
        clock.advance(by: .seconds(30))
        await torch.tick()
        #expect(torch.isTorchActive)
    }

    @Test func coolingDownIsSaidWithTheTimeThatIsLeft() async throws {
        let (_, torch) = panelAndTorch()
        await torch.start()
        try await torch.setMode(.on)
        clock.advance(by: .seconds(60))
        await torch.tick()
        clock.advance(by: .seconds(7))
        let error = await #expect(throws: TorchError.self) { try await torch.setMode(.on) }
        #expect(
            error?.message
                == "the torch was on for its maximum of 60 s and cools down for another 23 s: try again then, or change "
                + "torch.maxOnTime")
        #expect(torch.mode == .on, "a mode that was refused changes nothing")
    }

    @Test func aLineThatIsTakenIsSaidAndComesBackByItself() async throws {
        let (panel, torch) = panelAndTorch()
        panel.setFault(.taken(by: "lirc"), line: "GPIO17")
        let stream = notices.stream()
        await torch.start()
        let message = "GPIO17 is in use by \"lirc\" (simulated): free it or set torch.line to another line"
        #expect(torch.hasTorch)
        #expect(!torch.isTorchAvailable)
        #expect(torch.status.unavailability == .line(message))
        await #expect(throws: TorchError.line(message)) { try await torch.setMode(.on) }

        panel.setFault(nil, line: "GPIO17")
        clock.advance(by: .milliseconds(500))
        await torch.tick()
        #expect(torch.isTorchAvailable)
        try await torch.setMode(.on)
        #expect(await first(2, of: stream) == [.lost(.torch, message: message), .recovered(.torch)])
    }

    @Test func aLineThatDoesNotExistIsNoTorch() async {
        let (panel, torch) = panelAndTorch()
        panel.setFault(.missing, line: "GPIO17")
        await torch.start()
        #expect(!torch.hasTorch)
        #expect(!torch.isTorchAvailable)
    }

    @Test func aChipThatVanishesWhileLitLeavesAStationThatGoesOn() async throws {
        let (panel, torch) = panelAndTorch()
        await torch.start()
        try await torch.setMode(.on)
        panel.setFault(.vanished, line: "GPIO17")
        try await torch.setMode(.off)
        #expect(!torch.isTorchActive)
        #expect(!torch.isTorchAvailable)
        let status = await torch.lineStatus()
        #expect(status?.isHeld == false)
        #expect(status?.problem?.contains("unplugged") == true)
    }

    @Test func aLossIsNoticedWithoutAnyUse() async {
        let (panel, torch) = panelAndTorch()
        await torch.start()
        panel.setFault(.vanished, line: "GPIO17")
        clock.advance(by: .seconds(5))
        await torch.tick()
        #expect(!torch.isTorchAvailable)
    }

    @Test func aModeThatFailsWhileDrivingIsTakenBack() async {
        let (panel, torch) = panelAndTorch { $0.mode = .session }
        await torch.start()
        panel.setFault(.vanished, line: "GPIO17")
        await #expect(throws: TorchError.self) { try await torch.setMode(.on) }
        #expect(torch.mode == .session)
    }

    @Test func aLineThatDoesNotFollowIsSaid() async {
        let torch = Torch(settings: TorchSettings(line: .torch), lines: StuckLines(), clock: clock)
        await torch.start()
        await #expect(throws: TorchError.noEffect(line: "GPIO17")) { try await torch.setMode(.on) }
        #expect(!torch.isTorchActive)
        #expect(torch.mode == .off)
    }

    @Test func systemPressureKeepsItOff() async throws {
        let (_, torch) = panelAndTorch()
        await torch.start()
        try await torch.setMode(.on)
        await torch.setSystemPressure(true)
        #expect(!torch.isTorchActive)
        await #expect(throws: TorchError.systemPressure) { try await torch.setMode(.on) }
    }

    @Test func shutdownDrivesItOffBeforeTheLineIsGivenBack() async throws {
        let (panel, torch) = panelAndTorch()
        await torch.start()
        try await torch.setMode(.on)
        await torch.shutdown()
        #expect(panel.story(of: "GPIO17") == ["taken", "on", "off", "given back"])
        await #expect(throws: TorchError.shutDown) { try await torch.setMode(.on) }
        #expect(!torch.isTorchAvailable)
    }

    @Test func aTorchThatIsForgottenGivesItsLineBackDark() async throws {
        let panel = SimulatedPanel(clock: clock)
        let changes = panel.changes()
        do {
            let torch = Torch(settings: TorchSettings(line: .torch), lines: panel, clock: clock)
            try await torch.setModeAfterStart()
        }
        // The loop's task releases the torch in its own time.
        for await change in changes where change.what == .givenBack { break }
        #expect(!panel.isActive(line: "GPIO17"))
    }

    @Test func observersAreCalledInOrderUntilTheyCancel() async throws {
        let (_, torch) = panelAndTorch()
        await torch.start()
        let seen = Mutex<[String]>([])
        let token = await torch.observe { status in seen.withLock { $0.append("a \(status.isActive)") } }
        _ = await torch.observe { status in seen.withLock { $0.append("b \(status.isActive)") } }
        try await torch.setMode(.on)
        await torch.cancel(token)
        try await torch.setMode(.off)
        #expect(seen.withLock { $0 } == ["a true", "b true", "b false"])
    }

    @Test func anObserverMayCancelItself() async throws {
        let (_, torch) = panelAndTorch()
        await torch.start()
        let count = Mutex(0)
        let own = Mutex<ObserverToken?>(nil)
        let token = await torch.observe { _ in
            count.withLock { $0 += 1 }
            torch.assumeIsolated { torch in
                if let token = own.withLock({ $0 }) { torch.cancel(token) }
            }
        }
        own.withLock { $0 = token }
        try await torch.setMode(.on)
        try await torch.setMode(.off)
        #expect(count.withLock { $0 } == 1)
    }
}

extension Torch {
    fileprivate func setModeAfterStart() async throws {
        start()
        try await setMode(.on)
    }
}

/// Lines that take every level and stay inactive, as with a short circuit.
private struct StuckLines: LineProvider {
    final class Line: OutputLine {
        func set(_ isActive: Bool) throws(LineError) {}
        func read() throws(LineError) -> Bool { false }
        func close() {}
    }

    func openOutput(_ settings: LineSettings, role: LineRole) throws(LineError) -> any OutputLine { Line() }

    func openInput(_ settings: ButtonSettings, role: LineRole) throws(LineError) -> any InputLine {
        throw LineError(role: role, kind: .notFound, message: "no inputs here")
    }

    func openTone(_ settings: BuzzerSettings) throws(LineError) -> any ToneOutput {
        throw LineError(role: .buzzer, kind: .notFound, message: "no buzzer here")
    }

    func inventory() -> LineInventory.Report { LineInventory.Report(chips: [], source: "stuck") }
}
