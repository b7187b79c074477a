import ArgumentParser
import Journal
import Wire

struct JournalShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one scan, and what each output and the host have said about it.")

    @OptionGroup var access: JournalAccess
    @Argument(help: "The scan's sequence (42 or #42) or its id.") var scan: String
    @OptionGroup var secrets: SecretsOption
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        try access.use { file, _ in
            let found = try file.show(key)
            guard json else { return show(found.record, found.receipts, found.answer) }
            Console.print(
                JSONValue.object([
                    "scan": JournalText.json(found.record, secrets.secrets),
                    "receipts": .array(found.receipts.map(JournalText.json)),
                    "answer": found.answer?.json ?? .null,
                ]).description)
        }
    }

    /// For programs, which ask for --json.
    private static let unshown = ["corners", "frame", "bytes"]

    private var key: JournalFile.Key {
        UInt64(scan.hasPrefix("#") ? String(scan.dropFirst()) : scan).map { .sequence($0) } ?? .id(scan)
    }

    private func show(_ record: JournalFile.Record, _ receipts: [JournalFile.Receipt], _ answer: RecordedAnswer?) {
        Console.print(JournalText.human(record, secrets.secrets))
        if case .object(var fields) = JournalText.json(record, secrets.secrets) {
            for key in Self.unshown { fields[key] = nil }
            Console.print(ReplyText.render(.object(fields)))
        }
        if let answer { Console.print("answer    \(JournalText.human(answer))") }
        guard !receipts.isEmpty else { return Console.print("receipts  none: no output has been served from here") }
        Console.print("receipts")
        for line in TextTable.lines(receipts.map(JournalText.human)) { Console.print("  \(line)") }
    }
}
