import Peripherals
import Settings
import Testing
import Vocabulary

@Suite struct TorchMachineTests {
    /// A machine whose line answers as it is driven.
    struct Desk {
        var machine: TorchMachine
        var level = false
        var driven: [Bool] = []
        var now = Instant.zero

        init(_ mode: TorchMode = .off, configure: (inout TorchSettings) -> Void = { _ in }) {
            var settings = TorchSettings(line: LineSettings(line: "GPIO17"))
            settings.mode = mode
            configure(&settings)
            machine = TorchMachine(settings: settings)
            tell(.lineHeld)
        }

        mutating func tell(_ event: TorchMachine.Event) {
            for case .drive(let isActive) in machine.handle(event, at: now) {
                driven.append(isActive)
                level = isActive
                tell(.levelRead(isActive))
            }
        }

        mutating func wait(_ duration: Duration) {
            now = now.advanced(by: duration)
            tell(.tick)
        }

        mutating func sees(lux: Float? = nil, luma: Float? = nil) {
            tell(.light(lux: lux, meanLuma: luma, exposedAt: now))
        }
    }

    @Test func isOffWhenItsLineComes() {
        for mode in TorchMode.allCases {
            let desk = Desk(mode)
            #expect(!desk.level, "\(mode)")
            #expect(desk.machine.status.hasTorch)
            #expect(desk.machine.status.isAvailable)
        }
    }

    @Test func onLightsAtOnceAndOffDarkensAtOnce() {
        var desk = Desk()
        desk.tell(.mode(.on))
        #expect(desk.machine.status.isActive)
        desk.tell(.mode(.off))
        #expect(!desk.machine.status.isActive)
        #expect(desk.driven == [true, false])
    }

