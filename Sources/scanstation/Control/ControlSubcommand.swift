import ArgumentParser
import Station
import Wire

/// A `ctl` subcommand: sends one command, prints the reply, exits 1 when the station said no.
protocol ControlSubcommand: AsyncParsableCommand {
    var options: ControlOptions { get }
    var command: Command { get }
}

extension ControlSubcommand {
    mutating func run() async throws { try await send() }

    func send() async throws {
        let reply = try await options.connection.ask(command)
        try options.show(reply)
    }
}

/// Where the station is, and how its reply is shown.
struct ControlOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "Print the reply as the station sent it, as JSON.") var json = false

    /// Prints the reply; throws exit code 1 when it is an error.
    func show(_ reply: JSONValue) throws {
        let isRefused = reply["ok"] == .bool(false)
        if json {
            Console.print(reply.description)
        } else if isRefused {
            Console.fail(ReplyText.error(reply))
        } else {
            Console.print(ReplyText.render(reply))
        }
        if isRefused { throw ExitStatus.nothing }
    }
}
