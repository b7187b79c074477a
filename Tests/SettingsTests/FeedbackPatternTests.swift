import Settings
import Testing

@Suite struct FeedbackPatternTests {
    /// What an active buzzer makes of a pattern: lengths of the beeps, in milliseconds.
    static func rhythm(_ pattern: FeedbackPattern) -> [Double] {
        var beeps: [Double] = []
        var isSounding = false
        for step in pattern.steps {
            if step.toneHertz != 0 {
                if isSounding {
                    beeps[beeps.count - 1] += step.duration.milliseconds
                } else {
                    beeps.append(step.duration.milliseconds)
                }
            }
            isSounding = step.toneHertz != 0
        }
        return beeps
    }

    @Test(arguments: FeedbackCue.allCases) func builtInPatternsKeepTheRules(cue: FeedbackCue) {
        #expect(FeedbackPattern.builtIn(for: cue).problems == [])
        #expect(!FeedbackPattern.builtIn(for: cue).steps.isEmpty)
    }

    @Test func audiblePatternsDifferInTheirRhythmAlone() {
        let audible = FeedbackCue.allCases.filter { FeedbackPattern.builtIn(for: $0).isAudible }
        for (index, first) in audible.enumerated() {
            for second in audible[(index + 1)...] {
                let a = Self.rhythm(.builtIn(for: first))
                let b = Self.rhythm(.builtIn(for: second))
                let differsInLength = zip(a, b).contains { max($0, $1) >= 1.5 * min($0, $1) }
                #expect(a.count != b.count || differsInLength, "\(first) and \(second)")
            }
        }
    }

    @Test(arguments: FeedbackCue.allCases) func badNewsShowsTheErrorLightAndGoodNewsDoesNot(cue: FeedbackCue) {
        let isBad: Bool =
            switch cue {
            case .cannotKeep, .error, .refused, .noRead: true
            case .ready, .read, .kept, .accepted, .awaitingConfirmation, .identify, .showCode, .pressAgain, .aim,
                .passwordOpen:
                false
            }
        let lights = Set(FeedbackPattern.builtIn(for: cue).steps.map(\.light))
        #expect(lights.contains(.error) == isBad)
        #expect(lights.contains(.good) == !isBad)
    }

    @Test func theBuiltInSoundsAreThoseOfTheTable() {
        #expect(Self.rhythm(.builtIn(for: .kept)) == [80])
        #expect(Self.rhythm(.builtIn(for: .accepted)) == [40, 40])
        #expect(Self.rhythm(.builtIn(for: .cannotKeep)) == [200, 200, 200, 200])
        #expect(Self.rhythm(.builtIn(for: .refused)) == [300, 300])
        #expect(Self.rhythm(.builtIn(for: .error)) == [700])
        #expect(Self.rhythm(.builtIn(for: .read)).isEmpty)
        #expect(Self.rhythm(.builtIn(for: .noRead)).isEmpty)
    }

    @Test func everyCueHasAPriorityOfItsOwn() {
        #expect(Set(FeedbackCue.allCases.map(\.priority)).count == FeedbackCue.allCases.count)
    }

    @Test func limitsAreExact() {
        let step = FeedbackPattern.Step(light: .good, toneHertz: 20, duration: .milliseconds(10))
        #expect(FeedbackPattern(Array(repeating: step, count: 32)).problems == [])
        #expect(FeedbackPattern(Array(repeating: step, count: 33)).problems.count == 1)
        #expect(FeedbackPattern([.init(duration: .seconds(10))]).problems == [])
        #expect(FeedbackPattern([.init(duration: .seconds(10) + .milliseconds(1))]).problems.count == 1)
        #expect(FeedbackPattern([.init(duration: .milliseconds(9))]).problems.count == 1)
        #expect(FeedbackPattern([.init(toneHertz: 20_000, duration: .milliseconds(10))]).problems == [])
        #expect(FeedbackPattern([.init(toneHertz: 20_001, duration: .milliseconds(10))]).problems.count == 1)
        #expect(FeedbackPattern([.init(toneHertz: -1, duration: .milliseconds(10))]).problems.count == 1)
    }

    @Test func aProblemSaysWhichStepAndWhatToDo() {
        let pattern = FeedbackPattern([
            .init(duration: .milliseconds(50)), .init(toneHertz: 5, duration: .milliseconds(50)),
        ])
        #expect(
            pattern.problems == [
                "step 2 has a tone of 5 Hz: use 0 (silent), 1 (the buzzer's own pitch) or 20 to 20000"
            ])
    }
}
