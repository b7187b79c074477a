import ArgumentParser
import Wire

struct RelayControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Pulse the relay once, for the configured time or for a given one.")
    @OptionGroup var options: ControlOptions
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long: 500ms, 1.5s, or milliseconds. Never longer than relay.maxPulse.", valueName: "time"),
        transform: TimeArgument.pulse)
    var length: Duration?

    var command: Command { .relay(length) }
}
