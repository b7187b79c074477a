import ArgumentParser
import Glibc
import Journal

struct JournalListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List scans, oldest first: the newest 20, or those after one.")

    @OptionGroup var access: JournalAccess
    @Option(help: "The newest N.") var last: Int?
    @Option(help: ArgumentHelp("Those with a higher sequence than this; 0: from the oldest on.", valueName: "seq"))
    var after: UInt64?
    @Option(help: "With --after: list at most this many.") var limit: Int?
    @OptionGroup var secrets: SecretsOption
    @Flag(help: "As NDJSON, the events of the wire format.") var json = false

    /// Without --last or --after.
    static let usualCount = 20
    /// How many are read in one go, so that a long list doesn't pile up in memory.
    static let pageSize = 500

    func validate() throws {
        if last != nil, after != nil { throw ValidationError("--last and --after can't be combined") }
        if limit != nil, after == nil { throw ValidationError("--limit needs --after; without it, use --last") }
        if let last, last < 1 { throw ValidationError("--last must be at least 1") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() async throws {
        ProcessSignals.ignoreBrokenPipes()
        try access.use { file, _ in
            let report = try file.report()
            let count = last ?? Self.usualCount
            var clock = ClockNote()
            var position = after ?? report.last - min(report.last, UInt64(count))
            var left = after == nil ? count : limit ?? .max
            while left > 0 {
                let records = try file.list(after: position, limit: min(left, Self.pageSize))
                guard let end = records.last else { break }
                for record in records {
                    if !json, let note = (record.event?.value(secrets: .withheld)).flatMap({ clock.note(before: $0) }) {
                        Console.error(note)
                    }
                    let line =
                        json
                        ? JournalText.line(record, secrets.secrets) : JournalText.human(record, secrets.secrets)
                    guard Console.write(line + "\n", to: STDOUT_FILENO) else { return }
                }
                position = end.sequence
                left -= records.count
            }
            if report.scans == 0 { Console.error("\(file.path) has no scans\(report.last > 0 ? " any more" : " yet")") }
        }
    }
}
