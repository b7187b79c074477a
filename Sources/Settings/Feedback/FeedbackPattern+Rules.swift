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
                    "step \(index + 1) lasts \(step.duration.milliseconds) ms: give it "
                        + "\(Self.shortestStep.milliseconds) ms or more")
            }
            if step.toneHertz != 0, step.toneHertz != 1, !Self.pitches.contains(step.toneHertz) {
                found.append(
                    "step \(index + 1) has a tone of \(step.toneHertz) Hz: use 0 (silent), 1 (the buzzer's own pitch) or "
                        + "\(Self.pitches.lowerBound) to \(Self.pitches.upperBound)")
            }
        }
        if totalDuration > Self.longestTotal {
            found.append(
                "a pattern lasts at most \(Self.longestTotal.milliseconds / 1000) s, this one "
                    + "\(totalDuration.milliseconds / 1000) s")
        }
        return found
    }
}
