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
    static let lowHertz = 500
    /// "The buzzer's own pitch".
    static let ownPitch = 1

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
    static func good(_ milliseconds: Int, tone: Int = 0) -> Self {
        Self(light: .good, toneHertz: tone, duration: .milliseconds(milliseconds))
    }

    static func error(_ milliseconds: Int, tone: Int = 0) -> Self {
        Self(light: .error, toneHertz: tone, duration: .milliseconds(milliseconds))
    }

    static func dark(_ milliseconds: Int) -> Self { Self(duration: .milliseconds(milliseconds)) }
}

extension FeedbackCue {
    /// A pattern of equal or higher priority replaces the one that plays; one of lower priority waits.
    package var priority: Int {
        switch self {
        case .cannotKeep: 90
        case .error: 80
        case .refused: 70
        case .passwordOpen: 68
        case .pressAgain: 66
        case .showCode: 64
        case .kept: 50
        case .awaitingConfirmation: 45
        case .noRead: 40
        case .accepted: 30
        case .read: 20
        case .identify: 15
        case .ready: 10
        case .aim: 5
        }
    }
}
