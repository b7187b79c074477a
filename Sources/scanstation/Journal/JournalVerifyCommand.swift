import ArgumentParser
import Journal
import Wire

struct JournalVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the file's structure and every scan in it. Exits with 1 if it finds something.",
        discussion: "Reads everything, so it takes a while with many scans; the station may run meanwhile.")

    @OptionGroup var access: JournalAccess
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        try access.use { file, _ in
            let progress = LineProgress("scans")
            defer { progress.clear() }
            let found = try file.verify { progress.show($0, of: $1) }
            progress.clear()
            if json {
                Console.print(
                    JSONValue.object([
                        "path": .string(file.path), "scans": .integer(Int64(clamping: found.scans)),
                        "sound": .bool(found.isSound), "problemCount": .integer(Int64(clamping: found.problemCount)),
                        "problems": .array(found.problems.map(JSONValue.string)),
                    ]).description)
            } else {
                show(found, file)
            }
            guard found.isSound else { throw ExitStatus.nothing }
        }
    }

    private func show(_ found: JournalFile.Verification, _ file: JournalFile) {
        for problem in found.problems { Console.print(TerminalText.escape(problem, limit: 4_000)) }
        let unshown = found.problemCount - UInt64(found.problems.count)
        if unshown > 0 { Console.print("and \(unshown) more") }
        Console.print(
            "\(file.path): \(found.scans.counted("scan")), "
                + (found.isSound
                    ? "all sound" : "\(found.problemCount.counted("finding")). Export what can be read: journal export")
        )
    }
}
