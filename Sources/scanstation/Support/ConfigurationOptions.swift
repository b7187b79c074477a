import ArgumentParser
import Configuration
import Delivery
import Glibc
import ScanCore

/// `--config FILE`, and where the configuration is when it isn't given.
struct ConfigurationOptions: ParsableArguments {
    static let systemPath = "/etc/scanstation/station.yaml"

    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration. Default: \(systemPath) if it is there, else the built-in defaults.", valueName: "file"))
    var path: String?

    /// The file that is used; `nil` for the defaults.
    var effectivePath: String? {
        path ?? (access(Self.systemPath, F_OK) == 0 ? Self.systemPath : nil)
    }

    /// The settings; on errors prints each and exits 78 (EX_CONFIG). Warnings go to standard error.
    func load(showsWarnings: Bool = true) throws -> StationSettings {
        do { return try read(showsWarnings: showsWarnings) } catch {
            for problem in error.errors + error.warnings { Console.error("\(problem)") }
            throw ExitStatus.configuration
        }
    }

    /// The same for whoever deals with the errors.
    func read(showsWarnings: Bool = true) throws(ConfigurationErrors) -> StationSettings {
        guard let file = effectivePath else { return StationSettings() }
        let loaded = try StationConfiguration.load(path: file, places: .system)
        if showsWarnings { for warning in loaded.warnings { Console.error("\(warning)") } }
        return loaded.settings
    }
}
