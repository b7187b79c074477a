import ArgumentParser
import Wire

struct StatusControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What the station is doing: camera, torch, session, readers, outputs, counters.")
    @OptionGroup var options: ControlOptions
    var command: Command { .status }
}
