import TestSupport
import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

@Suite struct PresentationMode {
    @Test func itReadsFromTheStart() {
        var bench = ScanMachineBench(started: false)
        #expect(bench.read(1, [symbol("a")]).isEmpty)
        #expect(bench(.start, 20) == [.camera(.run), .reading(isOn: true, effort: .quick)])
        #expect(bench(.start, 21).isEmpty)
    }

    @Test func aCodeThatAppearsIsOneScan() {
        var bench = ScanMachineBench()
        for sequence in UInt64(1)...50 { bench.read(sequence, [symbol("a")]) }
        #expect(bench.log.accepted == ["a"])
        guard case .accept(let accepted)? = bench.log.first(where: { if case .accept = $0 { true } else { false } })
        else { return }
        #expect(accepted.session == 0 && accepted.trigger == .presentation && accepted.reads == 1)
        #expect(accepted.acceptedAt == .ms(15) && accepted.frame.sequence == 1)
        #expect(accepted.decodeTime == .milliseconds(3))
    }

    @Test func itIsScannedAgainAfterItWasOutOfView() {
        var bench = ScanMachineBench()
        bench.read(1, [symbol("a")])
        for sequence in UInt64(2)...6 { bench.read(sequence) }
        #expect(bench.read(7, [symbol("a")]).accepted.isEmpty)
        for sequence in UInt64(8)...13 { bench.read(sequence) }
        #expect(bench.read(14, [symbol("a")]).accepted == ["a"])
    }

    @Test func severalCodesComeInReadingOrder() {
        var bench = ScanMachineBench()
        let symbols = [symbol("2", at: .at(0.8, 0.2)), symbol("3", at: .at(0.2, 0.8)), symbol("1", at: .at(0.2, 0.2))]
        #expect(bench.read(1, symbols).accepted == ["1", "2", "3"])
    }

    @Test func aWeakCodeIsScannedAfterItsAgreementAndKeepsTheGateOpen() {
        var bench = ScanMachineBench()
        let first = bench.read(1, [symbol("CODE39", .code39, content: 1, pass: 1)])
        #expect(first == [.pending(true)])
        let second = bench.read(2, [symbol("CODE39", .code39, content: 2, pass: 2)])
        #expect(second.accepted == ["CODE39"])
        #expect(!bench.isPending)
        guard case .accept(let accepted)? = second.first(where: { if case .accept = $0 { true } else { false } })
        else { return }
        #expect(accepted.reads == 2)
    }

    @Test func aLateResultMayCompleteAnAgreement() {
        var bench = ScanMachineBench()
        bench.read(2, [symbol("CODE39", .code39, content: 2, pass: 2)])
        #expect(bench.read(1, [symbol("CODE39", .code39, content: 1, pass: 1), symbol("new")]).accepted == ["CODE39"])
    }

