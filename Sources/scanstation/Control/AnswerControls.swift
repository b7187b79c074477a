import ArgumentParser
import Vocabulary
import Wire

struct AcceptControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Answer a scan as the host: accepted.",
        discussion: """
            The relay follows host.relayOnAccept unless --relay, --relay-for or --no-relay says otherwise. It moves only if the \
            answer comes within host.timeout of the scan: later answers are recorded, but open nothing.
            """)
    @OptionGroup var options: ControlOptions
    @Argument(help: "The scan's id. Default: the one scan that waits for an answer, if it is the only one.")
    var id: String?
    @Flag(inversion: .prefixedNo, help: "Pulse the relay for the configured time, or don't move it.") var relay: Bool?
    @Option(
        help: ArgumentHelp(
            "Pulse the relay for this long: 500ms, 1.5s, or milliseconds. Never longer than relay.maxPulse.",
            valueName: "time"),
        transform: TimeArgument.pulse)
    var relayFor: Duration?

    func validate() throws {
        if relayFor != nil, relay == false { throw ValidationError("--relay-for and --no-relay can't be combined") }
    }

    var command: Command { .accept(id: id, relay: wish) }

    mutating func run() async throws {
        id = try await options.scanToAnswer(id)
        try await send()
    }

    private var wish: RelayWish {
        if let relayFor { return .pulse(relayFor) }
        return relay.map { $0 ? .pulse(nil) : .none } ?? .asConfigured
    }
}

struct RefuseControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Answer a scan as the host: refused.")
    @OptionGroup var options: ControlOptions
    @Argument(help: "The scan's id. Default: the one scan that waits for an answer, if it is the only one.")
    var id: String?
    @Option(help: "Why, for the log and the other clients.") var reason: String?
    var command: Command { .refuse(id: id, reason: reason) }

    mutating func run() async throws {
        id = try await options.scanToAnswer(id)
        try await send()
    }
}

extension ControlOptions {
    /// The station never guesses which scan is meant; neither do we.
    fileprivate func scanToAnswer(_ id: String?) async throws -> String {
        if let id { return id }
        let status = try await connection.ask(.status)
        let open = (status["host"]?["open"]?.arrayValue ?? []).compactMap(\.stringValue)
        if open.count == 1 { return open[0] }
        try show(["ok": false, "error": .string(Self.problem(open))])
        throw ExitStatus.nothing
    }

    private static func problem(_ open: [String]) -> String {
        if open.isEmpty {
            return "no scan waits for an answer (after host.timeout it is too late): name one by its id, as "
                + "`scanstation watch` and `scanstation journal list` show it"
        }
        return "\(open.count) scans wait for an answer; name one: \(open.joined(separator: ", "))"
    }
}
