import ArgumentParser
import Journal
import Vocabulary
import Wire

struct JournalReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Deliver scans to an output once more when the station starts.",
        discussion: """
            Sets the output's place in the journal back. This works only while the station is stopped: a running station manages its outputs' \
            places itself. Clients of a socket don't need it: they ask for what they missed with \
            `subscribe` and `after`. Receivers recognise repeats by the scans' ids.

                sudo systemctl stop scanstation
                sudo -u scanstation scanstation journal replay mqtt --from 1200
                sudo systemctl start scanstation
            """)

    @OptionGroup var access: JournalAccess
    @Argument(help: "The output's name: `scanstation outputs` lists them.", completion: OutputNames.completion)
    var output: String
    @Option(help: ArgumentHelp("The first scan that is sent again.", valueName: "seq")) var from: UInt64
    @Flag(help: "As JSON.") var json = false

    func validate() throws {
        guard from >= 1 else { throw ValidationError("--from takes a scan's sequence: the first is 1") }
    }

    func run() async throws {
        try access.use { file, settings in
            let count = try file.replay(output: output, after: from - 1)
            if json {
                Console.print(
                    JSONValue.object([
                        "output": .string(output), "from": .integer(Int64(clamping: from)),
                        "scans": .integer(Int64(count)),
                    ]).description)
            } else {
                Console.print(
                    "\(count.counted("scan")) from \(from) on will be sent to \(output) when the station "
                        + "starts")
            }
            guard let configured = settings.outputs.first(where: { $0.name == output }) else {
                return Console.error(
                    "the configuration has no output \"\(output)\": they wait until it has one again")
            }
            if configured.deliveryMode == .live {
                Console.error(
                    "\(output) is a live output: it skips scans older than \(DurationText.text(configured.maxAge)), so "
                        + "these are skipped, on record. To have them sent, set delivery: durable")
            }
        }
    }
}
