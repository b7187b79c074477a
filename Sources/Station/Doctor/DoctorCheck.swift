import Reading
import Settings
import StationConfiguration
import Wire

/// One thing that `scanstation doctor` looks at. Checks change nothing.
package protocol DoctorCheck: Sendable {
    func findings(in context: DoctorContext) async -> [DoctorFinding]
}

/// What the checks look at: the settings and the machine.
package struct DoctorContext: Sendable {
    package var settings: StationSettings
    /// Errors and warnings, as `config check` reports them.
    package var problems: [ConfigurationProblem] = []
    /// What is wrong with the settings that the console changed.
    package var overlayNotes: [String] = []
    /// Prefix for every absolute path in `/dev`, `/proc` and `/sys`; empty for the machine itself.
    package var root: String
    /// The user whose rights count.
    package var user: UserIdentity
    /// What a station that is already running says about itself (`status`): what it holds isn't reported as taken.
    package var station: JSONValue?

    package init(
        settings: StationSettings, root: String = "", user: UserIdentity = .current(), station: JSONValue? = nil
    ) {
        self.settings = settings
        self.root = root
        self.user = user
        self.station = station
    }

    /// - Parameter overlay: its settings lie over the configuration's.
    package init(
        _ configuration: LoadedConfiguration, overlay: ConsoleOverlay? = nil, decoders: DecoderInventory?,
        station: JSONValue?
    ) {
        self.init(settings: configuration.settings, station: station)
        if let overlay {
            overlayNotes = overlay.notes(over: settings, decoders: decoders)
            settings = overlay.laid(over: settings, decoders: decoders)
        }
        do throws(ConfigurationErrors) {
            problems = try configuration.with(configuration.settings.problems(decoders: decoders)).warnings
        } catch {
            problems = error.errors + error.warnings
        }
    }
}
