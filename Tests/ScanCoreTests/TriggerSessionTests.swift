import TestSupport
import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

@Suite struct TriggerSessionTests {
    /// A session machine with its clock: `instant` in milliseconds.
    struct Bench {
        var session: TriggerSession

        init(_ mode: TriggerMode, _ change: (inout TriggerSettings) -> Void = { _ in }) {
            var settings = TriggerSettings()
            settings.mode = mode
            settings.timeout = .seconds(5)
            settings.releaseGrace = .milliseconds(150)
            change(&settings)
            session = TriggerSession(settings: settings)
        }

        mutating func callAsFunction(_ event: TriggerSession.Event, _ milliseconds: Int64) -> [TriggerSession.Action] {
            session.handle(event, at: .ms(milliseconds), now: .ms(milliseconds))
        }

        func admits(_ milliseconds: Int64) -> Bool { session.admits(exposedAt: .ms(milliseconds)) }
    }

    static func ended(_ id: UInt64, _ reason: NoReadReason, _ milliseconds: Int64) -> TriggerSession.Action {
        .ended(id, .noRead(reason), after: .milliseconds(milliseconds))
    }

    @Test(arguments: [TriggerMode.level, .pulse]) func aPressStartsASession(_ mode: TriggerMode) {
        var bench = Bench(mode)
        #expect(bench(.pressed, 100) == [.started(1)])
        #expect(bench.session.isReading && bench.session.id == 1)
        #expect(bench(.pressed, 110).isEmpty)
    }

    @Test(arguments: [TriggerMode.presentation, .continuous])
    func modesThatAlwaysLookHaveNoSessions(_ mode: TriggerMode) {
        var bench = Bench(mode)
        for event: TriggerSession.Event in [.pressed, .released, .trigger, .release, .scanned, .cancel, .tick] {
            #expect(bench(event, 100).isEmpty)
        }
        #expect(bench.session.id == nil && bench.session.deadline == nil)
    }

    @Test func hostSessionsIgnoreTheButton() {
        var bench = Bench(.host)
        #expect(bench(.pressed, 100).isEmpty)
        #expect(bench(.trigger, 100) == [.started(1)])
        #expect(bench(.released, 200).isEmpty)
        #expect(bench.admits(300))
    }

    @Test(arguments: [TriggerMode.level, .pulse, .host]) func theFirstScanEndsASession(_ mode: TriggerMode) {
        var bench = Bench(mode)
        _ = bench(.trigger, 100)
        #expect(bench(.scanned, 200) == [.ended(1, .scanned(1), after: .milliseconds(100))])
        #expect(!bench.session.isReading)
        // The release that follows belongs to nothing.
        #expect(bench(.released, 300).isEmpty)
        #expect(bench(.trigger, 400) == [.started(2)])
    }

    @Test func aMulticodeSessionEndsWithItsLastScan() {
        var bench = Bench(.pulse) { $0.maxScans = 3 }
        _ = bench(.pressed, 0)
        #expect(bench(.scanned, 10).isEmpty)
        #expect(bench(.scanned, 20).isEmpty)
        #expect(bench(.scanned, 30) == [.ended(1, .scanned(3), after: .milliseconds(30))])
    }

    @Test func aMulticodeSessionThatGotSomeIsNoNoRead() {
        var bench = Bench(.pulse) { $0.maxScans = 3 }
        _ = bench(.pressed, 0)
        _ = bench(.scanned, 10)
        #expect(bench(.tick, 5000) == [.ended(1, .scanned(1), after: .seconds(5))])
    }

