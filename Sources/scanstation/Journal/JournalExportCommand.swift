import ArgumentParser
import Glibc
import Journal
import Linux
import Vocabulary

struct JournalExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write scans as NDJSON, the events of the wire format.",
        discussion: """
            `scanstation journal export --to scans.ndjson`; `scanstation journal export --after 1200 | jq -r .text`. May be \
            used while the station runs: scans that come meanwhile are left for the next export.
            """)

    @OptionGroup var access: JournalAccess
    @Option(help: ArgumentHelp("Only those with a higher sequence than this.", valueName: "seq")) var after: UInt64 = 0
    @Option(help: ArgumentHelp("A file, which must not exist yet; -: standard output.", valueName: "file")) var to = "-"
    @OptionGroup var secrets: SecretsOption

    /// Written in one go.
    private static let chunkBytes = 64 << 10

    func run() async throws {
        ProcessSignals.ignoreBrokenPipes()
        try access.use { file, _ in
            // An export that fails at the start leaves no empty file behind.
            _ = try file.report()
            let target = try open()
            do {
                let count = try write(file, to: target)
                guard to != "-" else { return }
                guard fsync(target) == 0, close(target) == 0 else { throw failed() }
                Console.error("\(count.counted("scan")) written to \(to)")
            } catch {
                // Half an export must not pass for a whole one.
                if to != "-" { unlink(to) }
                throw error
            }
        }
    }

    private func open() throws -> Int32 {
        if to == "-" { return STDOUT_FILENO }
        let descriptor = Glibc.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw failed() }
        return descriptor
    }

    private func write(_ file: JournalFile, to target: Int32) throws -> UInt64 {
        let progress = LineProgress("scans")
        defer { progress.clear() }
        var count: UInt64 = 0
        var chunk = ""
        func flush() throws {
            guard Console.write(chunk, to: target) else { throw failed() }
            chunk = ""
        }
        try file.export(after: after, progress: { progress.show($0, of: $1) }) { record in
            chunk += JournalText.line(record, secrets.secrets) + "\n"
            count += 1
            if record.problem != nil {
                progress.clear()
                Console.error("scan \(record.sequence): \(record.problem ?? "")")
            }
            if chunk.utf8.count >= Self.chunkBytes { try flush() }
        }
        try flush()
        return count
    }

    /// Read right after the call that failed.
    private func failed() -> ExitCode {
        let code = errno
        // The reader of standard output has had enough.
        if to == "-", code == EPIPE { return .success }
        let reason = SystemError(code).text
        Console.fail(
            "\(to == "-" ? "standard output" : to): can't write the export: \(reason)"
                + (code == EEXIST ? "; move it away first" : ""))
        return ExitStatus.cannotCreate
    }
}
