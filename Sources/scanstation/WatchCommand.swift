import ArgumentParser
import Control
import Glibc
import Wire

/// `scanstation watch`: shows what happens at the running station, as it happens.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show the events of the running station: readable on a terminal, NDJSON elsewhere.",
        discussion: """
            `scanstation watch --only scan,noRead`; `scanstation watch | jq .text`. Exits with 0 when the program that reads the events has \
            enough of them, 69 when the station ends or there is none.

            With --after, the journal's scans after that sequence come first, without gaps or repeats: a host that was away \
            continues after the last `seq` that it has. --journal names the journal that the sequence belongs to: if the station has another \
            one now, it says so and the command exits with 1.

            On a terminal, times are local, with the offset from UTC; JSON has UTC.
            """)

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "Print NDJSON on a terminal too.") var json = false
    @Option(
        help: ArgumentHelp(
            "Show only these types, comma-separated: \(Event.types.joined(separator: ", ")).", valueName: "types"),
        completion: .list(Event.types), transform: Self.types)
    var only: [String]?
    @Option(help: ArgumentHelp("Show the journal's scans after this sequence first; 0: all it has.", valueName: "seq"))
    var after: UInt64?
    @Option(help: ArgumentHelp("The id of the journal that the sequence of --after belongs to.", valueName: "id"))
    var journal: String?

    func validate() throws {
        if journal != nil, after == nil { throw ValidationError("--journal needs --after") }
        if let after, after > Int64.max { throw ValidationError("--after takes the seq of a scan, or 0") }
    }

    func run() async throws {
        ProcessSignals.ignoreBrokenPipes()
        let client = try await connection.connect()
        if only != nil || after != nil { try await subscribe(client) }
        let isReadable = Console.isOutputTerminal && !json
        let paint = Paint.forTerminal(isReadable)
        var clock = ClockNote()
        do {
            for try await line in await client.events() {
                let text: String
                if isReadable, let value = try? JSONValue(parsing: line.utf8) {
                    if let note = clock.note(before: value) { Console.error(note) }
                    text = paint(EventPaint.style(value), HumanLine.render(value))
                } else {
                    text = line
                }
                guard Console.write(text + "\n", to: STDOUT_FILENO) else { return }
            }
        } catch {
            Console.fail("\(error)")
            throw ExitStatus.unavailable
        }
        Console.fail("the station has closed the connection")
        throw ExitStatus.unavailable
    }

    private func subscribe(_ client: ControlClient) async throws {
        let reply: JSONValue
        do {
            reply = try await client.subscribe(
                types: only ?? [], after: after, journal: journal, timeout: connection.timeout)
        } catch {
            Console.fail("\(error)")
            throw ExitStatus.unavailable
        }
        if let error = reply["error"]?.stringValue {
            Console.fail("the station says: \(TerminalText.escape(error, limit: 4_000))")
            throw ExitStatus.nothing
        }
        guard let after else { return }
        let last = reply["last"]?.integerValue ?? 0
        if let missed = reply["missed"]?.integerValue, missed > 0 {
            Console.error(
                "\(missed) of the scans after \(after) \(missed == 1 ? "is" : "are") gone: the journal begins at \(reply["first"]?.integerValue ?? 0)"
            )
        }
        let first = max(0, last - max(Int64(clamping: after), (reply["first"]?.integerValue ?? 1) - 1))
        Console.error(
            "journal \(TerminalText.escape(reply["journal"]?.stringValue ?? "?")), up to \(last): "
                + first.counted("scan comes first", "scans come first")
        )
    }

    private static func types(_ text: String) throws -> [String] {
        let types = text.split(separator: ",").map(String.init)
        guard !types.isEmpty else { throw ValidationError("--only takes at least one type") }
        for type in types where !Event.types.contains(type) {
            throw ValidationError(
                "\"\(type)\" is not a type of event; the types are: \(Event.types.joined(separator: ", "))")
        }
        return types
    }
}
