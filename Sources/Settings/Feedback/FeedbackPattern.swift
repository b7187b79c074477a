import Vocabulary

/// A feedback pattern as data: what LED and buzzer do, step by step. An empty pattern is silence.
package struct FeedbackPattern: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package enum Light: String, CaseIterable, Hashable, Sendable {
            case none, good, error
        }

        package var light: Light
        /// 0 = silent, 1 = sound at the buzzer's own pitch, else hertz (passive buzzers; an active one just sounds).
        package var toneHertz: Int
        package var duration: Duration

        package init(light: Light = .none, toneHertz: Int = 0, duration: Duration) {
            self.light = light
            self.toneHertz = toneHertz
            self.duration = duration
        }
    }

    /// At most 32 steps, 10 s in all.
    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }
}

/// The limits of a pattern, so that a mistake in a configuration can't hold up the feedback that follows.
extension FeedbackPattern {
    package static let maxSteps = 32
    package static let longestTotal: Duration = .seconds(10)
    package static let shortestStep: Duration = .milliseconds(10)
    /// Hearing, and what small buzzers do: 20 Hz…20 kHz. 0 is silence and 1 the buzzer's own pitch.
    package static let pitches = 20...20_000

    package var totalDuration: Duration { steps.reduce(.zero) { $0 + $1.duration } }
    package var isAudible: Bool { steps.contains { $0.toneHertz != 0 } }

    /// What is wrong with the pattern and what to do about each problem; empty when nothing is wrong. Steps are counted from 1.
    package var problems: [String] {
        var found: [String] = []
        if steps.count > Self.maxSteps {
            found.append("a pattern has at most \(Self.maxSteps) steps, this one has \(steps.count)")
        }
        for (index, step) in steps.enumerated() {
            if step.duration < Self.shortestStep {
                found.append(
                    "step \(index + 1) lasts \(DurationText.text(step.duration)): give it "
                        + "\(DurationText.text(Self.shortestStep)) or more")
            }
            if step.toneHertz != 0, step.toneHertz != 1, !Self.pitches.contains(step.toneHertz) {
                found.append(
                    "step \(index + 1) has a tone of \(step.toneHertz) Hz: use 0 (silent), 1 (the buzzer's own pitch) or "
                        + "\(Self.pitches.lowerBound) to \(Self.pitches.upperBound)")
            }
        }
        if totalDuration > Self.longestTotal {
            found.append(
                "a pattern lasts at most \(DurationText.text(Self.longestTotal)), this one "
                    + "\(DurationText.text(totalDuration))")
        }
        return found
    }
}

/// The patterns a station plays unless the configuration replaces them.
///
/// They follow what scanner users know from Zebra's engines: one short beep for a good read, four low ones when data can't
/// be passed on. Active buzzers have only one pitch, so every audible pattern differs from every other by its rhythm alone, and every
/// pattern that says "not good" shows the error light.
///
/// | cue | light | sound | priority |
/// |---|---|---|---|
/// | `cannotKeep` | error, 1.2 s | four low, 200 ms each | 90 |
/// | `error` | error, 1.5 s | one low, 700 ms | 80 |
/// | `refused` | error, 1 s | two low, 300 ms each | 70 |
/// | `passwordOpen` | good, 1 s | two short and a long, 120, 120 and 500 ms, own pitch | 68 |
/// | `pressAgain` | good, five quick blinks | five quick, 60 ms each | 66 |
/// | `showCode` | good, a short and a long blink | a short and a long, 200 and 600 ms, own pitch | 64 |
/// | `kept` | good, 250 ms | one short, 80 ms, own pitch | 50 |
/// | `awaitingConfirmation` | good, four slow blinks | two short, 60 ms, 300 ms apart | 45 |
/// | `noRead` | error, two short blinks | silent (Zebra: no-read is silent unless asked for) | 40 |
/// | `accepted` | good, 240 ms | two quick high ticks, 40 ms | 30 |
/// | `read` | good, 120 ms | silent: a beep is a promise, and nothing is kept yet | 20 |
/// | `identify` | good, four long blinks | four long, 350 ms each, own pitch | 15 |
/// | `aim` | good, 40 ms | one tick, 40 ms, own pitch | 5 |
/// | `ready` | good, 260 ms | three rising, 60 ms each (Zebra: low-mid-high at power-up) | 10 |
extension FeedbackPattern {
    /// The low pitch for bad news.
    private static let lowHertz = 500
    /// "The buzzer's own pitch".
    private static let ownPitch = 1

    package static func builtIn(for cue: FeedbackCue) -> FeedbackPattern {
        switch cue {
        case .ready:
            FeedbackPattern([
                .good(60, tone: 1400), .good(40), .good(60, tone: 2000), .good(40), .good(60, tone: 2700),
            ])
        case .read: FeedbackPattern([.good(120)])
        case .kept: FeedbackPattern([.good(80, tone: ownPitch), .good(170)])
        case .accepted: FeedbackPattern([.good(40, tone: 3400), .good(40), .good(40, tone: 3400), .good(120)])
        case .refused:
            FeedbackPattern([.error(300, tone: lowHertz), .error(100), .error(300, tone: lowHertz), .error(300)])
        case .noRead: FeedbackPattern([.error(120), .dark(120), .error(120)])
        case .cannotKeep:
            FeedbackPattern(
                Array(repeating: [.error(200, tone: lowHertz), .error(100)], count: 4).flatMap { $0 })
        case .error: FeedbackPattern([.error(700, tone: lowHertz), .error(800)])
        case .identify:
            FeedbackPattern(
                Array(repeating: [.good(350, tone: ownPitch), .dark(250)], count: 4).flatMap { $0 })
        case .aim: FeedbackPattern([.good(40, tone: ownPitch)])
        case .showCode:
            FeedbackPattern([.good(200, tone: ownPitch), .dark(150), .good(600, tone: ownPitch), .good(150)])
        case .pressAgain:
            FeedbackPattern(Array(repeating: [.good(60, tone: ownPitch), .dark(90)], count: 5).flatMap { $0 })
        case .passwordOpen:
            FeedbackPattern([
                .good(120, tone: ownPitch), .good(100), .good(120, tone: ownPitch), .good(100),
                .good(500, tone: ownPitch), .good(100),
            ])
        case .awaitingConfirmation:
            FeedbackPattern([
                .good(60, tone: ownPitch), .good(140), .dark(160), .good(60, tone: ownPitch), .good(140), .dark(160),
                .good(200), .dark(160), .good(200),
            ])
        }
    }
}

extension FeedbackPattern.Step {
    fileprivate static func good(_ milliseconds: Int, tone: Int = 0) -> Self {
        Self(light: .good, toneHertz: tone, duration: .milliseconds(milliseconds))
    }

    fileprivate static func error(_ milliseconds: Int, tone: Int = 0) -> Self {
        Self(light: .error, toneHertz: tone, duration: .milliseconds(milliseconds))
    }

    fileprivate static func dark(_ milliseconds: Int) -> Self { Self(duration: .milliseconds(milliseconds)) }
}
