import ArgumentParser
import ScanCore
import Wire

struct AcceptControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Answer a scan as the host: accepted.",
        discussion: """
            The relay follows host.relayOnAccept unless --relay, --relay-for or --no-relay says otherwise. It moves only if the \
            answer comes within host.timeout of the scan: later ones are on record, and open nothing.
            """)
    @OptionGroup var options: ControlOptions
    @Argument(help: "The scan's id. Default: the latest scan.") var id: String?
    @Flag(inversion: .prefixedNo, help: "Pulse the relay for the configured time, or leave it alone.") var relay: Bool?
    @Option(
        help: ArgumentHelp("Pulse the relay for so long; never longer than relay.maxPulse.", valueName: "time"),
        transform: Self.pulse)
    var relayFor: Duration?

    func validate() throws {
        if relayFor != nil, relay == false { throw ValidationError("--relay-for and --no-relay exclude each other") }
    }

    var command: Command { .accept(id: id, relay: wish) }

    private var wish: RelayWish {
        if let relayFor { return .pulse(relayFor) }
        return relay.map { $0 ? .pulse(nil) : .none } ?? .asConfigured
    }

    /// `500ms`, `1.5s`; a bare number counts milliseconds, as for `ctl relay --for`.
    private static func pulse(_ text: String) throws -> Duration {
        let (digits, unit): (Substring, Double) =
            text.hasSuffix("ms")
            ? (text.dropLast(2), 1) : text.hasSuffix("s") ? (text.dropLast(), 1000) : (text[...], 1)
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
            (1...3_600_000).contains(number * unit)
        else { throw ValidationError("\"\(text)\" is no length of a pulse: write 500ms or 1.5s, 1 ms to 1 h") }
        return .microseconds(Int64((number * unit * 1000).rounded()))
    }
}

struct RefuseControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Answer a scan as the host: refused.")
    @OptionGroup var options: ControlOptions
    @Argument(help: "The scan's id. Default: the latest scan.") var id: String?
    @Option(help: "Why, for the log and the other clients.") var reason: String?
    var command: Command { .refuse(id: id, reason: reason) }
}
