import ArgumentParser
import Journal
import Wire

/// `scanstation outputs`: where scans go, how far each output has come, and what is in its way.
struct OutputsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outputs",
        abstract: "List the outputs: state, place in the journal, scans that wait, last error.",
        discussion: """
            Asks the running station. If none is running, it reads the journal's file, which knows each output's place but not what \
            is in its way. Exits with 0 if there was something to list.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var place: JournalPlaceOptions
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        let asksFile = place.folder != nil || place.simulated
        if !asksFile, let status = await connection.askIfRunning(.status), status["ok"]?.boolValue == true {
            showRunning(status)
        } else {
            try showStored()
        }
    }

    private func showRunning(_ status: JSONValue) {
        let outputs = status["outputs"] ?? .array([])
        let journal = status["journal"] ?? .null
        if json {
            return Console.print(
                JSONValue.object(["source": "station", "journal": journal, "outputs": outputs]).description)
        }
        Console.print(OutputsText.journal(journal))
        for line in OutputsText.running(outputs.arrayValue ?? []) { Console.print(line) }
    }

    private func showStored() throws {
        try JournalAccess.use(place, connection.configuration) { file, settings in
            let report = try file.report()
            let rows = report.outputs.map { OutputsText.stored($0, settings) }
            let journal = JSONValue.object([
                "id": .string(report.id), "path": .string(file.path), "first": .integer(Int64(clamping: report.first)),
                "last": .integer(Int64(clamping: report.last)), "scans": .integer(Int64(clamping: report.scans)),
            ])
            if json {
                Console.print(
                    JSONValue.object(["source": "journal", "journal": journal, "outputs": .array(rows)]).description)
                return
            }
            Console.error("(no station was asked: this is what the journal's file knows)")
            Console.print(OutputsText.journal(journal))
            for line in OutputsText.stored(rows) { Console.print(line) }
        }
    }
}
