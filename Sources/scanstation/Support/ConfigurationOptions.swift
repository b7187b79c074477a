import ArgumentParser
import Delivery
import Glibc
import Linux
import Reading
import Settings
import Station
import StationConfiguration

/// `--config FILE`, and where the configuration is when it isn't given.
struct ConfigurationOptions: ParsableArguments {
    static let systemPath = "/etc/scanstation/station.yaml"

    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration. Default: \(systemPath) if it is there, else the built-in defaults.", valueName: "file"))
    var path: String?

    /// What an update has kept beside the program of the version before it (preinst); `nil`: there is none.
    static var keptPath: String? {
        guard let program = Files.resolved("/proc/self/exe"), let slash = program.lastIndex(of: "/") else { return nil }
        let kept = program[...slash] + "station.yaml"
        return access(String(kept), R_OK) == 0 ? String(kept) : nil
    }

    /// For the version before the installed one: where the configuration says what it doesn't know, the one that was kept with it serves.
    mutating func preferKnown() {
        do throws(ConfigurationErrors) { _ = try readForStation(decoders: nil) } catch {
            guard let kept = Self.keptPath, kept != effectivePath else { return }
            for problem in error.errors { Console.error("\(problem)") }
            Console.error(
                "this version runs in place of another, and goes by the configuration that was kept with it: \(kept)")
            path = kept
        }
    }

    /// The file in use; `nil` for the defaults.
    var effectivePath: String? {
        path ?? (access(Self.systemPath, F_OK) == 0 ? Self.systemPath : nil)
    }

    /// The settings; on errors prints each and exits 78 (EX_CONFIG). Warnings go to standard error.
    func load(showsWarnings: Bool = true) throws -> StationSettings {
        let loaded = try orExit(read)
        if showsWarnings { for warning in loaded.warnings { Console.error("\(warning)") } }
        return loaded.settings
    }

    /// What the file says, for callers that handle the errors themselves.
    func read() throws(ConfigurationErrors) -> LoadedConfiguration {
        guard let file = effectivePath else { return LoadedConfiguration(settings: StationSettings()) }
        return try StationConfiguration.load(path: file, places: .system)
    }

    /// The same, checked against everything that a station needs to start: `run`, `config check`, `doctor` and a reload share this check.
    /// - Parameter adjust: the command line has precedence over the file.
    func readForStation(
        decoders: DecoderInventory?, adjust: (inout LoadedConfiguration) -> Void = { _ in }
    ) throws(ConfigurationErrors) -> LoadedConfiguration {
        var loaded = try read()
        adjust(&loaded)
        return try loaded.with(loaded.settings.problems(decoders: decoders))
    }

    /// Prints the errors and exits 78.
    func orExit<Value>(_ body: () throws(ConfigurationErrors) -> Value) throws -> Value {
        do { return try body() } catch {
            for problem in error.errors + error.warnings { Console.error("\(problem)") }
            throw ExitStatus.configuration
        }
    }
}
