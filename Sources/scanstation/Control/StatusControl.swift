import ArgumentParser
import Wire

struct StatusControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What the station is doing, and what is wrong, in a few lines; --json: everything there is to know.")
    @OptionGroup var options: ControlOptions
    var command: Command { .status }

    mutating func run() async throws {
        let reply = try await options.connection.ask(command)
        guard !options.json, reply["ok"]?.boolValue == true else { return try options.show(reply) }
        for line in StatusText.lines(reply) { Console.print(line) }
    }
}
