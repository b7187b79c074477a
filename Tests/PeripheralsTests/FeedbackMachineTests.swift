import Peripherals
import Settings
import Testing
import Vocabulary

@Suite struct FeedbackMachineTests {
    /// Plays on lines that only remember.
    struct Desk {
        var machine: FeedbackMachine
        var now = Instant.zero
        var lit: Set<LineRole> = []
        var hertz = 0
        /// Every sound, with when it began and how long it lasted.
        var beeps: [(hertz: Int, length: Duration)] = []
        private var beganAt = Instant.zero

        init(_ patterns: [FeedbackCue: FeedbackPattern] = [:], limits: FeedbackMachine.Limits = .init()) {
            var settings = FeedbackSettings()
            settings.patterns = patterns
            machine = FeedbackMachine(settings: settings, limits: limits)
        }

        mutating func tell(_ event: FeedbackMachine.Event) {
            for action in machine.handle(event, at: now) {
                switch action {
                case .light(let role, true): lit.insert(role)
                case .light(let role, false): lit.remove(role)
                case .tone(let new):
                    if hertz != 0 { beeps.append((hertz, beganAt.duration(to: now))) }
                    hertz = new
                    beganAt = now
                }
            }
        }

        mutating func cue(_ cue: FeedbackCue) { tell(.cue(cue, givenAt: now)) }

        /// Lets time pass, with a timer that is on time.
        mutating func wait(_ duration: Duration) {
            let end = now.advanced(by: duration)
            while let next = machine.wakeAt, next <= end {
                now = max(now, next)
                tell(.tick)
            }
            now = end
        }

        var isDark: Bool { lit.subtracting([.ready]).isEmpty && hertz == 0 }
    }

    @Test func playsAPatternStepByStepAndEndsDarkAndSilent() {
        var desk = Desk([
            .kept: FeedbackPattern([
                .init(light: .good, toneHertz: 1, duration: .milliseconds(80)),
                .init(light: .error, toneHertz: 0, duration: .milliseconds(20)),
            ])
        ])
        desk.cue(.kept)
        #expect(desk.lit == [.good])
        #expect(desk.hertz == 1)
        desk.wait(.milliseconds(80))
        #expect(desk.lit == [.error])
        #expect(desk.hertz == 0)
        desk.wait(.milliseconds(20))
        #expect(desk.isDark)
        #expect(desk.machine.wakeAt == nil)
    }

    @Test(arguments: FeedbackCue.allCases) func everyBuiltInPatternPlaysToItsEnd(cue: FeedbackCue) {
        var desk = Desk()
        desk.cue(cue)
        #expect(desk.machine.playingCue == cue)
        #expect(!desk.isDark)
        desk.wait(FeedbackPattern.builtIn(for: cue).totalDuration)
        #expect(desk.isDark)
        #expect(desk.machine.playingCue == nil)
    }

    @Test func higherPriorityCutsIn() {
        var desk = Desk()
        desk.cue(.kept)
        desk.wait(.milliseconds(100))
        desk.cue(.cannotKeep)
        #expect(desk.machine.playingCue == .cannotKeep)
        #expect(desk.lit == [.error])
        desk.wait(.seconds(2))
        #expect(desk.beeps.map(\.hertz) == [1, 500, 500, 500, 500])
    }

    @Test func theSecondBeepWaitsForTheFirst() {
        var desk = Desk()
        desk.cue(.kept)
        desk.wait(.milliseconds(10))
        desk.cue(.accepted)
        #expect(desk.machine.playingCue == .kept)
        desk.wait(.milliseconds(240))
        #expect(desk.machine.playingCue == .accepted)
        desk.wait(.seconds(1))
        #expect(desk.beeps.map(\.length.milliseconds) == [80, 40, 40])
    }