    @Test func theGapHoldsBackTheNextScan() {
        var bench = ScanMachineBench { $0.gap = .milliseconds(100) }
        let both = [symbol("1", at: .at(0.2, 0.5)), symbol("2", at: .at(0.8, 0.5))]
        #expect(bench.read(1, both).accepted == ["1"])
        for sequence in UInt64(2)...10 { #expect(bench.read(sequence, both).accepted.isEmpty) }
        #expect(bench.read(11, both, outcome: .unchanged).accepted == ["2"])
    }

    @Test func triggersMeanNothing() {
        var bench = ScanMachineBench()
        for event: ScanMachine.Event in [.pressed, .released, .trigger, .release, .confirm, .cancelConfirmation, .tick]
        {
            #expect(bench(event, 10).isEmpty)
        }
    }

    @Test func aCameraThatComesBackToTheSameCodeIsNoSecondScan() {
        var bench = ScanMachineBench()
        bench.read(1, [symbol("a")])
        bench(.cameraLost, 100)
        bench(.cameraBack, 20_000)
        #expect(bench.read(2001, [symbol("a")]).accepted.isEmpty)
    }

    @Test func aPauseStopsReadingAndTheCamera() {
        var bench = ScanMachineBench()
        bench.read(1, [symbol("a")])
        #expect(bench(.pause, 20) == [.reading(isOn: false, effort: .quick), .camera(.stop)])
        #expect(bench.read(3, [symbol("b")]).isEmpty)
        #expect(bench(.resume, 40) == [.camera(.run), .reading(isOn: true, effort: .quick)])
        #expect(bench.read(5, [symbol("a"), symbol("b", at: .at(0.1, 0.9))]).accepted == ["b"])
    }

    @Test func sightingsAreToldOnceEach() {
        var bench = ScanMachineBench()
        for sequence in UInt64(1)...5 { bench.read(sequence, [symbol("a")]) }
        for sequence in UInt64(6)...20 { bench.read(sequence) }
        let appeared = bench.log.filter { if case .sightingAppeared = $0 { true } else { false } }
        let disappeared = bench.log.filter { if case .sightingDisappeared = $0 { true } else { false } }
        #expect(appeared.count == 1 && disappeared.count == 1)
    }
}

@Suite struct ContinuousMode {
    @Test func aCodeThatStaysIsRepeated() {
        var bench = ScanMachineBench(.continuous) { $0.repeatInterval = .milliseconds(100) }
        for sequence in UInt64(1)...35 { bench.read(sequence, [symbol("a")]) }
        #expect(bench.log.accepted.count == 4)
    }

    @Test func withoutAnIntervalItIsNot() {
        var bench = ScanMachineBench(.continuous) { $0.repeatInterval = nil }
        for sequence in UInt64(1)...500 { bench.read(sequence, [symbol("a")]) }
        #expect(bench.log.accepted.count == 1)
    }