    @Test func withoutAScanItTimesOut() {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 100)
        #expect(bench.session.deadline == .ms(5100))
        #expect(bench(.tick, 5099).isEmpty)
        #expect(bench(.tick, 5100) == [Self.ended(1, .timeout, 5000)])
    }

    @Test func onlyFramesExposedAfterTheEdgeAnswer() {
        var bench = Bench(.level)
        #expect(!bench.admits(1000))
        _ = bench(.pressed, 100)
        #expect(!bench.admits(99))
        #expect(bench.admits(100) && bench.admits(101))
    }

    @Test func framesInFlightAtAReleaseStillAnswer() {
        var bench = Bench(.level)
        _ = bench(.pressed, 100)
        #expect(bench(.released, 200).isEmpty)
        #expect(bench.session.isReading)
        #expect(bench.admits(200) && !bench.admits(201))
        #expect(bench(.scanned, 300) == [.ended(1, .scanned(1), after: .milliseconds(200))])
    }

    @Test func afterTheGraceAReleaseIsANoRead() {
        var bench = Bench(.level)
        _ = bench(.pressed, 100)
        _ = bench(.released, 200)
        #expect(bench.session.deadline == .ms(350))
        #expect(bench(.tick, 349).isEmpty)
        #expect(bench(.tick, 350) == [Self.ended(1, .released, 250)])
    }

    @Test func theGraceOfAnEdgeThatIsToldLateRunsFromTheTelling() {
        var bench = Bench(.level)
        _ = bench(.pressed, 100)
        _ = bench.session.handle(.released, at: .ms(200), now: .ms(260))
        #expect(bench.session.deadline == .ms(410))
        #expect(!bench.admits(201))
    }

    @Test func theGraceNeverOutlastsTheSession() {
        var bench = Bench(.level)
        _ = bench(.pressed, 0)
        _ = bench(.released, 4950)
        #expect(bench.session.deadline == .ms(5000))
    }

    @Test func aPressDuringTheGraceStartsTheNextSession() {
        var bench = Bench(.level)
        _ = bench(.pressed, 100)
        _ = bench(.released, 200)
        #expect(bench(.pressed, 250) == [Self.ended(1, .released, 150), .started(2)])
        #expect(!bench.admits(200) && bench.admits(250))
    }

    @Test func aSecondPulseCancelsOnlyIfToldSo() {
        var keeps = Bench(.pulse)
        _ = keeps(.pressed, 0)
        #expect(keeps(.pressed, 100).isEmpty)
        #expect(keeps(.released, 100).isEmpty)
        var cancels = Bench(.pulse) { $0.pulseCancels = true }
        _ = cancels(.pressed, 0)
        #expect(cancels(.pressed, 100) == [Self.ended(1, .cancelled, 100)])
        #expect(cancels(.pressed, 200) == [.started(2)])
    }

    @Test func aReleaseByCommandEndsAPulseSession() {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 0)
        _ = bench(.release, 100)
        #expect(bench(.tick, 250) == [Self.ended(1, .released, 250)])
    }

    @Test func aLostCameraEndsIt() {
        var bench = Bench(.host)
        _ = bench(.trigger, 0)
        #expect(bench(.cameraLost, 100) == [Self.ended(1, .cameraLost, 100)])
        #expect(bench(.cameraLost, 110).isEmpty)
    }

    @Test func aReadThatWaitsOutlivesTheTimeOut() {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 0)
        _ = bench(.awaiting, 100)
        #expect(bench.session.isReading)
        #expect(bench(.tick, 5000).isEmpty)
        #expect(!bench.session.isReading && bench.session.id == 1 && bench.session.deadline == nil)
        #expect(bench(.scanned, 7000) == [.ended(1, .scanned(1), after: .seconds(7))])
    }

    @Test(arguments: [NoReadReason.unconfirmed, .refusedConfirmation])
    func aReadThatIsGivenUpEndsIt(_ reason: NoReadReason) {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 0)
        _ = bench(.awaiting, 100)
        #expect(bench(.givenUp(reason), 200) == [Self.ended(1, reason, 200)])
    }

    @Test func aNewTriggerGivesUpAReadThatWaits() {
        var bench = Bench(.level)
        _ = bench(.pressed, 0)
        _ = bench(.awaiting, 100)
        _ = bench(.released, 200)
        _ = bench(.tick, 350)
        #expect(bench(.pressed, 400) == [Self.ended(1, .unconfirmed, 400), .started(2)])
    }

    @Test func anAnsweredReadNoLongerKeepsItOpen() {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 0)
        _ = bench(.awaiting, 100)
        _ = bench(.answered, 200)
        #expect(bench(.tick, 5000) == [Self.ended(1, .timeout, 5000)])
    }

    @Test func newSettingsCountFromTheNextSessionOn() {
        var bench = Bench(.pulse)
        _ = bench(.pressed, 0)
        bench.session.settings.timeout = .seconds(1)
        #expect(bench.session.deadline == .ms(5000))
        _ = bench(.cancel, 10)
        _ = bench(.pressed, 20)
        #expect(bench.session.deadline == .ms(1020))
    }
}
