import ArgumentParser
import Control
import Peripherals
import Settings
import Station
import Wire

/// `scanstation lines`: GPIO lines and who holds them; `lines off` drives ours to their safe levels.
struct LinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "List the GPIO lines and who holds them; `lines off` drives ours to their safe levels.",
        subcommands: [LinesListCommand.self, LinesOffCommand.self], defaultSubcommand: LinesListCommand.self)
}

struct LinesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the GPIO lines and who holds them.")

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "As JSON.") var json = false
    @Flag(help: "List lines that have neither a name nor a holder, too.") var all = false

    func run() async throws {
        let answer: JSONValue
        if let reply = await connection.askIfRunning(.lines), reply["ok"]?.boolValue == true {
            answer = reply
            Console.error("(from the running station)")
        } else {
            answer = .object(LineInventory.list().jsonFields)
        }
        if json {
            Console.print(answer.description)
        } else {
            for chip in answer["chips"]?.arrayValue ?? [] { show(chip) }
        }
        if let problem = answer["problem"]?.stringValue { Console.error(problem) }
        if answer["chips"]?.arrayValue?.isEmpty ?? true { throw ExitStatus.nothing }
    }

    private func show(_ chip: JSONValue) {
        Console.print("\(chip["name"]?.stringValue ?? "?")  \(chip["label"]?.stringValue ?? "")")
        if let problem = chip["problem"]?.stringValue { Console.print("  \(problem)") }
        for line in chip["lines"]?.arrayValue ?? [] {
            let name = line["name"]?.stringValue ?? ""
            let holder = line["holder"]?.stringValue
            guard all || holder != nil || name.hasPrefix("GPIO") else { continue }
            let offset = PanelScreen.pad(line["offset"]?.integerValue.map(String.init) ?? "", 4)
            let direction = line["output"]?.boolValue == true ? "out" : "in "
            Console.print(
                "  \(offset) \(PanelScreen.pad(name, 16)) \(direction)  "
                    + (holder.map { "held by \"\(TerminalText.escape($0))\"" } ?? "free"))
        }
    }
}

struct LinesOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Drive every output line to its safe level: torch, LEDs, buzzer, relay off.",
        discussion: """
            Use it after a crash: on a Pi, a released line keeps its level. The systemd unit does this by itself. The lines are those \
            that a killed station had, else those that the configuration names.
            """)

    @OptionGroup var configuration: ConfigurationOptions

    func run() async throws {
        let configured = try? configuration.read().settings
        let record = LineRecord(controlSocket: SocketPath.resolve(configured?.control ?? ControlSettings()))
        let recorded = record.read()
        let outcomes = LineInventory.driveSafe(settings: try recorded ?? configuration.load())
        if outcomes.isEmpty { Console.print("the configuration names no output line") }
        for outcome in outcomes {
            Console.print("\(outcome.role)  \(outcome.line)  \(outcome.problem ?? "off")")
        }
        if outcomes.contains(where: { !$0.isSafe }) { throw ExitStatus.nothing }
        if recorded != nil { record.remove() }
    }
}