    @Test func aReadThatWaitsForConfirmationIsNotOfferedAgain() {
        var bench = ScanMachineBench(.continuous, policy: .always) { $0.repeatInterval = .milliseconds(100) }
        for sequence in UInt64(1)...100 { bench.read(sequence, [symbol("a")]) }
        #expect(bench.log.awaited == ["a"])
        #expect(bench(.confirm, 1010).accepted == ["a"])
        #expect(bench.read(102, [symbol("a")]).awaited == ["a"])
    }
}

@Suite struct TriggeredModes {
    @Test func aSessionFromPressToScan() {
        var bench = ScanMachineBench(.level)
        #expect(bench.log == [.camera(.run)])
        #expect(bench.read(1, [symbol("a")]).isEmpty)
        #expect(
            bench(.pressed, 20) == [
                .startSession(id: 1, trigger: .level), .reading(isOn: true, effort: .thorough), .wakeAt(.ms(5020)),
            ])
        let actions = bench.read(3, [symbol("a")])
        #expect(actions.accepted == ["a"])
        #expect(
            Array(actions.suffix(3)) == [
                .endSession(id: 1, outcome: .scanned(1)), .reading(isOn: false, effort: .quick), .wakeAt(nil),
            ])
        #expect(bench.read(4, [symbol("b")]).isEmpty)
    }

    @Test func aFrameExposedBeforeTheTriggerAnswersNothing() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 32)
        #expect(bench.read(3, [symbol("old")]).isEmpty)
        #expect(bench.read(4, [symbol("new")]).accepted == ["new"])
    }

    @Test func agreementRestsOnFramesAfterTheTriggerOnly() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 25)
        bench.read(2, [symbol("CODE39", .code39, content: 2, pass: 2)])
        #expect(bench.read(3, [symbol("CODE39", .code39, content: 3, pass: 3)]).accepted.isEmpty)
        #expect(bench.read(4, [symbol("CODE39", .code39, content: 4, pass: 4)]).accepted == ["CODE39"])
    }

    @Test func anUnchangedSceneAnswersTheNextSessionToo() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 0)
        bench.read(1, [symbol("a")])
        bench(.pressed, 100)
        #expect(bench.read(10, [symbol("a")], outcome: .unchanged).accepted == ["a"])
        #expect(bench.log.starts == [1, 2])
    }

    @Test func aTimeOutIsANoRead() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 0)
        for sequence in UInt64(1)..<400 { bench.read(sequence) }
        #expect(bench.wakeAt == .ms(5000))
        let actions = bench(.tick, 5000)
        #expect(
            actions == [
                .noRead(NoRead(session: 1, trigger: .pulse, reason: .timeout, duration: .seconds(5))),
                .endSession(id: 1, outcome: .noRead(.timeout)), .reading(isOn: false, effort: .quick), .wakeAt(nil),
            ])
    }

    @Test func noReadsMayBeLeftUntold() {
        var bench = ScanMachineBench(.pulse) { $0.reportsNoRead = false }
        bench(.pressed, 0)
        let actions = bench(.tick, 5000)
        #expect(actions.noReads.isEmpty && actions.ends == [.noRead(.timeout)])
    }

    @Test func aTickThatIsLateIsMadeUpForByAnyEvent() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 0)
        let actions = bench(.pressed, 6000)
        #expect(actions.noReads == [.timeout])
        #expect(actions.starts == [2])
    }

    @Test func aReleaseLeavesGraceForFramesInFlight() {
        var bench = ScanMachineBench(.level)
        bench(.pressed, 0)
        bench(.released, 42)
        #expect(bench.isReading)
        #expect(bench.read(5, [symbol("after")]).accepted.isEmpty)
        var inFlight = bench
        #expect(inFlight.read(4, [symbol("before")]).accepted == ["before"])
        #expect(bench(.tick, 42 + 150).noReads == [.released])
    }

    /// The scene may be the unchanged one of the session before: it has to be read again.
    @Test func aSessionThatFollowsAtOnceAsksForReadingAgain() {
        var bench = ScanMachineBench(.level)
        bench(.pressed, 0)
        bench(.released, 42)
        let actions = bench(.pressed, 60)
        #expect(actions.starts == [2])
        #expect(actions.contains(.reading(isOn: true, effort: .thorough)))
    }

    @Test func anEdgeThatIsToldLateDoesNotTurnTimeBack() {
        var bench = ScanMachineBench(.level)
        bench(.pressed, 0)
        bench.read(25)
        bench(.released, 200)
        #expect(bench.wakeAt == .ms(255 + 150))
    }

    @Test func aMulticodeSessionTakesEachCodeOnce() {
        var bench = ScanMachineBench(.host) { $0.maxScans = 3 }
        bench(.trigger, 0)
        let two = [symbol("1", at: .at(0.2, 0.5)), symbol("2", at: .at(0.8, 0.5))]
        #expect(bench.read(1, two).accepted == ["1", "2"])
        #expect(bench.read(2, two).accepted.isEmpty)
        let third = bench.read(3, two + [symbol("3", at: .at(0.5, 0.9)), symbol("4", at: .at(0.9, 0.9))])
        #expect(third.accepted == ["3"] && third.ends == [.scanned(3)])
    }

    @Test func aCodeThatComesBackInItsSessionIsNoSecondScan() {
        var bench = ScanMachineBench(.host) { $0.maxScans = 3 }
        bench(.trigger, 0)
        #expect(bench.read(1, [symbol("1")]).accepted == ["1"])
        for sequence in 2...60 as ClosedRange<UInt64> { bench.read(sequence, [symbol("2", at: .at(0.8, 0.5))]) }
        #expect(bench.read(61, [symbol("1")]).accepted.isEmpty)
        // Two equal labels beside each other are two.
        #expect(bench.read(62, [symbol("1"), symbol("1", at: .at(0.8, 0.8))]).ends == [.scanned(3)])
        bench(.trigger, 700)
        #expect(bench.read(71, [symbol("1")]).accepted == ["1"])
    }

    @Test func aReplacedReadMayBeOfferedAgainInItsSession() {
        var bench = ScanMachineBench(.host, policy: .always) { $0.maxScans = 3 }
        bench(.trigger, 0)
        #expect(bench.read(1, [symbol("1")]).awaited == ["1"])
        for sequence in 2...60 as ClosedRange<UInt64> { bench.read(sequence, [symbol("2", at: .at(0.8, 0.5))]) }
        #expect(bench.machine.waitingSymbol?.text == "2")
        #expect(bench.read(61, [symbol("1")]).awaited == ["1"])
    }

    @Test(arguments: [
        (CaptureSettings.Idle.run, CameraDemand.run), (.slow, .slow), (.stop, .stop),
    ])
    func betweenSessionsTheCameraIdles(_ idle: CaptureSettings.Idle, _ demand: CameraDemand) {
        var bench = ScanMachineBench(.pulse, idle: idle)
        #expect(bench.camera == demand)
        #expect(bench.machine.cameraDemand == demand)
        #expect(bench.machine.isCameraResting == (demand == .stop))
        let start = bench(.pressed, 0)
        #expect(bench.camera == .run)
        #expect(!bench.machine.isCameraResting)
        if idle != .run {
            #expect(start[1...2] == [.camera(.run), .reading(isOn: true, effort: .thorough)])
        }
        let end = bench.read(1, [symbol("a")])
        #expect(bench.camera == demand)
        if idle != .run {
            #expect(end.suffix(3).prefix(2) == [.reading(isOn: false, effort: .quick), .camera(demand)])
        }
        #expect(bench.machine.isCameraResting == (demand == .stop))
        // One that is stopped for a pause, or for good, doesn't rest: no trigger wakes it.
        for event: ScanMachine.Event in [.pause, .stop] {
            bench(event, 100)
            #expect(bench.machine.cameraDemand == .stop && !bench.machine.isCameraResting)
        }
    }

    @Test func aLostCameraEndsTheSessionAndRefusesTheNext() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 0)
        #expect(bench(.cameraLost, 10).noReads == [.cameraLost])
        let refused = bench(.pressed, 20)
        #expect(refused.starts == [2] && refused.ends == [.noRead(.cameraLost)])
        bench(.cameraBack, 30)
        #expect(bench(.pressed, 40).ends.isEmpty)
        #expect(bench.isReading)
    }

    @Test func whilePausedTriggersAreIgnored() {
        var bench = ScanMachineBench(.level)
        bench(.pressed, 0)
        #expect(bench(.pause, 10).ends == [.noRead(.cancelled)])
        #expect(bench(.pressed, 20).isEmpty)
        bench(.resume, 30)
        #expect(!bench.isReading)
        #expect(bench(.pressed, 40).starts == [2])
    }

    @Test func anotherModeCancelsTheSession() {
        var bench = ScanMachineBench(.pulse)
        bench(.pressed, 0)
        var settings = bench.machine.trigger
        settings.mode = .presentation
        let actions = bench(.settings(settings), 10)
        #expect(actions.ends == [.noRead(.cancelled)])
        #expect(bench.isReading && bench.effort == .quick && bench.wakeAt == nil)
        #expect(bench.read(2, [symbol("a")]).accepted == ["a"])
    }

    @Test func stoppingEndsEverything() {
        var bench = ScanMachineBench(.level)
        bench(.pressed, 0)
        let actions = bench(.stop, 10)
        #expect(actions.ends == [.noRead(.cancelled)])
        #expect(!bench.isReading && bench.camera == .stop && bench.wakeAt == nil)
        #expect(bench(.pressed, 20).isEmpty)
    }
}

