import Settings

/// Where a setting's value is from; each overrides the one before.
package enum SettingOrigin: String, Hashable, Sendable {
    case standard = "default"
    case file
    case console
    case commandLine = "command line"
}

/// Settings that were read without an error, and the warnings.
package struct LoadedConfiguration: Sendable {
    package var settings: StationSettings
    /// In the order of the file.
    package var warnings: [ConfigurationProblem] { findings.sorted(.warning) }

    /// Where the keys are.
    private var findings: Findings

    /// Settings that come from no file.
    package init(settings: StationSettings) {
        self.settings = settings
        findings = Findings(file: nil)
    }

    init(_ settings: StationSettings, _ findings: Findings) throws(ConfigurationErrors) {
        self.settings = settings
        self.findings = findings
        try complain()
    }

    /// The same, plus what else was found out about the settings, each at its place in the file. Throws if there is an error.
    package func with(_ problems: [SettingProblem]) throws(ConfigurationErrors) -> LoadedConfiguration {
        var loaded = self
        for problem in problems { loaded.findings.add(problem.severity, problem.message, atPath: problem.path) }
        try loaded.complain()
        return loaded
    }

    /// A value from the command line, not from the file: a problem with it has no place in the file.
    package mutating func overrule(_ path: String) { findings.overrule(path) }

    /// Where a key's value is from. Its path may lead into a list: `outputs[1].serial.baud`.
    package func origin(of path: String) -> SettingOrigin {
        if findings.isOverruled(path) { return .commandLine }
        return findings.gives(path) ? .file : .standard
    }

    private func complain() throws(ConfigurationErrors) {
        let errors = findings.sorted(.error)
        guard errors.isEmpty else { throw ConfigurationErrors(errors: errors, warnings: warnings) }
    }
}
