import ArgumentParser
import Journal
import Wire

struct JournalCompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Shrink the file to what is in it; only while no station uses it.",
        discussion: """
            Seldom needed: a running station frees space by itself. Needs as much free disk space as the file takes. \
            No scan is dropped.
            """)

    @OptionGroup var access: JournalAccess
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        try access.use { file, _ in
            let size = try file.compact()
            if json {
                Console.print(
                    JSONValue.object([
                        "path": .string(file.path), "before": .integer(Int64(clamping: size.before)),
                        "after": .integer(Int64(clamping: size.after)),
                    ]).description)
            } else {
                Console.print("\(file.path): \(size.before >> 10) KiB, now \(size.after >> 10) KiB")
            }
        }
    }
}
