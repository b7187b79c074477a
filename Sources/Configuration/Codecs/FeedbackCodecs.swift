import Settings
import Vocabulary

extension Codec where Value == FeedbackPattern {
    /// `[good 80ms tone 2700, none 50ms, good 80ms tone]`: for each step the light, how long, and whether it sounds.
    static var pattern: Codec {
        let steps = Codec<FeedbackPattern.Step>.step.list(max: FeedbackPattern.maxSteps)
        return Codec(
            takes: "a list of steps such as [good 80ms tone 2700, none 50ms]",
            read: { node, path, findings in
                guard let steps = steps.read(node, path, &findings) else { return nil }
                let pattern = FeedbackPattern(steps)
                for problem in pattern.problems { findings.error("\(path): \(problem)", at: node) }
                return pattern.problems.isEmpty ? pattern : nil
            },
            write: { steps.write($0.steps) })
    }
}

extension Codec where Value == FeedbackPattern.Step {
    fileprivate static var step: Codec {
        Codec(
            takes: "a light (none, good, error), a time and perhaps a tone, such as good 80ms tone 2700",
            parse: FeedbackPattern.Step.init(text:),
            write: { step in
                let tone = step.toneHertz == 0 ? "" : step.toneHertz == 1 ? " tone" : " tone \(step.toneHertz)"
                return "\(step.light.rawValue) \(DurationText.text(step.duration))\(tone)"
            })
    }
}

extension FeedbackPattern.Step {
    fileprivate init?(text: String) {
        let words = text.split(separator: " ")
        guard (2...4).contains(words.count), let light = Light(rawValue: String(words[0])) else { return nil }
        guard let duration = DurationText.parse(words[1]), duration > .zero else { return nil }
        self.init(light: light, duration: duration)
        guard words.count > 2 else { return }
        guard words[2] == "tone" else { return nil }
        toneHertz = 1
        guard words.count > 3 else { return }
        let hertz = words[3].hasSuffix("Hz") ? words[3].dropLast(2) : words[3]
        guard let tone = Int(hertz), (20...20_000).contains(tone) else { return nil }
        toneHertz = tone
    }
}
