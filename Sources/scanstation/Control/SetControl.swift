import ArgumentParser
import StationConfiguration
import Wire

struct SetControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change settings while running, until the next start.",
        discussion:
            "`scanstation ctl set trigger.timeout 5s`, or several: `set trigger.timeout=5s capture.exposure.maxTime=2ms`. Keys are those of the "
            + "configuration file; --list shows those that can be changed, and what each takes.")
    @OptionGroup var options: ControlOptions
    @Flag(help: "List the keys and what each takes; works without a station.") var list = false
    @Argument(help: "KEY VALUE, or any number of KEY=VALUE.", completion: .list(RuntimeSettings.keys.map(\.path)))
    var assignments: [String] = []

    mutating func run() async throws {
        if list {
            let keys = RuntimeSettings.keys
            let width = keys.map(\.path.count).max() ?? 0
            for key in keys { Console.print("\(PanelScreen.pad(key.path, width))  \(key.takes)") }
        } else {
            try options.show(try await options.connection.ask(command))
        }
    }

    func validate() throws {
        if list { return }
        guard !assignments.isEmpty else { throw ValidationError("which setting? --list shows them") }
        guard !isPair else { return }
        for assignment in assignments where !assignment.contains("=") {
            throw ValidationError("\"\(assignment)\": expected KEY=VALUE")
        }
    }

    /// `set trigger.timeout 5s`
    private var isPair: Bool { assignments.count == 2 && !assignments[0].contains("=") }

    var command: Command {
        if isPair { return .set([assignments[0]: .string(assignments[1])]) }
        var values: [String: JSONValue] = [:]
        for assignment in assignments {
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(parts[0])] = .string(String(parts[1]))
        }
        return .set(values)
    }
}
