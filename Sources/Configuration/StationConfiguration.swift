import Settings

/// The station's configuration file: YAML to typed settings and back.
///
/// One table of keys (`StationSchema` and its parts) gives the parser, the commented example, `show` and the list of keys
/// that may change at run time. `SettingsChecks` then looks at what no single key can know.
package enum StationConfiguration {
    /// Starting points for common uses, as commented YAML.
    package enum Profile: String, CaseIterable, Hashable, Sendable {
        /// On a desk or wall, always looking.
        case station
        /// Handheld, with a trigger button and a torch.
        case handheld
        /// A code opens a door if the host accepts it.
        case door
        /// Many codes, one after another or in one frame.
        case inventory
        /// Articles at a till, typed into its computer.
        case till
    }

    /// Reads a file. Throws every error in it, or the reason why it can't be read; at most 1 MiB of UTF-8. `places`: what is known about
    /// the machine that the station runs on.
    package static func load(
        path: String, places: FilePlaces = .asWritten
    ) throws(ConfigurationErrors) -> LoadedConfiguration {
        var findings = Findings(file: path)
        let text = ConfigurationFile.text(of: path, &findings)
        return try read(text, &findings, places: places)
    }

    /// Reads text; problems are reported with `file` as its name.
    package static func parse(
        yaml: String, file: String, places: FilePlaces = .asWritten
    ) throws(ConfigurationErrors) -> LoadedConfiguration {
        var findings = Findings(file: file)
        if yaml.utf8.count > ConfigurationFile.maxBytes {
            findings.add(
                .error, "longer than \(ByteCount.text(ConfigurationFile.maxBytes)), which is the limit", at: nil)
        }
        return try read(yaml, &findings, places: places)
    }

    /// Every key with its description and default, as YAML that gives the defaults.
    package static let example = ExampleDocument.text()

    package static func profile(_ profile: Profile) -> String { ProfileDocuments.text(profile) }

    /// The settings as YAML that reads back as the same settings.
    /// - Parameter origin: of the value at a path, as a comment behind it; `nil`: there are no comments.
    package static func show(
        _ settings: StationSettings, origin: ((_ path: String) -> SettingOrigin)? = nil
    ) -> String {
        var writer = OutlineWriter(isExample: false)
        writer.origin = origin
        writer.write(StationSchema.station.outline(settings))
        return writer.text
    }

    private static func read(
        _ text: String?, _ findings: inout Findings, places: FilePlaces
    ) throws(ConfigurationErrors) -> LoadedConfiguration {
        var settings = StationSettings()
        if let text, findings.problems.isEmpty, let root = YAMLDocument(text, &findings).root {
            StationSchema.station.read(root, "", into: &settings, isNew: true, &findings)
            SettingsChecks.check(settings, &findings, places: places)
        }
        return try LoadedConfiguration(settings, findings)
    }
}
