import ScanCore

/// Settings that were read without an error, and what was noticed on the way.
public struct LoadedConfiguration: Hashable, Sendable {
    public var settings: StationSettings
    /// In the order of the file.
    public var warnings: [ConfigurationProblem]

    public init(settings: StationSettings, warnings: [ConfigurationProblem] = []) {
        self.settings = settings
        self.warnings = warnings
    }
}