    @Test func twoScansInARowAreHeardAsTwoBeeps() {
        var desk = Desk()
        desk.cue(.kept)
        desk.wait(.milliseconds(50))
        desk.cue(.kept)
        #expect(desk.hertz == 0, "a moment of silence between them")
        desk.wait(.seconds(1))
        #expect(desk.beeps.map(\.length.milliseconds) == [50, 80])
    }

    @Test func aCueThatWaitedTooLongIsLeftOut() {
        let long = FeedbackPattern([.init(light: .error, duration: .seconds(3))])
        var desk = Desk([.error: long])
        desk.cue(.error)
        desk.cue(.accepted)
        desk.wait(.seconds(3))
        #expect(desk.machine.playingCue == nil)
        #expect(desk.machine.leftOut == 1)
    }

    @Test func aCueThatComesTooLateIsLeftOut() {
        var desk = Desk()
        desk.now = Instant.zero.advanced(by: .seconds(10))
        desk.tell(.cue(.kept, givenAt: .zero))
        #expect(desk.isDark)
        #expect(desk.machine.leftOut == 1)
    }

    @Test func theQueueIsBoundedAndKeepsTheImportantOnes() {
        let long = FeedbackPattern([.init(light: .error, duration: .seconds(1))])
        var desk = Desk([.cannotKeep: long])
        desk.cue(.cannotKeep)
        for cue in [FeedbackCue.refused, .read, .kept, .read, .noRead, .ready] { desk.cue(cue) }
        #expect(desk.machine.waitingCount == 4)
        #expect(desk.machine.leftOut == 2)
        desk.wait(.seconds(1))
        #expect(desk.machine.playingCue == .refused)
        desk.wait(FeedbackPattern.builtIn(for: .refused).totalDuration)
        #expect(desk.machine.playingCue == .kept)
        desk.wait(.seconds(1))
        #expect(desk.machine.playingCue == nil, "the rest is stale by now")
    }

    @Test func aLateTimerLengthensAStepAndSwallowsNone() {
        var desk = Desk()
        desk.cue(.cannotKeep)
        for _ in 0..<8 {
            desk.now = desk.now.advanced(by: .seconds(5))
            desk.tell(.tick)
        }
        #expect(desk.beeps.count == 4)
    }

    @Test func anEmptyPatternIsSilence() {
        var desk = Desk([.kept: FeedbackPattern([])])
        desk.cue(.kept)
        #expect(desk.isDark)
        #expect(desk.machine.wakeAt == nil)
    }

    @Test func theReadyLightIsSteadyWhateverIsReadAndKept() {
        var desk = Desk()
        desk.tell(.ready(true))
        #expect(desk.lit == [.ready])
        desk.wait(.seconds(100))
        #expect(desk.lit == [.ready])
        for cue in FeedbackCue.allCases {
            desk.cue(cue)
            while desk.machine.wakeAt != nil {
                #expect(desk.lit.contains(.ready), "\(cue)")
                desk.wait(.milliseconds(10))
            }
        }
        desk.tell(.ready(false))
        desk.wait(.seconds(1))
        #expect(desk.lit.isEmpty)
    }

    @Test func whileNotReadyAReadDoesNotLightTheReadyLight() {
        var desk = Desk()
        desk.cue(.read)
        desk.wait(.seconds(1))
        #expect(!desk.lit.contains(.ready))
    }

    @Test func stoppingEndsEverythingForGood() {
        var desk = Desk()
        desk.tell(.ready(true))
        desk.cue(.cannotKeep)
        desk.tell(.stop)
        #expect(desk.isDark)
        #expect(desk.lit.isEmpty)
        desk.cue(.kept)
        desk.tell(.ready(true))
        #expect(desk.lit.isEmpty)
    }

    @Test func aPatternThatBreaksTheRulesIsReplacedByTheBuiltInOne() {
        let endless = FeedbackPattern([.init(light: .error, duration: .seconds(3600))])
        var desk = Desk([.kept: endless])
        desk.cue(.kept)
        #expect(desk.lit == [.good])
    }
}