@Suite struct ConfirmedScans {
    @Test func numericCodesGoAtOnceOthersWait() {
        var bench = ScanMachineBench(policy: .alphanumeric)
        #expect(bench.read(1, [symbol("4006381333931", .ean13)]).accepted == ["4006381333931"])
        let actions = bench.read(2, [symbol("hello", at: .at(0.1, 0.1))])
        #expect(actions.accepted.isEmpty && actions.awaited == ["hello"])
        #expect(bench.wakeAt == .ms(10_025))
        let confirmed = bench(.confirm, 500)
        #expect(confirmed.confirmations == [.confirmed] && confirmed.accepted == ["hello"])
        #expect(bench.wakeAt == nil)
    }

    @Test func anUnconfirmedReadIsANoRead() {
        var bench = ScanMachineBench(policy: .always)
        bench.read(1, [symbol("a")])
        let actions = bench(.tick, 10_015)
        #expect(actions.confirmations == [.timedOut] && actions.noReads == [.unconfirmed] && actions.accepted.isEmpty)
        #expect(bench.read(2000, [symbol("a")]).awaited.isEmpty)
    }

    @Test func aNewReadReplacesTheWaitingOne() {
        var bench = ScanMachineBench(policy: .always)
        bench.read(1, [symbol("a", at: .at(0.2, 0.5))])
        let actions = bench.read(2, [symbol("a", at: .at(0.2, 0.5)), symbol("b", at: .at(0.8, 0.5))])
        #expect(actions.confirmations == [.replaced] && actions.awaited == ["b"] && actions.noReads.isEmpty)
        #expect(bench(.confirm, 30).accepted == ["b"])
    }

