import ArgumentParser
import Wire

struct StatusControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what the station is doing and what is wrong, in a few lines; --json shows everything.")
    @OptionGroup var options: ControlOptions
    var command: Command { .status }

    mutating func run() async throws {
        let reply = try await options.connection.ask(command)
        guard !options.json, reply["ok"]?.boolValue == true else { return try options.show(reply) }
        for line in StatusText.lines(reply) { Console.print(line) }
    }
}
