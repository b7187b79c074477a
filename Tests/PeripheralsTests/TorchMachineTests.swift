import Peripherals
import Settings
import TestSupport
import Testing
import Vocabulary

@Suite struct TorchMachineTests {
    /// A machine whose line answers as it is driven.
    struct Desk {
        var machine: TorchMachine
        var level = false
        /// A short circuit: it is driven, and stays dark.
        var isStuck = false
        var driven: [Bool] = []
        var answers: [TorchMachine.Action] = []
        var now = Instant.zero

        init(_ mode: TorchMode = .off, configure: (inout TorchSettings) -> Void = { _ in }) {
            var settings = TorchSettings(line: LineSettings(line: "GPIO17"))
            settings.mode = mode
            configure(&settings)
            machine = TorchMachine(settings: settings)
            tell(.lineHeld)
        }

        mutating func tell(_ event: TorchMachine.Event) {
            if case .lineLost = event { level = false }
            for action in machine.handle(event, at: now) {
                switch action {
                case .drive(let isActive):
                    driven.append(isActive)
                    level = isActive && !isStuck
                    tell(.levelRead(level))
                case .switched, .switchFailed: answers.append(action)
                case .statusChanged: break
                }
            }
        }

        /// Why a mode can't be set now. It isn't set.
        func refusal(of mode: TorchMode, at later: Instant? = nil) -> TorchStatus.Unavailability? {
            var desk = self
            desk.now = later ?? now
            desk.answers = []
            desk.tell(.mode(mode))
            #expect(desk.answers.count == 1)
            guard case .switchFailed(let reason)? = desk.answers.first else { return nil }
            #expect(desk.machine.mode == machine.mode)
            return reason
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
        #expect(desk.refusal(of: .on) == .coolingDown(until: end))
        for mode in [TorchMode.off, .auto, .session] {
            #expect(desk.refusal(of: mode) == nil)
        }
        #expect(desk.refusal(of: .on, at: end) == nil)
    }

    @Test(arguments: TorchMode.allCases) func onThatReadsBackDarkIsTakenBack(mode: TorchMode) {
        var desk = Desk(mode)
        desk.isStuck = true
        desk.tell(.mode(.on))
        #expect(desk.answers == [.switchFailed(nil)])
        #expect(desk.machine.mode == mode)
        // A configured `on` waits for a capture run, as before.
        #expect(desk.driven == [true, false])
        desk.isStuck = false
        desk.tell(.mode(.on))
        #expect(desk.answers == [.switchFailed(nil), .switched])
        #expect(desk.level)
    }

