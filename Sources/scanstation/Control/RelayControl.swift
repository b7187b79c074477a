import ArgumentParser
import Wire

struct RelayControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Pulse the relay once, for the configured time or for a given one.")
    @OptionGroup var options: ControlOptions
    @Option(name: .customLong("for"), help: "Milliseconds; never longer than relay.maxPulse.") var milliseconds: Int?

    func validate() throws {
        if let milliseconds, milliseconds < 1 { throw ValidationError("a pulse lasts at least 1 ms") }
    }

    var command: Command { .relay(milliseconds.map { .milliseconds($0) }) }
}
