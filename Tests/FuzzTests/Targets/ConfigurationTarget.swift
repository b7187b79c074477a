import Settings

@testable import StationConfiguration

/// A configuration's text.
enum ConfigurationTarget {
    static func check(_ input: inout FuzzInput) throws {
        // Other bytes are refused before (`ConfigurationFile`).
        guard let text = String(validating: input.all(), as: UTF8.self) else { return }
        let loaded: LoadedConfiguration
        do throws(ConfigurationErrors) {
            loaded = try StationConfiguration.parse(yaml: text, file: "station.yaml")
        } catch {
            try demand(!error.errors.isEmpty, "what is refused has an error")
            try hold(error.errors + error.warnings, to: text)
            return
        }
        try hold(loaded.warnings, to: text)
        try showAgain(loaded.settings)
    }

    /// What `show` prints gives the same settings.
    static func showAgain(_ settings: StationSettings) throws {
        let shown = StationConfiguration.show(settings)
        let again: LoadedConfiguration
        do throws(ConfigurationErrors) {
            again = try StationConfiguration.parse(yaml: shown, file: "shown.yaml")
        } catch {
            throw BrokenPromise(
                promise: "settings that are shown can be read: \(error)\n\(shown)", file: #fileID, line: #line)
        }
        try demand(again.settings == settings, "settings that are shown are the same when read:\n\(shown)")
    }

    /// Each problem is one line that a person can be shown, at a place that the text has.
    private static func hold(_ problems: [ConfigurationProblem], to text: String) throws {
        // As YAML counts lines (1.1, 4.2).
        let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
        var lengths = [0]
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if breaks.contains(scalar) {
                if !(scalar == "\n" && previous == "\r") { lengths.append(0) }
            } else {
                lengths[lengths.count - 1] += 1
            }
            previous = scalar
        }
        // The end of the text is a line end to YAML.
        if lengths.last != 0 { lengths.append(0) }
        let isMasked = text.unicodeScalars.contains { (0xE000...0xE0FF).contains($0.value) }
        for problem in problems {
            try Lines.demandPlain(problem.description)
            try demand(
                isMasked || !problem.message.unicodeScalars.contains { (0xE000...0xE0FF).contains($0.value) },
                "a problem speaks of what the text has: \(problem)")
            guard let place = problem.position else { continue }
            try demand((1...lengths.count).contains(place.line), "a problem's line is there: \(problem)")
            // A column may be the line's end.
            try demand(
                (1...(lengths[place.line - 1] + 1)).contains(place.column), "a problem's column is there: \(problem)")
        }
    }
}