    @Test func codesSideBySideTakeTurns() {
        var bench = ScanMachineBench(policy: .always)
        let both = [symbol("a", at: .at(0.2, 0.5)), symbol("b", at: .at(0.8, 0.5))]
        for sequence in UInt64(1)...20 { bench.read(sequence, both) }
        #expect(bench.log.awaited == ["a"])
        #expect(bench(.confirm, 210).accepted == ["a"])
        #expect(bench.read(22, both).awaited == ["b"])
    }

    @Test func aSessionStaysOpenUntilItsReadIsConfirmed() {
        var bench = ScanMachineBench(.level, policy: .always)
        bench(.pressed, 0)
        #expect(bench.read(1, [symbol("a")]).ends.isEmpty)
        #expect(bench.isReading)
        bench(.released, 100)
        bench(.tick, 250)
        #expect(!bench.isReading && bench.machine.sessionID == 1)
        let actions = bench(.confirm, 3000)
        #expect(actions.accepted == ["a"] && actions.ends == [.scanned(1)])
    }

    @Test(arguments: [
        (ScanMachine.Event.cancelConfirmation, Int64(500), NoReadReason.refusedConfirmation),
        (.tick, 10_015, .unconfirmed),
    ])
    func aSessionWhoseReadIsGivenUpEnds(_ event: ScanMachine.Event, _ time: Int64, _ reason: NoReadReason) {
        var bench = ScanMachineBench(.pulse, policy: .always)
        bench(.pressed, 0)
        bench.read(1, [symbol("a")])
        let actions = bench(event, time)
        #expect(actions.noReads == [reason] && actions.ends == [.noRead(reason)])
    }

    @Test func aNumericScanWithdrawsTheReadThatWaitsBesideIt() {
        var bench = ScanMachineBench(.pulse, policy: .alphanumeric)
        bench(.pressed, 0)
        let both = [symbol("text", at: .at(0.2, 0.2)), symbol("4006381333931", .ean13, at: .at(0.2, 0.8))]
        let actions = bench.read(1, both)
        #expect(actions.accepted == ["4006381333931"] && actions.ends == [.scanned(1)])
        #expect(actions.confirmations == [.withdrawn])
    }

    @Test func inAMulticodeSessionItGoesOnWaiting() {
        var bench = ScanMachineBench(.pulse, policy: .alphanumeric) { $0.maxScans = 2 }
        bench(.pressed, 0)
        let both = [symbol("text", at: .at(0.2, 0.2)), symbol("4006381333931", .ean13, at: .at(0.2, 0.8))]
        #expect(bench.read(1, both).ends.isEmpty)
        bench(.tick, 5000)
        #expect(!bench.isReading && bench.machine.waitingSymbol?.text == "text")
        #expect(bench(.confirm, 6000).ends == [.scanned(2)])
    }

    @Test func aLostCameraLeavesAReadToBeConfirmed() {
        var bench = ScanMachineBench(.pulse, policy: .always)
        bench(.pressed, 0)
        bench.read(1, [symbol("a")])
        #expect(bench(.cameraLost, 20).ends.isEmpty)
        #expect(bench(.confirm, 30).accepted == ["a"])
    }

    @Test func aPauseWithdrawsIt() {
        var bench = ScanMachineBench(policy: .always)
        bench.read(1, [symbol("a")])
        #expect(bench(.pause, 20).confirmations == [.withdrawn])
        #expect(bench(.confirm, 30).isEmpty)
    }
}
