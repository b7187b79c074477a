/// What LEDs and buzzer do for each cue.
package struct FeedbackSettings: Hashable, Sendable {
    /// Patterns that replace the built-in ones, by cue.
    package var patterns: [FeedbackCue: FeedbackPattern] = [:]

    package init() {}
}
