import ArgumentParser
import Glibc
import Journal
import Wire

struct JournalExceptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exceptions",
        abstract: "List the dead letters: scans that an output refused or skipped, or that could never be delivered.",
        discussion: """
            Each with the output's reason, the newest last. Once the cause is fixed, "journal replay OUTPUT --from SEQ" sends them, and \
            everything after them, again.
            """)

    @OptionGroup var access: JournalAccess
    @Option(help: "Only those of this output.", completion: OutputNames.completion) var output: String?
    @Flag(help: "Only scans that were refused, not those that were skipped for their age or couldn't be delivered.")
    var refused = false
    @Option(help: "The newest N.") var last = 100
    @OptionGroup var secrets: SecretsOption
    @Flag(help: "As NDJSON: the receipt's fields, with the scan's event in \"scan\".") var json = false

    func validate() throws {
        if last < 1 { throw ValidationError("--last must be at least 1") }
    }

    func run() async throws {
        ProcessSignals.ignoreBrokenPipes()
        try access.use { file, _ in
            let found = try file.exceptions(output: output, outcome: refused ? .refused : nil, last: last)
            for exception in found {
                let text = json ? jsonLine(exception) : lines(exception)
                guard Console.write(text + "\n", to: STDOUT_FILENO) else { return }
            }
            if found.isEmpty {
                Console.error("\(file.path): no output has refused or missed a scan that is still on record")
            }
        }
    }

    private func lines(_ exception: JournalFile.Exception) -> String {
        let scan =
            exception.record.map { JournalText.human($0, secrets.secrets) }
            ?? "#\(exception.sequence)  (the journal has dropped it since, by its limits)"
        return "\(scan)\n    " + JournalText.human(exception.receipt).joined(separator: "  ")
    }

    private func jsonLine(_ exception: JournalFile.Exception) -> String {
        guard case .object(var fields) = JournalText.json(exception.receipt) else { return "{}" }
        fields["seq"] = .integer(Int64(clamping: exception.sequence))
        fields["scan"] = exception.record.map { JournalText.json($0, secrets.secrets) } ?? .null
        return JSONValue.object(fields).description
    }
}
