import ArgumentParser
import Glibc
import Linux
import Reading
import Settings
import Station
import StationConfiguration
import Vocabulary
import Wire

/// `scanstation config …`: check, show and start configurations.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check, show or begin a configuration.",
        subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self, ConfigInitCommand.self])
}

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration as `run` does. Exits with 78 when the station wouldn't start with it."
    )

    @Argument(help: "The file. Default: as `run` finds it.") var file: String?
    @Flag(help: "Show which library reads each symbology it asks for.") var decoders = false

    func run() async throws {
        var options = ConfigurationOptions()
        options.path = file
        let inventory: DecoderInventory?
        do { inventory = try await DecoderInventory.load(executable: ReaderExecutable.locate()) } catch {
            inventory = nil
            Console.error("warning: whether the symbologies can be read wasn't checked: \(error)")
        }
        let loaded = try options.orExit { [options] () throws(ConfigurationErrors) in
            try options.readForStation(decoders: inventory)
        }
        for warning in loaded.warnings { Console.error("\(warning)") }
        // What the station only warns of is no error here either.
        let overlay = ConsoleOverlay(OverlayPlace.lookedUp(loaded.settings), putsAside: false)
        let notes = overlay.notes(over: loaded.settings, decoders: inventory)
        for note in notes { Console.error("warning: \(TerminalText.escape(note))") }
        if decoders, let inventory { show(inventory, for: loaded.settings.reading) }
        let count = loaded.warnings.count + notes.count
        let verdict = count == 0 ? "no problems found" : "no errors, \(count.counted("warning"))"
        Console.print("\(options.effectivePath ?? "the built-in defaults"): \(verdict)")
    }

    private func show(_ inventory: DecoderInventory, for reading: ReadingSettings) {
        for symbology in reading.symbologies.keys.sorted() {
            let libraries = inventory.libraries(reading: symbology).map { "\($0.library) \($0.version)" }
            let text = libraries.isEmpty ? "no library here reads it" : libraries.joined(separator: ", ")
            Console.print("\(PanelScreen.pad(symbology.rawValue, 18)) \(text)")
        }
    }
}

struct ConfigShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the effective settings, defaults included, as YAML.",
        discussion: """
            Those that were changed over the console, and kept, lie over the file. The options of `run` that are settings, too, may be \
            added to see what comes of them.
            """)

    @Argument(help: "The file. Default: as `run` finds it.") var file: String?
    @Flag(help: "Say behind each value where it is from: default, file, console or command line.") var origin = false
    @Flag(help: "With what the console of `run --simulate` changed.") var simulated = false
    @OptionGroup var setting: SettingOptions

    func run() async throws {
        var options = ConfigurationOptions()
        options.path = file
        var loaded = try options.orExit(options.read)
        for warning in loaded.warnings { Console.error("\(warning)") }
        setting.apply(to: &loaded)
        let settings = loaded.settings
        let place =
            simulated ? OverlayPlace.file(of: settings.withReplayedScene) : OverlayPlace.lookedUp(settings)
        let overlay = ConsoleOverlay(place, overruled: setting.keys, putsAside: false)
        for note in overlay.notes(over: settings, decoders: nil) {
            Console.error("warning: \(TerminalText.escape(note))")
        }
        let shown = overlay.laid(over: settings, decoders: nil)
        let changed = overlay.keysInForce(over: settings, decoders: nil)
        if !origin, !changed.isEmpty {
            Console.error("from \(place.path): \(changed.sorted().joined(separator: ", "))")
        }
        let text = StationConfiguration.show(
            shown, origin: origin ? { changed.contains($0) ? .console : loaded.origin(of: $0) } : nil)
        Console.write(text, to: STDOUT_FILENO)
    }
}

struct ConfigInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Print a commented configuration to start from; --example has every key.")

    @Option(help: "station, handheld, door, inventory or till.") var profile: StationConfiguration.Profile = .station
    @Flag(help: "Print the example with every key instead.") var example = false
    @Option(name: .shortAndLong, help: "Write to this file, which must not exist yet.") var output: String?

    func run() async throws {
        let text = example ? StationConfiguration.example : StationConfiguration.profile(profile)
        guard let output else {
            Console.write(text, to: STDOUT_FILENO)
            return
        }
        let descriptor = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let reason = SystemError().text
            Console.error(
                "\(output): can't write the configuration: \(reason)" + (errno == EEXIST ? "; move it away first" : ""))
            throw ExitStatus.cannotCreate
        }
        defer { close(descriptor) }
        guard Console.write(text, to: descriptor) else {
            Console.fail("\(output): can't write the configuration: \(SystemError().text)")
            throw ExitStatus.cannotCreate
        }
        Console.error(
            "\(output): written; change what is different at your site, then: scanstation config check \(output)")
    }
}

extension StationConfiguration.Profile: ExpressibleByArgument {}