    @Test(arguments: [TorchMode.off, .auto, .session]) func onWhoseLineIsLostWhileDrivingIsTakenBack(mode: TorchMode) {
        var machine = Desk(mode).machine
        #expect(machine.handle(.mode(.on), at: .zero) == [.drive(true)])
        let actions = machine.handle(.lineLost("unplugged", exists: false), at: .zero)
        #expect(actions.last == .switchFailed(.line("unplugged")))
        #expect(machine.mode == mode)
        // Nobody hears of a mode that was never in force.
        #expect(actions.count == 2)
        if case .statusChanged(let status)? = actions.first { #expect(status.mode == mode) }
        // A later loss isn't a failed switch, and the mode comes back with the line.
        #expect(machine.handle(.lineHeld, at: .zero).allSatisfy { if case .drive = $0 { false } else { true } })
    }

    @Test func aModeThatLightsLaterIsSetAtOnceWhateverTheLineDoes() {
        var desk = Desk()
        desk.isStuck = true
        for mode in [TorchMode.session, .auto, .off] {
            desk.tell(.mode(mode))
            #expect(desk.machine.mode == mode)
        }
        #expect(desk.answers == [.switched, .switched, .switched])
    }

    @Test func onThatIsLitAlreadyIsAnsweredWithoutDrivingAgain() {
        var desk = Desk(.session)
        desk.tell(.captureRun(isRunning: true))
        desk.tell(.sessionStarted)
        desk.driven = []
        desk.tell(.mode(.on))
        #expect(desk.answers == [.switched])
        #expect(desk.driven == [])
        desk.tell(.levelRead(false))
        #expect(desk.answers == [.switched], "a level that is lost later is no failed switch")
        desk.tell(.mode(.on))
        #expect(desk.answers == [.switched, .switchFailed(nil)])
        #expect(desk.machine.mode == .on)
    }

    /// Whatever happens in between: one answer for each mode, and one that fails leaves the mode as it was.
    @Test(arguments: 1...30 as ClosedRange<UInt64>) func everyModeIsAnsweredOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var desk = Desk(configure: { $0.maxOnTime = .seconds(60) })
        for _ in 0..<200 {
            desk.isStuck = Int.random(in: 0..<4, using: &random) == 0
            switch Int.random(in: 0..<9, using: &random) {
            case 0: desk.tell(.captureRun(isRunning: .random(using: &random)))
            case 1: desk.tell(.random(using: &random) ? .sessionStarted : .sessionEnded)
            case 2: desk.tell(.systemPressure(.random(using: &random)))
            case 3: desk.tell(.lineLost("gone", exists: .random(using: &random)))
            case 4:
                desk.tell(.lineLost("gone", exists: true))
                desk.tell(.lineHeld)
            case 5: desk.wait(.seconds(Int.random(in: 1...50, using: &random)))
            default:
                let before = desk.machine.mode
                let wanted = TorchMode.allCases.randomElement(using: &random) ?? .on
                desk.answers = []
                desk.tell(.mode(wanted))
                #expect(desk.answers.count == 1)
                #expect(desk.machine.mode == (desk.answers == [.switched] ? wanted : before))
                if wanted == .on { #expect(desk.level == (desk.answers == [.switched])) }
            }
        }
    }

    @Test func aLineThatIsTakenLeavesATorchThatIsNotAvailable() {
        var desk = Desk()
        desk.tell(.mode(.on))
        desk.tell(.lineLost("GPIO17 is in use", exists: true))
        #expect(desk.machine.status.hasTorch)
        #expect(!desk.machine.status.isAvailable)
        #expect(!desk.machine.status.isActive)
        #expect(desk.machine.status.unavailability == .line("GPIO17 is in use"))
        #expect(desk.refusal(of: .session) == .line("GPIO17 is in use"))
        #expect(desk.refusal(of: .off) == nil)
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
        #expect(desk.refusal(of: .on) == .systemPressure)
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
        #expect(desk.refusal(of: .off) == .shutDown)
    }

    @Test func tellsTheLevelThatWasReadNotTheOneAskedFor() {
        var machine = TorchMachine(settings: TorchSettings(line: LineSettings(line: "GPIO17")))
        _ = machine.handle(.lineHeld, at: .zero)
        let actions = machine.handle(.mode(.on), at: .zero)
        #expect(actions == [.drive(true)], "the status follows once the level has been read back")
        var status = TorchStatus(hasTorch: true, isActive: true, mode: .on)
        status.timesLit = 1
        #expect(machine.handle(.levelRead(true), at: .zero) == [.statusChanged(status), .switched])
        // Not because anybody switched it off.
        status.isActive = false
        #expect(machine.handle(.levelRead(false), at: .zero) == [.statusChanged(status)])
    }

    @Test func aModeThatFailedWasNever() {
        var machine = TorchMachine(settings: TorchSettings(line: LineSettings(line: "GPIO17")))
        _ = machine.handle(.lineHeld, at: .zero)
        #expect(machine.handle(.mode(.on), at: .zero) == [.drive(true)])
        #expect(machine.handle(.levelRead(false), at: .zero) == [.drive(false), .switchFailed(nil)])
        var status = TorchStatus(hasTorch: true, mode: .off)
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