    @Test(arguments: TorchMode.allCases) func aModeSetByHandOutlivesAPause(mode: TorchMode) {
        var desk = Desk()
        desk.tell(.captureRun(isRunning: true))
        desk.tell(.mode(mode))
        #expect(desk.level == (mode == .on))
        desk.tell(.captureRun(isRunning: false))
        #expect(!desk.level, "dark while nothing is read")
        desk.wait(.seconds(3600))
        #expect(!desk.level)
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.machine.mode == mode)
        #expect(desk.level == (mode == .on))
    }

    @Test func aTorchThatComesBackAfterAPauseIsOnNoLongerThanAnyOther() {
        var desk = Desk {
            $0.maxOnTime = .seconds(60); $0.coolDown = .seconds(30)
        }
        desk.tell(.captureRun(isRunning: true))
        desk.tell(.mode(.on))
        desk.wait(.seconds(50))
        desk.tell(.captureRun(isRunning: false))
        desk.wait(.seconds(60))
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.level)
        desk.wait(.seconds(60))
        #expect(!desk.level)
    }

    @Test func aLightSetByHandWithoutARunIsDarkAfterTheNextOne() {
        var desk = Desk()
        desk.tell(.mode(.on))
        #expect(desk.level)
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.level)
        desk.tell(.captureRun(isRunning: false))
        #expect(!desk.level)
    }

    @Test func aNewThresholdDecidesWhatIsDark() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: 100)
        #expect(!desk.level)
        var settings = TorchSettings(line: LineSettings(line: "GPIO17"))
        settings.mode = .auto
        settings.autoLux = 200
        desk.tell(.configured(settings))
        desk.sees(lux: 100)
        #expect(desk.level)
    }

    @Test func onInTheConfigurationLightsDuringRunsOnly() {
        var desk = Desk(.on)
        #expect(!desk.level)
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.level)
        desk.tell(.captureRun(isRunning: false))
        #expect(!desk.level)
        #expect(desk.machine.mode == .on)
    }

    @Test func aNewRunStartsWithTheTorchOffBeforeItsModeLightsItAgain() {
        var desk = Desk(.on)
        desk.tell(.captureRun(isRunning: true))
        desk.driven = []
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.driven == [false, true])
    }

    @Test func sessionModeIsLitWhileASessionReads() {
        var desk = Desk(.session)
        desk.tell(.sessionStarted)
        #expect(!desk.level, "no capture run yet")
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.level)
        desk.tell(.sessionEnded)
        #expect(!desk.level)
    }

    @Test func aSessionThatOutlivesAnInterruptionIsLitAgainAfterIt() {
        var desk = Desk(.session)
        desk.tell(.captureRun(isRunning: true))
        desk.tell(.sessionStarted)
        desk.tell(.captureRun(isRunning: false))
        #expect(!desk.level)
        desk.tell(.captureRun(isRunning: true))
        #expect(desk.level)
    }

    @Test func goesDarkAfterItsMaximumAndCoolsDown() {
        var desk = Desk()
        desk.tell(.mode(.on))
        #expect(desk.machine.wakeAt == Instant.zero.advanced(by: .seconds(60)))
        desk.wait(.milliseconds(59_999))
        #expect(desk.level)
        desk.wait(.milliseconds(1))
        #expect(!desk.level)
        let end = desk.now.advanced(by: .seconds(30))
        #expect(desk.machine.status.unavailability == .coolingDown(until: end))
        #expect(desk.machine.wakeAt == end)
        #expect(!desk.machine.status.isAvailable)
        desk.wait(.seconds(30))
        #expect(desk.level, "its mode still says on")
        #expect(desk.machine.status.isAvailable)
        #expect(desk.machine.status.timesLit == 2)
    }

    @Test func switchingOffForAMomentDoesNotCheatTheLimit() {
        var desk = Desk()
        for _ in 0..<6 {
            desk.tell(.mode(.on))
            desk.wait(.seconds(10))
            desk.tell(.mode(.off))
            desk.wait(.milliseconds(1))
        }
        desk.tell(.mode(.on))
        desk.wait(.milliseconds(100))
        #expect(!desk.level)
    }

    @Test func restLongEnoughGivesTheWholeTimeBack() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.wait(.seconds(59))
        desk.tell(.mode(.off))
        desk.wait(.seconds(30))
        desk.tell(.mode(.on))
        desk.wait(.seconds(59))
        #expect(desk.level)
    }

    @Test func withoutALimitItStaysOn() {
        var desk = Desk { $0.maxOnTime = nil }
        desk.tell(.mode(.on))
        #expect(desk.machine.wakeAt == nil)
        desk.wait(.seconds(100_000))
        #expect(desk.level)
    }

    @Test func whileCoolingDownOnIsRefusedAndTheOtherModesAreNot() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.wait(.seconds(60))
        let end = desk.now.advanced(by: .seconds(30))
        #expect(desk.machine.refusal(of: .on, at: desk.now) == .coolingDown(until: end))
        for mode in [TorchMode.off, .auto, .session] {
            #expect(desk.machine.refusal(of: mode, at: desk.now) == nil)
        }
        #expect(desk.machine.refusal(of: .on, at: end) == nil)
    }

    @Test func aLineThatIsTakenLeavesATorchThatIsNotAvailable() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.tell(.lineLost("GPIO17 is in use", exists: true))
        #expect(desk.machine.status.hasTorch)
        #expect(!desk.machine.status.isAvailable)
        #expect(!desk.machine.status.isActive)
        #expect(desk.machine.status.unavailability == .line("GPIO17 is in use"))
        #expect(desk.machine.refusal(of: .session, at: desk.now) == .line("GPIO17 is in use"))
        #expect(desk.machine.refusal(of: .off, at: desk.now) == nil)
    }

    @Test func aLineThatDoesNotExistIsNoTorch() {
        var desk = Desk()
        desk.tell(.lineLost("there is no line GPIO17", exists: false))
        #expect(!desk.machine.status.hasTorch)
    }

    @Test func aLineThatComesBackIsBroughtToWhatTheModeSays() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.tell(.lineLost("gone", exists: false))
        desk.driven = []
        desk.tell(.lineHeld)
        #expect(desk.driven == [true])
    }

    @Test func systemPressureKeepsItDark() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.tell(.systemPressure(true))
        #expect(!desk.level)
        #expect(desk.machine.refusal(of: .on, at: desk.now) == .systemPressure)
        desk.tell(.systemPressure(false))
        #expect(desk.level)
    }

    @Test func staysOffAfterShutdown() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.tell(.shutDown)
        #expect(!desk.level)
        desk.tell(.mode(.on))
        #expect(!desk.level)
        #expect(desk.machine.refusal(of: .off, at: desk.now) == .shutDown)
    }

    @Test func tellsTheLevelThatWasReadNotTheOneAskedFor() {
        var machine = TorchMachine(settings: TorchSettings(line: LineSettings(line: "GPIO17")))
        _ = machine.handle(.lineHeld, at: .zero)
        let actions = machine.handle(.mode(.on), at: .zero)
        #expect(actions == [.drive(true)], "the status follows once the level has been read back")
        var status = TorchStatus(hasTorch: true, mode: .on)
        status.timesLit = 1
        #expect(machine.handle(.levelRead(false), at: .zero) == [.statusChanged(status)])
    }

    // MARK: auto

    @Test func autoLightsBelowTheThresholdAndNotAtIt() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: 20)
        #expect(!desk.level)
        desk.sees(lux: 19)
        #expect(desk.level)
    }

    @Test func autoUsesTheMeanLumaWhereTheCameraGivesNoLux() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(luma: 41)
        #expect(!desk.level)
        desk.sees(luma: 39)
        #expect(desk.level)
    }

    @Test func autoIgnoresLightOutsideCaptureRuns() {
        var desk = Desk(.auto)
        desk.sees(lux: 1)
        #expect(!desk.level)
    }

    @Test func autoIsNotPutOutByItsOwnLight() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: 5)
        for _ in 0..<100 {
            desk.wait(.milliseconds(100))
            desk.sees(lux: 505)
        }
        #expect(desk.driven == [true])
    }

    @Test func autoGoesOutWhenTheRoomItselfIsBrighterThanTwiceTheThreshold() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: 5)
        desk.wait(.seconds(1))
        desk.sees(lux: 505)
        desk.wait(.seconds(2))
        desk.sees(lux: 500 + 40)
        #expect(desk.level, "not above twice the threshold")
        desk.sees(lux: 500 + 41)
        #expect(!desk.level)
    }

    @Test func autoWaitsForExposureToSettleBeforeItJudgesItsOwnShare() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: 5)
        desk.wait(.milliseconds(499))
        desk.sees(lux: 5)
        desk.wait(.seconds(3))
        desk.sees(lux: 505)
        #expect(desk.level, "the first settled sample is the torch's share")
    }

    @Test func autoThatIsTakenBackAtOnceIsSlowerTheNextTime() {
        var desk = Desk(.auto) { $0.maxOnTime = nil }
        desk.tell(.captureRun(isRunning: true))
        // A scene that seems to brighten once the torch's share has been measured, and is dark again without it.
        var switches: [Instant] = []
        for _ in 0..<600 {
            let before = desk.level
            let isLateInTheLight = before && (switches.last?.duration(to: desk.now) ?? .zero) > .seconds(1)
            desk.sees(lux: isLateInTheLight ? 900 : 5)
            if desk.level != before { switches.append(desk.now) }
            desk.wait(.milliseconds(100))
        }
        let stretches = zip(switches, switches.dropFirst()).map { $0.duration(to: $1) }
        let lit = stretches.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(lit == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
    }

    @Test func notANumberIsNoLight() {
        var desk = Desk(.auto)
        desk.tell(.captureRun(isRunning: true))
        desk.sees(lux: .nan)
        #expect(!desk.level)
    }
}
