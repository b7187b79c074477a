/// Moments that LED and buzzer signal to a person.
package enum FeedbackCue: String, CaseIterable, Hashable, Sendable {
    /// The station can scan: played once, when it first can. The ready light shows it all the time.
    case ready
    /// A code was decoded (LED only by default).
    case read
    /// The scan is kept: in the journal, until every required output has answered for it.
    case kept
    /// The host accepted it.
    case accepted
    case refused
    case noRead
    /// The scan can't be kept.
    case cannotKeep
    case error
    /// A scan waits for its confirmation.
    case awaitingConfirmation
    /// Somebody at the console asks which station this is.
    case identify
    /// One tick of the buzzer that follows the sharpness while somebody aims.
    case aim
    /// The button was held for the first password: the phone's screen may be shown now.
    case showCode
    /// It was read: the button once more.
    case pressAgain
    /// That browser may set the first password.
    case passwordOpen
}

/// What LEDs and buzzer do for each cue.
package struct FeedbackSettings: Hashable, Sendable {
    /// Patterns that replace the built-in ones, by cue.
    package var patterns: [FeedbackCue: FeedbackPattern] = [:]

    package init() {}
}

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
